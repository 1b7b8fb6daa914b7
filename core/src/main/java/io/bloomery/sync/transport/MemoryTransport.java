package io.bloomery.sync.transport;

import io.bloomery.internal.check.Arguments;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Connects the threads of one process, with a queue for each pair; messages are copied. */
public final class MemoryTransport implements Transport {

  /** The most members of a group. */
  public static final int MAX_SIZE = 4096;

  /** Ends a queue: nothing follows. Known by its identity. */
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

  private MemoryTransport(int rank, Group group) {
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
  public static List<MemoryTransport> group(int size, Duration timeout) {
    Arguments.inRange("size", size, 1, MAX_SIZE);
    Arguments.inRange("timeout", timeout, Duration.ofMillis(1), Duration.ofDays(1));
    List<BlockingQueue<byte[]>> queues = new ArrayList<>();
    for (int i = 0; i < size * size; i++) {
      queues.add(new LinkedBlockingQueue<>());
    }
    Group group = new Group(size, timeout, queues, new AtomicIntegerArray(size));
    List<MemoryTransport> members = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      members.add(new MemoryTransport(rank, group));
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
      throw new PeerException(to, "has ended");
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
      throw new PeerException(from, "sent nothing before this thread was interrupted", e);
    }
    if (message == null) {
      throw new PeerException(from, "sent nothing within " + group.timeout);
    }
    if (message == END) {
      queue.add(END);
      throw new PeerException(from, "has ended");
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
