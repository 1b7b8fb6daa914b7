package io.bloomery.transfer.group;

import io.bloomery.sync.transport.Transport;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Connects processes by TCP, one connection for each pair. All are given the same list of
 * addresses; process i listens at the i-th, connects to those before it and accepts those after it,
 * regardless of the order in which they start.
 *
 * <p>A connection begins with a greeting (magic bytes, size of the group, numbers of both sides); a
 * connection with another greeting is closed and does not disturb the group. A message is its
 * length, its CRC32C and its bytes; one that is longer than the limit or damaged ends the
 * connection. Messages are neither encrypted nor authenticated: use a trusted network, or a tunnel.
 *
 * <p>Design: a thread per connection and direction, so that processes that all send before they
 * receive never block each other. All are daemon threads and end with {@link #close}.
 */
public final class SocketTransport implements Transport {

  /** The most processes of a group. */
  public static final int MAX_SIZE = 1024;

  private static final long MAGIC = 0x3153_5245_4550_4C42L; // "BLPEERS1"
  private static final int HELLO_BYTES = Long.BYTES + 3 * Integer.BYTES;
  private static final int HELLO_MILLIS = 2_000; // how long one connection may hold up the others
  private static final int RETRY_MILLIS = 20;

  private final int rank;
  private final int size;
  private final GroupOptions options;
  private final Connection[] connections;
  private boolean closed;
  private long messages;
  private long bytes;

  private SocketTransport(int rank, int size, GroupOptions options) {
    this.rank = rank;
    this.size = size;
    this.options = options;
    this.connections = new Connection[size];
  }

  /**
   * Joins a group with the default limits, listening at this process's own address.
   *
   * @param rank the number of this process
   * @param addresses the address of every process, by its number
   * @return the transport, connected to all processes
   * @throws Transport.PeerException if a process is not there in time
   * @throws IOException if the own address cannot be bound
   */
  public static SocketTransport connect(int rank, List<InetSocketAddress> addresses)
      throws IOException {
    inRange("rank", rank, 0, addresses.size() - 1);
    try (ServerSocket server = new ServerSocket()) {
      server.setReuseAddress(true);
      server.bind(addresses.get(rank), addresses.size());
      return connect(rank, addresses, server, GroupOptions.DEFAULT);
    }
  }

  /**
   * Joins a group through a server socket that is bound already, for instance to a port that the
   * system has chosen.
   *
   * @param rank the number of this process
   * @param addresses the address of every process, by its number
   * @param server accepts the processes after this one; it stays open
   * @param options limits of time and size
   * @return the transport, connected to all processes
   * @throws Transport.PeerException if a process is not there in time
   * @throws IOException if a connection cannot be used
   */
  public static SocketTransport connect(
      int rank, List<InetSocketAddress> addresses, ServerSocket server, GroupOptions options)
      throws IOException {
    int size = addresses.size();
    inRange("size", size, 1, MAX_SIZE);
    inRange("rank", rank, 0, size - 1);
    Objects.requireNonNull(server, "server");
    SocketTransport transport = new SocketTransport(rank, size, options);
    long deadline = System.nanoTime() + options.timeout().toNanos();
    try {
      for (int peer = 0; peer < rank; peer++) {
        Socket socket = transport.dial(peer, addresses.get(peer), deadline);
        transport.connections[peer] = new Connection(peer, socket, options);
      }
      transport.accept(server, deadline);
    } catch (IOException | RuntimeException e) {
      transport.abort();
      throw e;
    }
    return transport;
  }

  /** Connects to a process that may not listen yet. */
  private Socket dial(int peer, InetSocketAddress address, long deadline) throws IOException {
    IOException last = null;
    while (left(deadline) > 0) {
      Socket socket = new Socket();
      try {
        socket.connect(address, left(deadline));
        sendHello(socket, peer);
        socket.setSoTimeout(Math.max(1, left(deadline)));
        int found = readHello(socket);
        if (found != peer) {
          throw new Transport.PeerException(
              peer, "is not at " + address + ", but process " + found);
        }
        return socket;
      } catch (Transport.PeerException e) {
        socket.close();
        throw e;
      } catch (IOException e) {
        socket.close();
        last = e;
        pause(peer);
      }
    }
    String why = last == null ? "" : ": " + last.getMessage();
    throw new Transport.PeerException(
        peer, "cannot be reached at " + address + " within " + options.timeout() + why, last);
  }

  /** Accepts the processes after this one and rejects all other connections. */
  private void accept(ServerSocket server, long deadline) throws IOException {
    String refused = "";
    int missing = size - 1 - rank;
    while (missing > 0) {
      Socket socket;
      try {
        server.setSoTimeout(Math.max(1, left(deadline)));
        socket = server.accept();
      } catch (SocketTimeoutException e) {
        throw new Transport.PeerException(
            firstMissing(), "has not connected within " + options.timeout() + refused, e);
      }
      try {
        socket.setSoTimeout(Math.max(1, Math.min(HELLO_MILLIS, left(deadline))));
        int peer = readHello(socket);
        if (peer <= rank || peer >= size || connections[peer] != null) {
          throw new IOException("process " + peer + " was not expected");
        }
        sendHello(socket, peer);
        connections[peer] = new Connection(peer, socket, options);
        missing--;
      } catch (IOException e) {
        refused = "; refused " + socket.getRemoteSocketAddress() + ": " + e.getMessage();
        socket.close();
      }
      if (missing > 0 && left(deadline) <= 0) {
        throw new Transport.PeerException(
            firstMissing(), "has not connected within " + options.timeout() + refused);
      }
    }
  }

  private int firstMissing() {
    int peer = rank + 1;
    while (connections[peer] != null) {
      peer++;
    }
    return peer;
  }

  private void sendHello(Socket socket, int to) throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    hello.putLong(MAGIC).putInt(size).putInt(rank).putInt(to);
    socket.getOutputStream().write(hello.array());
  }

  /** The number of the other side, which must be of the same group and mean this process. */
  private int readHello(Socket socket) throws IOException {
    byte[] read = new byte[HELLO_BYTES];
    new DataInputStream(socket.getInputStream()).readFully(read);
    ByteBuffer hello = ByteBuffer.wrap(read).order(ByteOrder.LITTLE_ENDIAN);
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

  static void inRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s = %d is outside the allowed range %d … %d".formatted(name, value, min, max));
    }
  }

  private static int left(long deadline) {
    long millis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    return (int) Math.min(Integer.MAX_VALUE, millis);
  }

  private static void pause(int peer) throws Transport.PeerException {
    try {
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Transport.PeerException(
          peer, "was not reached before this thread was interrupted", e);
    }
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  private Connection connection(String name, int peer) throws IOException {
    inRange(name, peer, 0, size - 1);
    if (peer == rank) {
      throw new IllegalArgumentException(name + " = " + peer + " is this process itself");
    }
    if (closed) {
      throw new SocketException("the transport of process " + rank + " is closed");
    }
    return connections[peer];
  }

  @Override
  public void send(int to, byte[] message) throws IOException {
    Objects.requireNonNull(message, "message");
    connection("to", to).send(message);
    messages++;
    bytes += message.length;
  }

  @Override
  public byte[] receive(int from) throws IOException {
    return connection("from", from).receive();
  }

  @Override
  public long messagesSent() {
    return messages;
  }

  @Override
  public long bytesSent() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    List<Connection> open = new ArrayList<>();
    for (Connection connection : connections) {
      if (connection != null) {
        connection.finish();
        open.add(connection);
      }
    }
    long deadline = System.nanoTime() + options.timeout().toNanos();
    for (Connection connection : open) {
      connection.close(deadline);
    }
  }

  private void abort() throws IOException {
    closed = true;
    for (Connection connection : connections) {
      if (connection != null) {
        connection.close(System.nanoTime());
      }
    }
  }
}
