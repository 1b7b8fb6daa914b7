package io.bloomery.security.limit;

import io.bloomery.frequency.CountMinShape;
import io.bloomery.hash.Hasher;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * What a {@link UniqueRateLimiter} allows, and how exactly.
 *
 * @param limit how many different events a key may have in a period
 * @param period the length of a period; periods begin at multiples of it since 1970
 * @param expectedEvents how many different events of all keys are counted in a period
 * @param missRate the probability that a new event is taken for a repeated one, and so allowed
 *     without being counted
 * @param earlyRate the probability, at most, that a key without events is limited
 * @param hasher a keyed hash: who knows the key can make events that look repeated, or keys that
 *     share counters with others
 * @param clock the time
 */
public record LimitOptions(
    int limit,
    Duration period,
    long expectedEvents,
    double missRate,
    double earlyRate,
    Hasher hasher,
    InstantSource clock) {

  private static final Duration LONGEST = Duration.ofDays(3660);
  private static final int ROWS = 4;
  private static final int LARGEST_BYTE = 255;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the limit is below 1, the period shorter than a millisecond
   *     or longer than ten years, fewer than one event is expected, a rate is not between 0 and 1,
   *     or the hash is not keyed
   */
  public LimitOptions {
    Objects.requireNonNull(clock, "clock");
    if (limit < 1) {
      throw new IllegalArgumentException("limit = " + limit + " is below 1");
    }
    if (period.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("period = " + period + " is shorter than 1 ms");
    }
    if (period.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("period = " + period + " is longer than " + LONGEST);
    }
    if (expectedEvents < 1) {
      throw new IllegalArgumentException("expectedEvents = " + expectedEvents + " is below 1");
    }
    requireRate("missRate", missRate);
    requireRate("earlyRate", earlyRate);
    if (!hasher.isKeyed()) {
      throw new IllegalArgumentException("hasher has no key, and events come from strangers");
    }
  }

  private static void requireRate(String name, double rate) {
    if (!(rate > 0 && rate < 1)) {
      throw new IllegalArgumentException(name + " = " + rate + " is not between 0 and 1");
    }
  }

  /**
   * With a random key, by the system's clock; one of 1,000 new events is missed, and one of 10,000
   * keys limited early.
   *
   * @param limit how many different events a key may have in a period
   * @param period the length of a period
   * @param expectedEvents how many different events of all keys are counted in a period
   * @return options
   */
  public static LimitOptions of(int limit, Duration period, long expectedEvents) {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new LimitOptions(
        limit, period, expectedEvents, 1e-3, 1e-4, Hasher.keyed(key), Clock.systemUTC());
  }

  /**
   * The same with other rates.
   *
   * @param miss the probability that a new event is allowed without being counted
   * @param early the probability that a new key is limited
   * @return changed options
   */
  public LimitOptions withRates(double miss, double early) {
    return new LimitOptions(limit, period, expectedEvents, miss, early, hasher, clock);
  }

  /**
   * The same with another clock.
   *
   * @param source the time
   * @return changed options
   */
  public LimitOptions withClock(InstantSource source) {
    return new LimitOptions(limit, period, expectedEvents, missRate, earlyRate, hasher, source);
  }

  /**
   * The counters. A key without events is limited if its counters of all rows are at the limit.
   * Those of a row add up to the counted events at most, so that no more than events/limit of them
   * are, whichever keys the events came from. The width makes the share of such counters the fourth
   * root of the early rate.
   */
  CountMinShape counters() {
    double width = expectedEvents / (limit * Math.pow(earlyRate, 1.0 / ROWS));
    int bits = limit <= LARGEST_BYTE ? Byte.SIZE : Integer.SIZE;
    return new CountMinShape(ROWS, Math.max(1, (long) Math.ceil(width)), bits, true);
  }
}
