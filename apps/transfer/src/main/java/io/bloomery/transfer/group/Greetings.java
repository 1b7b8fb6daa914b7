package io.bloomery.transfer.group;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the processes of a group find each other: magic bytes, size of the group, numbers of both
 * sides. Connections are heard several at a time, so that silent ones do not hold up the others.
 */
final class Greetings implements AutoCloseable {

  /** Connections that have not greeted yet; more are closed at once. */
  static final int MOST_WAITING = 64;

  private static final long MAGIC = 0x3153_5245_4550_4C42L; // "BLPEERS1"
  private static final int HELLO_BYTES = Long.BYTES + 3 * Integer.BYTES;
  private static final long HELLO_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int POLL_MILLIS = 5;

  private final int rank;
  private final int size;
  private final List<Socket> waiting = new ArrayList<>();
  private final BlockingQueue<Guest> guests = new LinkedBlockingQueue<>();

  /** A connection and the process at its end, or why there is none. */
  record Guest(Socket socket, int peer, @Nullable IOException problem) {}

  Greetings(int rank, int size) {
    this.rank = rank;
    this.size = size;
  }

  void send(Socket socket, int to) throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    hello.putLong(MAGIC).putInt(size).putInt(rank).putInt(to);
    socket.getOutputStream().write(hello.array());
  }

  /** The number of the other side, which must be of the same group and mean this process. */
  int read(Socket socket, long deadline) throws IOException {
    ByteBuffer hello = ByteBuffer.wrap(bytes(socket, deadline)).order(ByteOrder.LITTLE_ENDIAN);
    if (hello.getLong() != MAGIC) {
      throw new IOException("it does not speak this protocol");
    }
    int theirSize = hello.getInt();
    int theirRank = hello.getInt();
    int meant = hello.getInt();
    if (theirSize != size) {
      throw new IOException("it belongs to a group of " + theirSize + ", not " + size);
    }
    if (meant != rank) {
      throw new IOException("it looks for process " + meant + ", and this is " + rank);
    }
    return theirRank;
  }

  /** A whole greeting until the deadline, also if it comes byte by byte. */
  private static byte[] bytes(Socket socket, long deadline) throws IOException {
    byte[] hello = new byte[HELLO_BYTES];
    InputStream in = socket.getInputStream();
    for (int have = 0; have < HELLO_BYTES; ) {
      socket.setSoTimeout(Math.max(1, left(deadline)));
      int count = in.read(hello, have, HELLO_BYTES - have);
      if (count < 0) {
        throw new EOFException("it ended within its greeting");
      }
      have += count;
      if (have < HELLO_BYTES && left(deadline) <= 0) {
        throw new SocketTimeoutException("its greeting did not come in time");
      }
    }
    return hello;
  }

  static int left(long deadline) {
    long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    return (int) Math.min(Integer.MAX_VALUE, millis);
  }

  /** The next connection that has greeted or failed to; null at the deadline. */
  @Nullable Guest next(ServerSocket server, long deadline) throws IOException {
    while (true) {
      Guest guest = guests.poll();
      if (guest != null) {
        waiting.remove(guest.socket);
        return guest;
      }
      int left = left(deadline);
      if (left <= 0) {
        return null;
      }
      try {
        server.setSoTimeout(waiting.isEmpty() ? left : Math.min(left, POLL_MILLIS));
        hear(server.accept(), deadline);
      } catch (SocketTimeoutException e) {
        // look again whether someone has greeted
      }
    }
  }

  private void hear(Socket socket, long deadline) throws IOException {
    if (waiting.size() >= MOST_WAITING) {
      socket.close();
      return;
    }
    waiting.add(socket);
    long until = Math.min(deadline - System.nanoTime(), HELLO_NANOS) + System.nanoTime();
    Thread thread =
        new Thread(
            () -> {
              Guest guest;
              try {
                guest = new Guest(socket, read(socket, until), null);
              } catch (IOException e) {
                guest = new Guest(socket, -1, e);
              }
              guests.add(guest);
            },
            "greeting of " + socket.getRemoteSocketAddress());
    thread.setDaemon(true);
    thread.start();
  }

  /** Closes the connections that have not been taken. */
  @Override
  public void close() throws IOException {
    for (Socket socket : waiting) {
      socket.close();
    }
  }
}
