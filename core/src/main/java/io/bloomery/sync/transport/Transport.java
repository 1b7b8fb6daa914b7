package io.bloomery.sync.transport;

import io.bloomery.internal.check.Arguments;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * How one process of a group exchanges messages with the others. The processes are numbered from 0;
 * messages from one to another arrive whole and in order. {@link InMemory} connects threads; {@code
 * SocketTransport} of the module {@code io.bloomery.transfer} connects processes by TCP.
 *
 * <p>No call waits forever: a process that has ended, or that sends nothing within the time limit,
 * causes a {@link PeerException}. A process that fails should {@link #close} its transport, so that
 * the others fail at once instead of waiting.
 *
 * <p>Threads: one at a time.
 */
public interface Transport extends Closeable {

  /**
   * The number of this process.
   *
   * @return 0 … {@link #size()} − 1
   */
  int rank();

  /**
   * How many processes the group has.
   *
   * @return 1 or more
   */
  int size();

  /**
   * Sends a message without waiting for its receiver.
   *
   * @param to the receiver, another process
   * @param message the bytes
   * @throws PeerException if the receiver has ended, or takes no messages for too long
   * @throws IOException if this transport is closed
   */
  void send(int to, byte[] message) throws IOException;

  /**
   * Waits for the next message of a process.
   *
   * @param from the sender, another process
   * @return the bytes
   * @throws PeerException if the sender has ended, sends an invalid message, or sends nothing for
   *     too long
   * @throws IOException if this transport is closed
   */
  byte[] receive(int from) throws IOException;

  /**
   * How many messages this process has sent.
   *
   * @return a number of messages
   */
  long messagesSent();

  /**
   * How many bytes these messages have, without framing.
   *
   * @return a number of bytes
   */
  long bytesSent();

  /**
   * Sends a message to every other process and receives one from each; every process of the group
   * must call it.
   *
   * @param messages a message per process; the one for this process is returned as it is
   * @return the messages received, by sender
   * @throws PeerException if a process fails
   * @throws IOException if this transport is closed
   */
  default byte[][] exchange(byte[][] messages) throws IOException {
    Objects.requireNonNull(messages, "messages");
    if (messages.length != size()) {
      throw new IllegalArgumentException(
          messages.length + " messages for " + size() + " processes");
    }
    // Each begins with its successor, so that not all write to the same process first.
    for (int i = 1; i < size(); i++) {
      int to = (rank() + i) % size();
      send(to, messages[to]);
    }
    byte[][] received = new byte[size()][];
    received[rank()] = messages[rank()];
    for (int i = 1; i < size(); i++) {
      int from = (rank() + size() - i) % size();
      received[from] = receive(from);
    }
    return received;
  }

  /**
   * Closes the connection to all processes, after sent messages are delivered or the time limit has
   * passed. Closing twice has no effect.
   *
   * @throws IOException if a connection cannot be closed
   */
  @Override
  void close() throws IOException;

  /**
   * A process of a group cannot be reached, has ended, stayed silent for too long, or sent
   * something that is not part of the protocol. The message names the process. The result of the
   * collective operation is undefined; close the {@link Transport}.
   */
  public static final class PeerException extends IOException {

    private static final long serialVersionUID = 1L;

    /** The number of the process. */
    private final int rank;

    /** What it did. */
    private final String problem;

    /**
     * Creates the exception.
     *
     * @param rank the number of the process
     * @param problem what it did
     */
    public PeerException(int rank, String problem) {
      this(rank, problem, null);
    }

    /**
     * Creates the exception.
     *
     * @param rank the number of the process
     * @param problem what it did
     * @param cause the error of the connection or of the message, or null
     */
    public PeerException(int rank, String problem, @Nullable Throwable cause) {
      super("process " + rank + " " + problem, cause);
      this.rank = rank;
      this.problem = problem;
    }

    /**
     * Which process failed.
     *
     * @return its number in the group
     */
    public int rank() {
      return rank;
    }

    /**
     * What the process did.
     *
     * @return the message without the process
     */
    public String problem() {
      return problem;
    }
  }

  /** Connects the threads of one process, with a queue for each pair; messages are copied. */
  public static final class InMemory implements Transport {

    /** The most members of a group. */
    public static final int MAX_SIZE = 4096;

    /** Marks the end of a queue; compared by identity. */
    private static final byte[] END = new byte[0];

    private final int rank;
    private final Group group;
    private long messages;
    private long bytes;

    /** What all members share: queue {@code from · size + to}, and who has closed. */
    private record Group(
        int size, Duration timeout, List<BlockingQueue<byte[]>> queues, AtomicIntegerArray closed) {

      BlockingQueue<byte[]> queue(int from, int to) {
        return queues.get(from * size + to);
      }
    }

    private InMemory(int rank, Group group) {
      this.rank = rank;
      this.group = group;
    }

    /**
     * A group of threads.
     *
     * @param size how many, 1 … {@value #MAX_SIZE}
     * @param timeout the longest time to wait for a message
     * @return the transport of each thread, by its number
     */
    public static List<InMemory> group(int size, Duration timeout) {
      Arguments.inRange("size", size, 1, MAX_SIZE);
      Arguments.inRange("timeout", timeout, Duration.ofMillis(1), Duration.ofDays(1));
      List<BlockingQueue<byte[]>> queues = new ArrayList<>();
      for (int i = 0; i < size * size; i++) {
        queues.add(new LinkedBlockingQueue<>());
      }
      Group group = new Group(size, timeout, queues, new AtomicIntegerArray(size));
      List<InMemory> members = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        members.add(new InMemory(rank, group));
      }
      return List.copyOf(members);
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return group.size;
    }

    private void check(String name, int peer) throws IOException {
      Arguments.inRange(name, peer, 0, group.size - 1);
      if (peer == rank) {
        throw new IllegalArgumentException(name + " = " + peer + " is this process itself");
      }
      if (group.closed.get(rank) != 0) {
        throw new IOException("the transport of process " + rank + " is closed");
      }
    }

    @Override
    public void send(int to, byte[] message) throws IOException {
      Objects.requireNonNull(message, "message");
      check("to", to);
      if (group.closed.get(to) != 0) {
        throw new Transport.PeerException(to, "has ended");
      }
      group.queue(rank, to).add(message.clone());
      messages++;
      bytes += message.length;
    }

    @Override
    public byte[] receive(int from) throws IOException {
      check("from", from);
      BlockingQueue<byte[]> queue = group.queue(from, rank);
      byte[] message;
      try {
        message = queue.poll(group.timeout.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Transport.PeerException(
            from, "sent nothing before this thread was interrupted", e);
      }
      if (message == null) {
        throw new Transport.PeerException(from, "sent nothing within " + group.timeout);
      }
      if (message == END) {
        queue.add(END);
        throw new Transport.PeerException(from, "has ended");
      }
      return message;
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
    public void close() {
      if (group.closed.compareAndSet(rank, 0, 1)) {
        for (int to = 0; to < group.size; to++) {
          group.queue(rank, to).add(END);
        }
      }
    }
  }
}
