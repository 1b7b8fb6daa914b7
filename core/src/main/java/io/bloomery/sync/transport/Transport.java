package io.bloomery.sync.transport;

import java.io.Closeable;
import java.io.IOException;
import java.util.Objects;

/**
 * How one process of a group exchanges messages with the others. The processes are numbered from 0;
 * messages from one to another arrive whole and in order. {@link MemoryTransport} connects threads;
 * {@code SocketTransport} of the module {@code io.bloomery.transfer} connects processes by TCP.
 *
 * <p>Nothing waits forever: a process that has ended, or from which nothing comes within the time
 * limit, is a {@link PeerException}. A process that fails should {@link #close} its transport, so
 * that the others fail at once instead of waiting.
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
   * The next message of a process, for which it waits.
   *
   * @param from the sender, another process
   * @return the bytes
   * @throws PeerException if the sender has ended, sends what is not a message, or nothing for too
   *     long
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
   * Ends the connection to all processes, after what was sent is delivered or the time limit has
   * passed. Closing twice has no effect.
   *
   * @throws IOException if a connection cannot be closed
   */
  @Override
  void close() throws IOException;
}
