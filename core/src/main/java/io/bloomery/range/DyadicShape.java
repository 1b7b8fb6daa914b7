package io.bloomery.range;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a {@link DyadicFilter}. Its rate is the highest of a range of the longest length;
 * {@link #falsePositiveRate(long, long)} has the mean for ranges that begin anywhere.
 *
 * @param keys which keys it holds
 * @param levels the highest level λ, 0 … 62: each key is added with its λ + 1 shortest dyadic
 *     intervals, of 1, 2, 4, …, 2^λ keys
 * @param longestRange the longest range for which it was sized, 1 … 2^62
 * @param bloom the Bloom filter of the intervals
 */
public record DyadicShape(
    RangeKeys keys,
    @FieldName("levels") int levels,
    @FieldName("longest range") long longestRange,
    BloomShape bloom)
    implements Shape {

  /** The highest level. */
  public static final int MAX_LEVELS = 62;

  public DyadicShape {
    Objects.requireNonNull(keys, "keys");
    Arguments.inRange("levels", levels, 0, MAX_LEVELS);
    Arguments.inRange("longestRange", longestRange, 1, 1L << MAX_LEVELS);
    Objects.requireNonNull(bloom, "bloom");
  }

  /**
   * The smallest filter whose rate for ranges of a given length is at most {@code
   * falsePositiveRate}, wherever they begin.
   *
   * @param expectedKeys different keys, 1 … 2^36/(λ + 1), where λ = ⌊log2 longestRange⌋
   * @param falsePositiveRate the rate for a range of {@code longestRange}, in (0, 1)
   * @param longestRange how many possible keys the longest range has, 1 … 2^62
   * @param keys which keys it will hold
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the rate too low
   */
  public static DyadicShape forKeys(
      long expectedKeys, double falsePositiveRate, long longestRange, RangeKeys keys) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    int levels = levelsFor(longestRange);
    long intervals = intervals(expectedKeys, levels);
    double each = -Math.expm1(Math.log1p(-falsePositiveRate) / mostPieces(longestRange, levels));
    return new DyadicShape(keys, levels, longestRange, BloomShape.forKeys(intervals, each));
  }

  /**
   * The filter with the lowest rate that fits a given memory.
   *
   * @param expectedKeys different keys, 1 … 2^36/(λ + 1), where λ = ⌊log2 longestRange⌋
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}
   * @param longestRange how many possible keys the longest range has, 1 … 2^62
   * @param keys which keys it will hold
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static DyadicShape forBudget(
      long expectedKeys, long bits, long longestRange, RangeKeys keys) {
    int levels = levelsFor(longestRange);
    return new DyadicShape(
        keys, levels, longestRange, BloomShape.forBudget(intervals(expectedKeys, levels), bits));
  }

  private static int levelsFor(long longestRange) {
    Arguments.inRange("longestRange", longestRange, 1, 1L << MAX_LEVELS);
    return 63 - Long.numberOfLeadingZeros(longestRange);
  }

  private static long intervals(long keys, int levels) {
    return Sizing.requireKeys(keys, MAX_KEYS / (levels + 1)) * (levels + 1);
  }

  /** The most intervals that a range is made of: two of each level, and those of the highest. */
  private static double mostPieces(long length, int levels) {
    int own = 63 - Long.numberOfLeadingZeros(length);
    return own <= levels ? Math.max(1, 2 * own) : 2 * levels + (double) (length >>> levels);
  }

  @Override
  public long sizeInBits() {
    return bloom.sizeInBits();
  }

  /** {@inheritDoc} Here: for a range of the longest length that begins at the worst place. */
  @Override
  public double falsePositiveRate(long keys) {
    return anyOf(intervalRate(keys), mostPieces(longestRange, levels));
  }

  /** The rate of one interval after a number of keys was added, none two of which share any. */
  private double intervalRate(long keys) {
    Sizing.requireLoad(keys);
    return bloom.falsePositiveRate(Math.min(MAX_LOAD, keys * (levels + 1)));
  }

  private static double anyOf(double rate, double pieces) {
    return -Math.expm1(pieces * Math.log1p(-rate));
  }

  /**
   * The mean rate of ranges of a length that begin at random places.
   *
   * @param keys number of different keys, 0 … {@link #MAX_LOAD}
   * @param length how many possible keys the range has, 1 or more
   * @return the probability
   */
  public double falsePositiveRate(long keys, long length) {
    Arguments.inRange("length", length, 1, Long.MAX_VALUE);
    return meanRate(intervalRate(keys), length);
  }

  /**
   * The mean rate for a rate of an interval. A range that is d intervals of a level long, for an
   * even d, has with probability 1/2 one at either end that is no part of a larger interval, and
   * else none; for an odd d it has exactly one. What remains is half as long on the next level.
   */
  double meanRate(double rate, long length) {
    double absent = 1 - rate;
    // The probability that no interval is reported, of d and d − 1 intervals of the level.
    double[] none = new double[2];
    for (int level = levels; level >= 0; level--) {
      long d = length >>> level;
      double[] lower = new double[2];
      for (int less = 0; less < 2; less++) {
        long count = d - less;
        if (count < 0) {
          lower[less] = 1;
        } else if (level == levels) {
          lower[less] = count > DyadicFilter.MAX_TOPS ? 0 : Math.pow(absent, (double) count);
        } else if ((count & 1) == 1) {
          lower[less] = absent * at(none, length, level + 1, count / 2);
        } else {
          double two = count < 2 ? 1 : at(none, length, level + 1, count / 2 - 1) * absent * absent;
          lower[less] = (at(none, length, level + 1, count / 2) + two) / 2;
        }
      }
      none = lower;
    }
    return 1 - none[0];
  }

  private static double at(double[] none, long length, int level, long count) {
    return none[(int) ((length >>> level) - count)];
  }
}
