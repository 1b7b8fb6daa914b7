package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.CountCover;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.CountingMath;

/**
 * The shape of a counting filter whose keys add L … 2L - 1 instead of 1 to their counters, so that
 * a counter's value often rules a key out. Source: Rottenstreich, Kanizo and Keslassy, "The
 * Variable-Increment Counting Bloom Filter".
 *
 * <p>A counter with the increment of one key passes another key with probability 1/L, one with two
 * increments with 1 − (L² − 1)/(6L²), and one with three or more always. Deviation: the rate mixes
 * these over the actual distribution of keys on a fresh key's counters, which are dependent,
 * instead of taking the k-th power; for keys two of whose counters coincide it is an upper bound.
 *
 * @param counters number of counters m, at least 2; the size is at most {@link Shape#MAX_BITS}
 * @param counterBits width of a counter in bits, 4 … 16
 * @param hashesPerKey hashes per key k, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param base L, the smallest increment: a power of two from 2 on, a quarter of {@code
 *     2^counterBits} at most
 */
public record VariableIncrementShape(
    @FieldName("counters") long counters,
    @FieldName("counter bits") int counterBits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("base") int base)
    implements Shape {

  /** The default width of a counter. */
  public static final int DEFAULT_COUNTER_BITS = 6;

  /** The default smallest increment. */
  public static final int DEFAULT_BASE = 4;

  private static final int MIN_COUNTER_BITS = 4;
  private static final int MAX_COUNTER_BITS = 16;

  public VariableIncrementShape {
    requireKind(counterBits, base);
    Arguments.inRange("counters", counters, 2, MAX_BITS / Long.SIZE * (Long.SIZE / counterBits));
    Arguments.inRange(
        "hashesPerKey",
        hashesPerKey,
        1,
        Math.min(MAX_HASHES_PER_KEY, (int) Math.min(counters, 255)));
  }

  private static void requireKind(int counterBits, int base) {
    Arguments.inRange("counterBits", counterBits, MIN_COUNTER_BITS, MAX_COUNTER_BITS);
    Arguments.powerOfTwo("base", base, 2, 1 << (counterBits - 2));
  }

  /**
   * The smallest filter of 6-bit counters and L = 4 for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static VariableIncrementShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_COUNTER_BITS, DEFAULT_BASE);
  }

  /**
   * The smallest filter, in whole 64-bit words, whose rate at {@code expectedKeys} keys is at most
   * {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param counterBits width of a counter in bits, 4 … 16
   * @param base the smallest increment L
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static VariableIncrementShape forKeys(
      long expectedKeys, double falsePositiveRate, int counterBits, int base) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    requireKind(counterBits, base);
    int perWord = Long.SIZE / counterBits;
    long guess =
        (long) (expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) * 0.5 / perWord) + 1;
    int start = (int) Math.max(1, Math.round(0.6 * BloomMath.informationBound(falsePositiveRate)));
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rate(words * perWord, k, base, expectedKeys),
            falsePositiveRate,
            guess,
            MAX_BITS / Long.SIZE,
            new Sizing.Probes(start, 1, Sizing.mostProbes(falsePositiveRate, 1), 2));
    if (choice == null) {
      throw Sizing.tooLarge(
          "a variable-increment counting filter", expectedKeys, falsePositiveRate);
    }
    return new VariableIncrementShape(
        choice.size() * perWord, counterBits, choice.hashesPerKey(), base);
  }

  /**
   * The filter of 6-bit counters and L = 4 with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static VariableIncrementShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, DEFAULT_COUNTER_BITS, DEFAULT_BASE);
  }

  /**
   * The filter with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param counterBits width of a counter in bits, 4 … 16
   * @param base the smallest increment L
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static VariableIncrementShape forBudget(
      long expectedKeys, long bits, int counterBits, int base) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    requireKind(counterBits, base);
    long counters = Sizing.requireBudget(bits, Long.SIZE) / Long.SIZE * (Long.SIZE / counterBits);
    int start = (int) Math.max(1, Math.min(MAX_HASHES_PER_KEY, 1.2 * counters / expectedKeys));
    int most = (int) Math.min(MAX_HASHES_PER_KEY, counters);
    int k = new Sizing.Probes(start, 1, most, 2).best(p -> rate(counters, p, base, expectedKeys));
    return new VariableIncrementShape(counters, counterBits, k, base);
  }

  private static double rate(long counters, int hashesPerKey, int base, long keys) {
    return CountCover.allPass(
        counters,
        keys * hashesPerKey,
        hashesPerKey,
        0,
        1.0 / base,
        CountingMath.twoIncrementsPass(base));
  }

  /**
   * The highest value of a counter; a counter at this value is saturated.
   *
   * @return {@code 2^counterBits - 1}
   */
  public int maxValue() {
    return (1 << counterBits) - 1;
  }

  @Override
  public long sizeInBits() {
    int perWord = Long.SIZE / counterBits;
    return (counters + perWord - 1) / perWord * Long.SIZE;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return rate(counters, hashesPerKey, base, Sizing.requireLoad(keys));
  }
}
