package io.bloomery.transfer.group;

import io.bloomery.sync.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Connects processes that trust each other by TCP, one connection for each pair. All are given the
 * same list of addresses; process i listens at the i-th, connects to those before it and accepts
 * those after it, regardless of the order in which they start.
 *
 * <p>A connection begins with a greeting (magic bytes, size of the group, numbers of both sides); a
 * connection with another greeting, or none within two seconds, is closed. Up to 64 are heard at a
 * time, so that strangers do not disturb the group, unless they know the greeting: whoever reaches
 * the port first as process i is process i. Messages are neither encrypted nor authenticated: use a
 * trusted network, or a tunnel.
 *
 * <p>A message is its length, its CRC32C and its bytes; one that is longer than the limit or
 * damaged ends the connection. Messages that wait to be received take half of the heap at most, or
 * one message; more stay with their senders.
 *
 * <p>Design: a thread per connection and direction, so that processes that all send before they
 * receive never block each other. All are daemon threads and end with {@link #close}.
 */
public final class SocketTransport implements Transport {

  /** The most processes of a group. */
  public static final int MAX_SIZE = 1024;

  private static final int RETRY_MILLIS = 20;

  private final int rank;
  private final int size;
  private final GroupOptions options;
  private final Greetings greetings;
  private final Room room = new Room(Runtime.getRuntime().maxMemory() / 2);
  private final Connection[] connections;
  private boolean closed;
  private long messages;
  private long bytes;

  private SocketTransport(int rank, int size, GroupOptions options) {
    this.rank = rank;
    this.size = size;
    this.options = options;
    this.greetings = new Greetings(rank, size);
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
        transport.connections[peer] = new Connection(peer, socket, options, transport.room);
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
    while (Greetings.left(deadline) > 0) {
      Socket socket = new Socket();
      try {
        socket.connect(address, Greetings.left(deadline));
        greetings.send(socket, peer);
        int found = greetings.read(socket, deadline);
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
      Greetings.Guest guest = greetings.next(server, deadline);
      if (guest == null) {
        throw new Transport.PeerException(
            firstMissing(), "has not connected within " + options.timeout() + refused);
      }
      Socket socket = guest.socket();
      int peer = guest.peer();
      try {
        if (guest.problem() != null) {
          throw guest.problem();
        }
        if (peer <= rank || peer >= size || connections[peer] != null) {
          throw new IOException("process " + peer + " was not expected");
        }
        greetings.send(socket, peer);
        connections[peer] = new Connection(peer, socket, options, room);
        missing--;
      } catch (IOException e) {
        refused = "; refused " + socket.getRemoteSocketAddress() + ": " + e.getMessage();
        socket.close();
      }
    }
    greetings.close();
  }

  private int firstMissing() {
    int peer = rank + 1;
    while (connections[peer] != null) {
      peer++;
    }
    return peer;
  }

  static void inRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s = %d is outside the allowed range %d … %d".formatted(name, value, min, max));
    }
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
    greetings.close();
    for (Connection connection : connections) {
      if (connection != null) {
        connection.close(System.nanoTime());
      }
    }
  }
}
