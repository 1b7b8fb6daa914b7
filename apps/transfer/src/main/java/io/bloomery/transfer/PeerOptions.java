package io.bloomery.transfer;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How a {@link Peer} is reached.
 *
 * @param timeout the longest time to wait for an outgoing connection, for each answer (and a second
 *     more for every 4 KiB of it), and for the peer to read what it is sent; of peers that are not
 *     sockets only the connection's end is noticed
 * @param listening receives the address, with its port, at which this side listens
 */
public record PeerOptions(Duration timeout, Consumer<? super String> listening) {

  /** Ten minutes; the listening address is not reported. */
  public static final PeerOptions DEFAULT = new PeerOptions(Duration.ofMinutes(10), at -> {});

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the time is shorter than a millisecond
   */
  public PeerOptions {
    Objects.requireNonNull(listening, "listening");
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("timeout = " + timeout + " is shorter than 1 ms");
    }
  }

  /**
   * The same with another time limit.
   *
   * @param time the longest time to wait
   * @return other options
   */
  public PeerOptions withTimeout(Duration time) {
    return new PeerOptions(time, listening);
  }

  /**
   * The same, reporting the address at which this side listens.
   *
   * @param told receives {@code host:port}
   * @return other options
   */
  public PeerOptions withListening(Consumer<? super String> told) {
    return new PeerOptions(timeout, told);
  }

  /** The time limit as sockets take it. */
  int millis() {
    return (int) Math.min(Integer.MAX_VALUE, timeout.toMillis());
  }
}
