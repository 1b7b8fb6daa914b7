package io.bloomery.deletable;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.CountingMath;
import java.util.Objects;

/**
 * The shape of a counting Bloom filter: a standard Bloom filter whose bits are counters.
 *
 * @param counters number of counters m, 2 or more; a multiple of {@code hashesPerKey} if
 *     partitioned
 * @param hashesPerKey hashes per key k, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param scheme how a key's positions are computed
 * @param counterBits width of a counter in bits, 2 … 16; queries are fastest with 2, 4, 8 and 16
 * @param overflow what removals do to saturated counters
 */
public record CountingShape(
    @FieldName("counters") long counters,
    @FieldName("probes") int hashesPerKey,
    @FieldName("scheme") IndexScheme scheme,
    @FieldName("counter bits") int counterBits,
    @FieldName("overflow") Overflow overflow)
    implements Shape {

  /** The narrowest counter. */
  public static final int MIN_COUNTER_BITS = 2;

  /** The widest counter. */
  public static final int MAX_COUNTER_BITS = 16;

  /**
   * The default width, at which about one in 10^16 counters of a properly sized filter overflows.
   */
  public static final int DEFAULT_COUNTER_BITS = 4;

  public CountingShape {
    Arguments.inRange("counters", counters, 2, mostCounters(counterBits));
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Math.min(MAX_HASHES_PER_KEY, counters));
    Objects.requireNonNull(scheme, "scheme");
    Objects.requireNonNull(overflow, "overflow");
    if (scheme == IndexScheme.PARTITIONED) {
      Arguments.multipleOf("counters", counters, "hashesPerKey", hashesPerKey);
    }
  }

  /**
   * The smallest filter of 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountingShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_COUNTER_BITS);
  }

  /**
   * The smallest filter, in units of 64 counters, whose exact rate at {@code expectedKeys} keys is
   * at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param counterBits width of a counter in bits, 2 … 16
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountingShape forKeys(
      long expectedKeys, double falsePositiveRate, int counterBits) {
    long most = mostCounters(counterBits);
    BloomShape cells = BloomShape.forKeys(expectedKeys, falsePositiveRate);
    if (cells.bits() > most) {
      throw Sizing.tooLarge(
          "a counting Bloom filter of " + counterBits + "-bit counters",
          expectedKeys,
          falsePositiveRate);
    }
    return of(cells, counterBits);
  }

  /**
   * The filter of 4-bit counters with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 counters … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, DEFAULT_COUNTER_BITS);
  }

  /**
   * The filter with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 counters … {@link Shape#MAX_BITS}; rounded down to whole units of 64
   *     counters
   * @param counterBits width of a counter in bits, 2 … 16
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingShape forBudget(long expectedKeys, long bits, int counterBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    int perWord = perWord(counterBits);
    long unit = (Long.SIZE + perWord - 1L) / perWord * Long.SIZE;
    long counters = Sizing.requireBudget(bits, unit) / Long.SIZE * perWord;
    return of(BloomShape.forBudget(expectedKeys, counters), counterBits);
  }

  /**
   * A filter of 4-bit counters and given size, as in papers.
   *
   * @param counters m, 2 or more
   * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @return the shape, with {@link IndexScheme#POWERS} and sticky counters
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingShape of(long counters, int hashesPerKey) {
    return new CountingShape(
        counters, hashesPerKey, IndexScheme.POWERS, DEFAULT_COUNTER_BITS, Overflow.STICKY);
  }

  /**
   * A filter with a counter for each bit of a Bloom filter.
   *
   * @param cells number of counters (its {@code bits}), hashes per key and index scheme
   * @param counterBits width of a counter in bits, 2 … 16
   * @return the shape, with sticky counters
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingShape of(BloomShape cells, int counterBits) {
    return new CountingShape(
        cells.bits(), cells.hashesPerKey(), cells.scheme(), counterBits, Overflow.STICKY);
  }

  /**
   * This shape with another overflow policy.
   *
   * @param policy what removals do to saturated counters
   * @return a shape of the same size
   */
  public CountingShape withOverflow(Overflow policy) {
    return new CountingShape(counters, hashesPerKey, scheme, counterBits, policy);
  }

  private static long mostCounters(int counterBits) {
    return MAX_BITS / Long.SIZE * perWord(counterBits);
  }

  private static int perWord(int counterBits) {
    return Long.SIZE
        / Arguments.inRange("counterBits", counterBits, MIN_COUNTER_BITS, MAX_COUNTER_BITS);
  }

  /**
   * The Bloom filter with a bit for each counter, which has the same answers.
   *
   * @return its shape
   */
  public BloomShape cells() {
    return new BloomShape(counters, hashesPerKey, scheme);
  }

  /** {@inheritDoc} Here: whole words of 64 bits, as many counters in each as fit. */
  @Override
  public long sizeInBits() {
    int perWord = perWord(counterBits);
    return (counters + perWord - 1) / perWord * Long.SIZE;
  }

  /** {@inheritDoc} Here: that of the Bloom filter with a bit for each counter. */
  @Override
  public double falsePositiveRate(long keys) {
    return cells().falsePositiveRate(keys);
  }

  /**
   * The expected rate at which a key that was not added is reported as added {@code threshold}
   * times or more.
   *
   * @param insertions additions of other, distinct keys, 0 … {@link Shape#MAX_LOAD}; for keys that
   *     are added repeatedly it is a lower bound only
   * @param threshold 1 … the highest value of a counter, {@link CountingMath#MAX_EXACT_THRESHOLD}
   *     at most
   * @return the rate
   */
  public double thresholdRate(long insertions, int threshold) {
    Sizing.requireLoad(insertions);
    int most = Math.min(maxCount(), CountingMath.MAX_EXACT_THRESHOLD);
    Arguments.inRange("threshold", threshold, 1, most);
    return scheme == IndexScheme.PARTITIONED
        ? Math.pow(
            CountingMath.countAtLeastProbability(counters / hashesPerKey, insertions, 1, threshold),
            hashesPerKey)
        : CountingMath.exactThresholdRate(counters, insertions, hashesPerKey, threshold);
  }

  /**
   * The expected number of counters that receive more increments than they can hold.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the number, also a bound on the probability that there is any
   */
  public double expectedOverflows(long keys) {
    return CountingMath.overflowBound(
        counters, Sizing.requireLoad(keys), hashesPerKey, maxCount() + 1);
  }

  /**
   * The highest value of a counter.
   *
   * @return {@code 2^counterBits - 1}
   */
  public int maxCount() {
    return (1 << counterBits) - 1;
  }

  /**
   * What happens to a counter that has reached its highest value. It never wraps around: an
   * addition leaves it unchanged.
   */
  public enum Overflow {

    /**
     * It never changes again, since its true value is unknown. No key is lost; removed keys may
     * still be reported present.
     */
    STICKY(1),

    /**
     * Removals lower it like any other. It can then reach 0 while keys that need it are still
     * stored: with 4 bits, after 16 additions and 15 removals the remaining key is reported absent.
     */
    DECREMENT(2);

    private final int wireId;

    Overflow(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number that identifies this policy in files.
     *
     * @return a number that never changes
     */
    public int wireId() {
      return wireId;
    }
  }
}
