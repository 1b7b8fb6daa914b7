package io.bloomery.plan;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.RibbonLayout;

/**
 * The cells of a table that is solved by elimination in a band (bumped ribbon retrieval): about
 * 1.01 cells per key, of up to 32 bits.
 *
 * @param keys distinct keys, 1 … 2^27
 */
public record RibbonCells(long keys) implements SolvedCells {

  public RibbonCells {
    Arguments.inRange("keys", keys, 1, PeeledCells.MAX_KEYS);
  }

  /** {@inheritDoc} Here: 32 bits per cell at most. */
  @Override
  public long sizeInBits(int width) {
    return new RibbonLayout(keys, width, 0).words() * Long.SIZE;
  }
}
