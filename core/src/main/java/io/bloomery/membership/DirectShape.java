package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a bit array with one bit for every value of a small universe: no hashing, no error,
 * and keys may be removed. Worth it when the universe is no larger than the Bloom filter would be
 * (Broder and Mitzenmacher, sec. 2.2).
 *
 * @param universe number of possible values, 1 … {@link Shape#MAX_BITS}
 */
public record DirectShape(long universe) implements Shape {

  /**
   * Checks the field.
   *
   * @param universe number of possible values
   * @throws IllegalArgumentException if {@code universe} is outside its range
   */
  public DirectShape {
    Arguments.inRange("universe", universe, 1, MAX_BITS);
  }

  /**
   * Whether a bit array is at most as large as the Bloom filter for the same keys.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the rate the Bloom filter would have, in (0, 1) and at least {@code keys · 2^-57}
   * @param universe number of possible values, at least 1
   * @return whether {@code universe} bits are no more than {@link BloomShape#forKeys} takes
   */
  public static boolean isRecommended(long keys, double rate, long universe) {
    Arguments.inRange("universe", universe, 1, Long.MAX_VALUE);
    return universe <= BloomShape.forKeys(keys, rate).bits();
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
