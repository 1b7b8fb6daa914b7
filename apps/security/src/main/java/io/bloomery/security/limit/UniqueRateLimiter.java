package io.bloomery.security.limit;

import io.bloomery.frequency.CountMinFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;

/**
 * Limits how many different events each key has in a period: passwords tried per account,
 * recipients per sender, accounts per address. Repeating an event costs nothing, and neither does
 * inventing keys: memory is fixed.
 *
 * <p>A Bloom filter holds the events of the period, each with its key; a count-min filter with
 * conservative update counts them by key. Both are emptied when a period begins. Within a span as
 * long as a period that crosses such a beginning, a key may have up to twice its limit.
 *
 * <p><b>Errors.</b> With probability at most {@link LimitOptions#missRate} a new event looks
 * repeated: it is allowed and not counted. A key is limited too early if all its counters were
 * raised by other keys, with probability at most {@link LimitOptions#earlyRate} while no more
 * events are counted than expected: {@link #earlyRate()} says how likely it is now. Beyond, it
 * grows, so that a flood of events from many keys limits others, too.
 *
 * <p>Thread-safe, by a lock.
 */
public final class UniqueRateLimiter {

  /** What became of an event. */
  public enum Decision {
    /** New, and counted. */
    COUNTED,
    /** Counted before in this period; allowed again. */
    REPEATED,
    /** Refused, since the key is at its limit. Not counted. */
    LIMITED;

    /**
     * Whether the event may happen.
     *
     * @return false only for {@link #LIMITED}
     */
    public boolean isAllowed() {
      return this != LIMITED;
    }
  }

  private static final long ODD = 0x9E3779B97F4A7C15L;
  private static final long MULTIPLIER = 0xBF58476D1CE4E5B9L;

  private final LimitOptions options;
  private final Hasher hasher;
  private final long periodMillis;
  private final BlockedBloomFilter events;
  private final CountMinFilter counts;
  private long periodEnd = Long.MIN_VALUE;
  private long counted;

  private UniqueRateLimiter(LimitOptions options) {
    this.options = options;
    this.hasher = options.hasher();
    this.periodMillis = options.period().toMillis();
    this.events =
        BlockedBloomFilter.create(
            BlockShape.forKeys(options.expectedEvents(), options.missRate()), hasher);
    this.counts = CountMinFilter.create(options.counters(), hasher);
  }

  /**
   * A limiter that has counted nothing.
   *
   * @param options what it allows, and how exactly
   * @return the limiter
   */
  public static UniqueRateLimiter create(LimitOptions options) {
    return new UniqueRateLimiter(options);
  }

  /**
   * Decides whether a key may have an event.
   *
   * @param key who does something, such as an address
   * @param event what it does, such as the name of an account
   * @return what became of it
   */
  public Decision tryAcquire(CharSequence key, CharSequence event) {
    return decide(hasher.hash(key), hasher.hash(event));
  }

  /**
   * Decides whether a key may have an event.
   *
   * @param key who does something, such as an address
   * @param event what it does
   * @return what became of it
   */
  public Decision tryAcquire(byte[] key, byte[] event) {
    return decide(hasher.hash(key), hasher.hash(event));
  }

  private synchronized Decision decide(long key, long event) {
    enterPeriod();
    long both = both(key, event);
    if (events.mightContainHash(both)) {
      return Decision.REPEATED;
    }
    if (counts.countHash(key) >= options.limit()) {
      return Decision.LIMITED;
    }
    events.addHash(both);
    counts.addHash(key);
    counted++;
    return Decision.COUNTED;
  }

  /** One hash of two; both are under the secret, so that nobody can choose equal ones. */
  private static long both(long key, long event) {
    long sum = ODD * key + event;
    long mixed = (sum ^ (sum >>> 32)) * MULTIPLIER;
    return mixed ^ (mixed >>> 29);
  }

  /** A clock that is set back changes nothing until it has caught up. */
  private void enterPeriod() {
    long now = options.clock().millis();
    if (now >= periodEnd) {
      if (counted > 0) {
        events.clear();
        counts.clear();
        counted = 0;
      }
      periodEnd = now - Math.floorMod(now, periodMillis) + periodMillis;
    }
  }

  /**
   * How many different events a key had in this period, as far as they were counted; never fewer
   * than were.
   *
   * @param key the key
   * @return at least the number of its events with {@link Decision#COUNTED}
   */
  public synchronized long count(CharSequence key) {
    enterPeriod();
    return counts.countHash(hasher.hash(key));
  }

  /**
   * How many events of all keys were counted in this period.
   *
   * @return compare it with the expected events
   */
  public synchronized long counted() {
    enterPeriod();
    return counted;
  }

  /**
   * The probability that a new event looks repeated now.
   *
   * @return between 0 and 1
   */
  public synchronized double missRate() {
    enterPeriod();
    return events.falsePositiveRate();
  }

  /**
   * The probability, at most, that a key without events is limited now, whichever keys the counted
   * events came from.
   *
   * @return between 0 and 1
   */
  public synchronized double earlyRate() {
    enterPeriod();
    double full = (double) counted / ((double) options.limit() * counts.shape().width());
    return Math.pow(Math.min(1, full), counts.shape().rows());
  }

  /**
   * The memory.
   *
   * @return bits, which never change
   */
  public long sizeInBits() {
    return events.sizeInBits() + counts.sizeInBits();
  }
}
