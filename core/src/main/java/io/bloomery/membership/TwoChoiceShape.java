package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.TwoChoiceFill;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a Bloom filter in which a key takes the one of two groups of k bits, or of d groups,
 * that sets fewest new bits, and is found if any group is fully set: rate 1 − (1 − fill^k)^d.
 * Source: Lumetta and Mitzenmacher, "Using the Power of Two Choices to Improve Bloom Filters".
 *
 * <p>The fill follows from the exact chain for small filters and from its expansion in 1/bits for
 * large ones; the expansion's error is below 0.6 % of the rate where it is used. It is smaller than
 * a {@link BloomShape} only below a rate of about 0.6 %, at twice the memory accesses.
 *
 * @param bits size in bits, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey bits of one group, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
 *     bits}
 * @param choices groups of a key d, 2 … {@link #MAX_CHOICES}; in files only if above 2
 */
public record TwoChoiceShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("choices") int choices)
    implements Shape {

  /** The most groups of a key. */
  public static final int MAX_CHOICES = 8;

  /** The number of groups unless another is given. */
  static final int TWO = 2;

  public TwoChoiceShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("choices", choices, TWO, MAX_CHOICES);
  }

  /**
   * A filter of two groups.
   *
   * @param bits size in bits, 2 … {@link Shape#MAX_BITS}
   * @param hashesPerKey bits of one group, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
   *     bits}
   */
  public TwoChoiceShape(long bits, int hashesPerKey) {
    this(bits, hashesPerKey, TWO);
  }

  /**
   * The smallest filter of two groups, in whole 64-bit words, whose rate at {@code expectedKeys}
   * keys is at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static TwoChoiceShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, TWO);
  }

  /**
   * The smallest filter of a given number of groups.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param choices groups of a key, 2 … {@link #MAX_CHOICES}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static TwoChoiceShape forKeys(long expectedKeys, double falsePositiveRate, int choices) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("choices", choices, TWO, MAX_CHOICES);
    double ideal = more(choices) * BloomMath.informationBound(falsePositiveRate);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, Math.ceil(ideal) + 3);
    long guess = (long) (expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) / 64) + 1;
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> TwoChoiceFill.rate(words * 64, expectedKeys, k, choices),
            falsePositiveRate,
            guess,
            MAX_BITS / 64,
            new Sizing.Probes((int) Math.round(ideal), 1, most, 2));
    if (choice == null) {
      throw Sizing.tooLarge("a two-choice Bloom filter", expectedKeys, falsePositiveRate);
    }
    return new TwoChoiceShape(choice.size() * 64, choice.hashesPerKey(), choices);
  }

  /**
   * The factor by which the best number of hashes per key exceeds that of a standard Bloom filter.
   */
  private static double more(int choices) {
    return 1.2 + 0.05 * (choices - TWO);
  }

  /**
   * The best filter of two groups for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static TwoChoiceShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, TWO);
  }

  /**
   * The best filter of a given number of groups within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @param choices groups of a key, 2 … {@link #MAX_CHOICES}
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static TwoChoiceShape forBudget(long expectedKeys, long bits, int choices) {
    Arguments.inRange("choices", choices, TWO, MAX_CHOICES);
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    long whole = Sizing.requireBudget(bits, 64) / 64 * 64;
    int start =
        (int)
            Math.min(
                MAX_HASHES_PER_KEY, more(choices) * BloomMath.optimalProbes(whole, expectedKeys));
    Sizing.Probes counts = new Sizing.Probes(start, 1, MAX_HASHES_PER_KEY, 2);
    return new TwoChoiceShape(
        whole, counts.best(k -> TwoChoiceFill.rate(whole, expectedKeys, k, choices)), choices);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return TwoChoiceFill.rate(bits, Sizing.requireLoad(keys), hashesPerKey, choices);
  }
}
