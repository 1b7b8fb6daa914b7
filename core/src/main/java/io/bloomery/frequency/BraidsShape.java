package io.bloomery.frequency;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of counter braids: narrow counters that keys share, and wide ones that count the
 * overflows of the narrow ones.
 *
 * @param counters m1, narrow counters, a multiple of {@code hashesPerKey} with 2 or more for each
 * @param counterBits d1, bits of a narrow counter besides the one that says whether it ever
 *     overflowed, 1 … 31
 * @param hashesPerKey narrow counters of a key, one in each of {@code hashesPerKey} equal slices, 2
 *     … 8
 * @param wideCounters m2, counters of overflows, a multiple of 3, 6 or more
 * @param wideBits d2, bits of a counter of overflows, 8 … 62 - d1
 */
public record BraidsShape(
    @FieldName("counters") long counters,
    @FieldName("counter bits") int counterBits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("wide counters") long wideCounters,
    @FieldName("wide bits") int wideBits)
    implements Shape {

  /** Wide counters per narrow counter. */
  public static final int WIDE_PROBES = 3;

  /** The default number of narrow counters of a key. */
  public static final int DEFAULT_PROBES = 3;

  private static final double COUNTERS_PER_KEY = 1.4;
  private static final double WIDE_PER_KEY = 0.2;
  private static final int COUNTER_BITS = 8;
  private static final int WIDE_BITS = 32;

  /** The most narrow counters of 8 bits that one array holds. */
  private static final long MOST_COUNTERS = MAX_BITS / 64 * (64 / (COUNTER_BITS + 1));

  /** The fewest counters per slice, so that a few keys can still be distinguished. */
  private static final int LEAST_SLICE = 32;

  public BraidsShape {
    Arguments.inRange("hashesPerKey", hashesPerKey, 2, 8);
    Arguments.inRange("counterBits", counterBits, 1, 31);
    Arguments.inRange("wideBits", wideBits, 8, 62 - counterBits);
    Arguments.inRange(
        "counters", counters, 2L * hashesPerKey, MAX_BITS / 64 * (64 / (counterBits + 1)));
    Arguments.inRange("wideCounters", wideCounters, 6, MAX_BITS / 64 * (64 / wideBits));
    Arguments.multipleOf("counters", counters, "hashesPerKey", hashesPerKey);
    Arguments.multipleOf("wideCounters", wideCounters, WIDE_PROBES);
  }

  /**
   * Enough for counts to be decoded exactly: per key 1.4 narrow counters of 8 bits and 0.2 wide
   * ones of 32 bits, and for few keys 32 counters in each slice.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @return the shape
   * @throws IllegalArgumentException if the argument is outside its range or there would be too
   *     many counters
   */
  public static BraidsShape forKeys(long expectedKeys) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    return of(slice(COUNTERS_PER_KEY * expectedKeys, DEFAULT_PROBES), expectedKeys);
  }

  private static BraidsShape of(long slice, long keys) {
    Sizing.requireAtMost("counters", slice * DEFAULT_PROBES, 2L * DEFAULT_PROBES, MOST_COUNTERS);
    return new BraidsShape(
        slice * DEFAULT_PROBES,
        COUNTER_BITS,
        DEFAULT_PROBES,
        WIDE_PROBES * slice(WIDE_PER_KEY * keys, WIDE_PROBES),
        WIDE_BITS);
  }

  private static long slice(double counters, int slices) {
    return Math.max(LEAST_SLICE, (long) Math.ceil(counters / slices));
  }

  /**
   * The same, with enough narrow counters that single queries also keep a false-positive rate.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or there would be too many
   *     counters
   */
  public static BraidsShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    int k = DEFAULT_PROBES;
    double logZero = Math.log1p(-Math.pow(falsePositiveRate, 1.0 / k));
    long guess = (long) Math.ceil(-1 / Math.expm1(logZero / expectedKeys));
    long slice =
        SizeSearch.smallest(
            s -> BloomMath.partitionedRate(s * k, expectedKeys, k),
            falsePositiveRate,
            guess,
            MOST_COUNTERS / k);
    if (slice < 0) {
      throw Sizing.tooLarge("counter braids", expectedKeys, falsePositiveRate);
    }
    return of(Math.max(slice, slice(COUNTERS_PER_KEY * expectedKeys, k)), expectedKeys);
  }

  /**
   * The counters with the lowest false-positive rate that fit a given memory, from which counts can
   * still be decoded exactly.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, from the size of {@link #forKeys(long)} to {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or there would be too many
   *     counters
   */
  public static BraidsShape forBudget(long expectedKeys, long bits) {
    BraidsShape least = forKeys(expectedKeys);
    Sizing.requireBudget(bits, least.sizeInBits());
    long narrowBits = bits - least.wideCounters * WIDE_BITS;
    long counters = Math.min(MOST_COUNTERS, narrowBits / (COUNTER_BITS + 1));
    return of(counters / DEFAULT_PROBES, expectedKeys);
  }

  @Override
  public long sizeInBits() {
    return counters * (counterBits + 1) + wideCounters * wideBits;
  }

  /**
   * {@inheritDoc} Here: the probability that all narrow counters of a key that was never added are
   * in use.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return BloomMath.partitionedRate(counters, Sizing.requireLoad(keys), hashesPerKey);
  }
}
