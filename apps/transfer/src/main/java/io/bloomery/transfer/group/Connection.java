package io.bloomery.transfer.group;

import io.bloomery.sync.transport.Transport;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a {@link SocketTransport} to one process: a thread that reads messages into a
 * short queue, which blocks the sender while they are not received, and one that writes messages
 * from a queue.
 */
final class Connection {

  private static final int HEADER_BYTES = 2 * Integer.BYTES;

  /** Messages that wait to be received; more stay with the sender. */
  private static final int INCOMING = 4;

  /** Messages that wait to be written. */
  private static final int OUTGOING = 64;

  /** Marks the end of a queue; compared by identity. */
  private static final byte[] END = new byte[0];

  private final int peer;
  private final Socket socket;
  private final Duration timeout;
  private final int maxBytes;
  private final Room room;
  private final BlockingQueue<byte[]> incoming = new LinkedBlockingQueue<>(INCOMING);
  private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>(OUTGOING);
  private final Thread reader;
  private final Thread writer;
  private volatile Transport.@Nullable PeerException failure;

  Connection(int peer, Socket socket, GroupOptions options, Room room) throws IOException {
    this.peer = peer;
    this.socket = socket;
    this.timeout = options.timeout();
    this.maxBytes = options.maxMessageBytes();
    this.room = room;
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    socket.setSoTimeout(0);
    this.reader = start(this::readAll, "reader of process " + peer);
    this.writer = start(this::writeAll, "writer to process " + peer);
  }

  private static Thread start(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  void send(byte[] message) throws IOException {
    if (message.length > maxBytes) {
      throw new IllegalArgumentException(
          "message has " + message.length + " bytes; the limit is " + maxBytes);
    }
    requireAlive();
    try {
      if (!outgoing.offer(message.clone(), timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new Transport.PeerException(peer, "took no messages for " + timeout);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  byte[] receive() throws IOException {
    byte[] message;
    try {
      message = incoming.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    if (message == null) {
      requireAlive();
      throw new Transport.PeerException(peer, "sent nothing within " + timeout);
    }
    if (message == END) {
      incoming.add(END); // the reader has ended, so there is room
      requireAlive();
    }
    room.leave(message.length);
    return message;
  }

  private void requireAlive() throws Transport.PeerException {
    Transport.PeerException known = failure;
    if (known != null) {
      throw new Transport.PeerException(peer, known.problem(), known);
    }
  }

  private Transport.PeerException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new Transport.PeerException(
        peer, "did not answer before this thread was interrupted", cause);
  }

  private void readAll() {
    try {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      byte[] header = new byte[HEADER_BYTES];
      while (true) {
        int first = in.read();
        if (first < 0) {
          throw new Transport.PeerException(peer, "has ended");
        }
        header[0] = (byte) first;
        in.readFully(header, 1, HEADER_BYTES - 1);
        incoming.put(readMessage(in, header));
      }
    } catch (Transport.PeerException e) {
      fail(e);
    } catch (EOFException e) {
      fail(new Transport.PeerException(peer, "ended within a message", e));
    } catch (IOException e) {
      fail(new Transport.PeerException(peer, "is no longer connected: " + e.getMessage(), e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed by this side
    }
  }

  private byte[] readMessage(DataInputStream in, byte[] header)
      throws IOException, InterruptedException {
    ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    int length = fields.getInt();
    int expected = fields.getInt();
    if (length < 0 || length > maxBytes) {
      throw new Transport.PeerException(
          peer,
          "announced a message of %s bytes; the limit is %d"
              .formatted(Integer.toUnsignedString(length), maxBytes));
    }
    if (!room.take(length, timeout.toNanos())) {
      throw new Transport.PeerException(
          peer,
          "sent a message of %d bytes while %d bytes of others wait to be received"
              .formatted(length, room.taken()));
    }
    byte[] message = in.readNBytes(length); // takes memory as bytes arrive
    if (message.length < length) {
      throw new EOFException();
    }
    if (checksum(message) != expected) {
      throw new Transport.PeerException(peer, "sent a message with a wrong checksum");
    }
    return message;
  }

  private static int checksum(byte[] message) {
    CRC32C crc = new CRC32C();
    crc.update(message, 0, message.length);
    return (int) crc.getValue();
  }

  private void fail(Transport.PeerException e) {
    if (failure == null) {
      failure = e;
    }
    try {
      incoming.put(END);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeAll() {
    try {
      OutputStream out = new BufferedOutputStream(socket.getOutputStream());
      while (true) {
        byte[] message = outgoing.take();
        if (message == END) {
          out.flush();
          socket.shutdownOutput();
          return;
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(message.length).putInt(checksum(message));
        out.write(header.array());
        out.write(message);
        if (outgoing.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException e) {
      // The reader fails as well and knows better why; it keeps what arrived before.
      if (failure == null) {
        failure = new Transport.PeerException(peer, "is no longer connected: " + e.getMessage(), e);
      }
      outgoing.clear();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the writer to end after writing all messages. */
  void finish() {
    if (!outgoing.offer(END)) {
      writer.interrupt();
    }
  }

  /** Waits for the writer until a deadline, then ends everything. */
  void close(long deadline) throws IOException {
    try {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left > 0) {
        writer.join(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.interrupt();
    reader.interrupt();
    socket.close();
  }
}
