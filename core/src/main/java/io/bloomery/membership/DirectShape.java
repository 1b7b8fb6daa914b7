package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a bit array with one bit for every value of a small universe: no hashing, no error,
 * and keys can be removed. Worthwhile if the universe is at most as large as the Bloom filter would
 * be (Broder and Mitzenmacher, sec. 2.2).
 *
 * @param universe number of possible values, 1 … {@link Shape#MAX_BITS}
 */
public record DirectShape(@FieldName("universe") long universe) implements Shape {

  public DirectShape {
    Arguments.inRange("universe", universe, 1, MAX_BITS);
  }

  /**
   * One bit for each value, if that takes no more than the Bloom filter for the same keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate that the Bloom filter would have, in (0, 1) and at least
   *     {@code expectedKeys · 2^-57}
   * @param universe number of possible values, at least 1
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, or a Bloom filter is
   *     smaller
   */
  public static DirectShape forKeys(long expectedKeys, double falsePositiveRate, long universe) {
    if (!isRecommended(expectedKeys, falsePositiveRate, universe)) {
      throw Arguments.impossible(
          Arguments.named("universe", universe), " has more values than a Bloom filter has bits");
    }
    return new DirectShape(universe);
  }

  /**
   * One bit for each value, if that is within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}
   * @param universe number of possible values, at least 1
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, or the universe is larger
   *     than the budget
   */
  public static DirectShape forBudget(long expectedKeys, long bits, long universe) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireAtMost("universe", universe, 1, Sizing.requireBudget(bits, Long.SIZE));
    return new DirectShape(universe);
  }

  /**
   * Whether a bit array is at most as large as the Bloom filter for the same keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate that the Bloom filter would have, in (0, 1) and at least
   *     {@code expectedKeys · 2^-57}
   * @param universe number of possible values, at least 1
   * @return whether {@code universe} is at most the size that {@link BloomShape#forKeys} takes
   */
  public static boolean isRecommended(long expectedKeys, double falsePositiveRate, long universe) {
    Arguments.inRange("universe", universe, 1, Long.MAX_VALUE);
    return universe <= BloomShape.forKeys(expectedKeys, falsePositiveRate).bits();
  }

  @Override
  public long sizeInBits() {
    return universe;
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return 0;
  }
}
