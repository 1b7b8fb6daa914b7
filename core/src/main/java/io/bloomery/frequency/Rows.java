package io.bloomery.frequency;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * Rows of counters, one counter per key in each: the layout of spectral and count-min filters.
 *
 * @param rows counters per key
 * @param width counters per row
 */
record Rows(int rows, long width) {

  /** Returns a width of counters that lies within a word as often as it can: 8, 16, 32 or 64. */
  static int requireCounterBits(int bits) {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
      throw new IllegalArgumentException(
          "counterBits = " + bits + " is none of the allowed 8, 16, 32, 64");
    }
    return bits;
  }

  /** Checks the numbers of a table of counters. */
  static void require(int rows, long width, int counterBits) {
    Arguments.inRange("rows", rows, 1, Shape.MAX_PROBES);
    requireCounterBits(counterBits);
    Arguments.inRange("width", width, 1, Shape.MAX_BITS / counterBits / rows);
  }

  /** The exact rate at which a fresh key finds no counter at 0. */
  double hitRate(long keys) {
    return BloomMath.partitionedRate(rows * width, Sizing.requireLoad(keys), rows);
  }

  /** The fewest counters whose rate is at most {@code rate}. */
  static Rows forKeys(long keys, double rate, int least, int counterBits) {
    BloomShape slices = BloomShape.forKeys(keys, rate, IndexScheme.PARTITIONED);
    int rows = Math.max(least, slices.probes());
    long width = slices.bits() / slices.probes();
    if (rows > slices.probes()) {
      // (1 − (1 − 1/width)^keys)^rows = rate, solved for the width.
      double zero = Math.log1p(-Math.pow(rate, 1.0 / rows));
      width = (long) Math.ceil(-1 / Math.expm1(zero / keys));
    }
    if (width > Shape.MAX_BITS / counterBits / rows) {
      throw Sizing.tooLarge("a table of " + counterBits + "-bit counters", keys, rate);
    }
    return new Rows(rows, width);
  }

  /** The rows of the lowest rate within a number of counters. */
  static Rows forBudget(long keys, long counters, int least) {
    Arguments.inRange("keys", keys, 1, Shape.MAX_KEYS);
    int most = (int) Math.min(Shape.MAX_PROBES, counters);
    int start = BloomMath.optimalProbes(counters, keys);
    int rows =
        new Sizing.Probes(start, Math.min(least, most), most, 2)
            .best(k -> BloomMath.partitionedRate(counters / k * k, keys, k));
    return new Rows(rows, counters / rows);
  }
}
