package io.bloomery.frequency;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Estimates;
import java.util.Arrays;

/**
 * Rows of counters, one counter per key in each: the layout of spectral and count-min filters.
 *
 * @param rows counters per key
 * @param width counters per row
 */
record Rows(int rows, long width) {

  /** Rejects a counter width that does not divide a word. */
  static void requireCounterBits(int counterBits) {
    Arguments.oneOf("counterBits", counterBits, 8, 16, 32, 64);
  }

  /** Checks the numbers of a table of counters. */
  static void require(int rows, long width, int counterBits) {
    Arguments.inRange("rows", rows, 1, Shape.MAX_HASHES_PER_KEY);
    requireCounterBits(counterBits);
    Arguments.inRange("width", width, 1, Shape.MAX_BITS / counterBits / rows);
  }

  /** The exact probability that a key that was never added has no counter at 0. */
  double hitRate(long keys) {
    return BloomMath.partitionedRate(rows * width, Sizing.requireLoad(keys), rows);
  }

  /** The fewest counters whose rate is at most {@code rate}. */
  static Rows forKeys(long keys, double rate, int least, int counterBits) {
    BloomShape slices = BloomShape.forKeys(keys, rate, IndexScheme.PARTITIONED);
    int rows = Math.max(least, slices.hashesPerKey());
    long width = slices.bits() / slices.hashesPerKey();
    if (rows > slices.hashesPerKey()) {
      // (1 − (1 − 1/width)^keys)^rows = rate, solved for the width.
      double zero = Math.log1p(-Math.pow(rate, 1.0 / rows));
      width = (long) Math.ceil(-1 / Math.expm1(zero / keys));
    }
    if (width > Shape.MAX_BITS / counterBits / rows) {
      throw Sizing.tooLarge("a table of " + counterBits + "-bit counters", keys, rate);
    }
    return new Rows(rows, width);
  }

  /** The rows with the lowest rate for a number of counters. */
  static Rows forBudget(long keys, long counters, int least) {
    Arguments.inRange("expectedKeys", keys, 1, Shape.MAX_KEYS);
    int most = (int) Math.min(Shape.MAX_HASHES_PER_KEY, counters);
    int start = BloomMath.optimalProbes(counters, keys);
    int rows =
        new Sizing.Probes(start, Math.min(least, most), most, 2)
            .best(k -> BloomMath.partitionedRate(counters / k * k, keys, k));
    return new Rows(rows, counters / rows);
  }

  /** The share of counters above 0, given how many of each row are. */
  double fillRatio(long[] used) {
    return (double) Arrays.stream(used).sum() / (rows * width);
  }

  /** An estimate of the number of keys, given how many counters of each row are above 0. */
  double cardinality(long[] used) {
    if (width == 1) {
      return used[0] == 0 ? 0 : Double.POSITIVE_INFINITY;
    }
    return Estimates.partitionedCardinality(width, used);
  }
}
