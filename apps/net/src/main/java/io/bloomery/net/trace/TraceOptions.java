package io.bloomery.net.trace;

import java.time.Duration;

/**
 * How far a {@link Traceback} goes.
 *
 * @param within the longest time between the passing of two routers, clocks included; pages of
 *     other times are not asked
 * @param mostRouters the most routers of a graph; it ends there
 */
public record TraceOptions(Duration within, int mostRouters) {

  /** A minute, and 10,000 routers. */
  public static final TraceOptions DEFAULT = new TraceOptions(Duration.ofMinutes(1), 10_000);

  private static final long MOST_DAYS = 36_500;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the time is negative or longer than a century, or no router
   *     may be visited
   */
  public TraceOptions {
    if (within.isNegative() || within.toDays() > MOST_DAYS) {
      throw new IllegalArgumentException("within = " + within + " is not a time up to a century");
    }
    if (mostRouters < 1) {
      throw new IllegalArgumentException("mostRouters = " + mostRouters + " is below 1");
    }
  }
}
