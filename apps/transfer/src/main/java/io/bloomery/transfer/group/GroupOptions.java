package io.bloomery.transfer.group;

import java.time.Duration;

/**
 * The limits of a {@link SocketTransport}.
 *
 * @param timeout the longest time to wait for the group, and later for a message: 1 ms to a day
 * @param maxMessageBytes the longest message that is sent or accepted
 */
public record GroupOptions(Duration timeout, int maxMessageBytes) {

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST_BYTES = Integer.MAX_VALUE - 16;

  /** 30 seconds, and 64 MiB. */
  public static final GroupOptions DEFAULT = new GroupOptions(Duration.ofSeconds(30), 64 << 20);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if one is outside its range
   */
  public GroupOptions {
    if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeout = " + timeout + " is outside the allowed range " + SHORTEST + " … " + LONGEST);
    }
    SocketTransport.inRange("maxMessageBytes", maxMessageBytes, 1, MOST_BYTES);
  }

  /**
   * The same with another time limit.
   *
   * @param time the longest time to wait
   * @return other limits
   */
  public GroupOptions withTimeout(Duration time) {
    return new GroupOptions(time, maxMessageBytes);
  }

  /**
   * The same with another limit of messages.
   *
   * @param bytes the longest message that is sent or accepted
   * @return other limits
   */
  public GroupOptions withMaxMessageBytes(int bytes) {
    return new GroupOptions(timeout, bytes);
  }
}
