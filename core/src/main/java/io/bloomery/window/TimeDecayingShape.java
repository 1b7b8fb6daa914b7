package io.bloomery.window;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a time-decaying Bloom filter: cells of two words, a weight and the time it is of,
 * one in each of {@code probes} slices for a key.
 *
 * @param cells m, a multiple of the probes, at most {@link Shape#MAX_BITS} / 64
 * @param probes k, 1 … 255, at most half of the cells
 */
public record TimeDecayingShape(long cells, int probes) implements Shape {

  private static final int CELL_BITS = 128;

  /**
   * Checks the fields.
   *
   * @param cells number of cells
   * @param probes cells of one key
   * @throws IllegalArgumentException if a field is outside its range
   */
  public TimeDecayingShape {
    Arguments.inRange("probes", probes, 1, MAX_PROBES);
    Arguments.inRange("cells", cells, 2L * probes, MAX_BITS / Long.SIZE);
    if (cells % probes != 0) {
      throw new IllegalArgumentException(
          "cells = " + cells + " is not a multiple of probes = " + probes);
    }
  }

  /**
   * The smallest shape for a number of keys that have not faded, and a rate.
   *
   * @param keys distinct keys with a weight, 1 … {@link Shape#MAX_KEYS}
   * @param rate the share of other keys that get a weight, and of keys whose weight is too high, in
   *     (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static TimeDecayingShape forKeys(long keys, double rate) {
    BloomShape shape = BloomShape.forKeys(keys, rate, IndexScheme.PARTITIONED);
    if (shape.bits() > MAX_BITS / Long.SIZE) {
      throw Sizing.tooLarge("a time-decaying Bloom filter", keys, rate);
    }
    return new TimeDecayingShape(Math.max(shape.bits(), 2L * shape.probes()), shape.probes());
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.partitionedRate(cells, keys, probes);
  }

  @Override
  public long sizeInBits() {
    return cells * CELL_BITS;
  }
}
