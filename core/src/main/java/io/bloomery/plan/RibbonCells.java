package io.bloomery.plan;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.RibbonLayout;

/**
 * Cells that are solved by elimination in a band (bumped ribbon retrieval): about 1.01 times as
 * many as keys, for values of up to 32 bits.
 *
 * @param keys different keys, 1 … 2^27
 */
public record RibbonCells(long keys) implements SolvedCells {

  /**
   * Checks the field.
   *
   * @param keys different keys
   * @throws IllegalArgumentException if it is outside its range
   */
  public RibbonCells {
    Arguments.inRange("keys", keys, 1, PeeledCells.MAX_KEYS);
  }

  /** {@inheritDoc} Here at most 32 bits are possible. */
  @Override
  public long sizeInBits(int width) {
    return new RibbonLayout(keys, width, 0).words() * Long.SIZE;
  }
}
