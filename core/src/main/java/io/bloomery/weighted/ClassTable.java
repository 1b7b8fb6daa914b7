package io.bloomery.weighted;

import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.PeeledCells;
import java.util.Objects;

/**
 * The size of the table that knows the class of each listed key.
 *
 * @param cellBits bits per cell, 0 … 32; a key that is not listed is taken for one of a given class
 *     with probability 2^-cellBits. 0 if there is no table, because no key is listed
 * @param cells the cells; those for one key if there is no table
 */
public record ClassTable(int cellBits, PeeledCells cells) {

  /** No key is listed. */
  public static final ClassTable NONE = new ClassTable(0, PeeledCells.forKeys(1, 3));

  /** The most keys that can be listed. */
  static final long MAX_KEYS = PeeledCells.MAX_KEYS;

  /** The most bits per cell. */
  static final int MAX_CELL_BITS = 32;

  public ClassTable {
    Arguments.inRange("cellBits", cellBits, 0, MAX_CELL_BITS);
    Objects.requireNonNull(cells, "cells");
    if (cellBits == 0 && !cells.equals(PeeledCells.forKeys(1, PeeledCells.DEFAULT_PER_KEY))) {
      throw new IllegalArgumentException("cells of 0 bits are those for one key");
    }
  }

  /**
   * The smallest table for a number of keys.
   *
   * @param keys keys to list, 0 … 2^27
   * @param cellBits bits per cell, 1 … 32
   * @return the table, {@link #NONE} without keys
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static ClassTable forKeys(long keys, int cellBits) {
    Arguments.inRange("keys", keys, 0, PeeledCells.MAX_KEYS);
    Arguments.inRange("cellBits", cellBits, 1, MAX_CELL_BITS);
    return keys == 0
        ? NONE
        : new ClassTable(cellBits, PeeledCells.forKeys(keys, PeeledCells.DEFAULT_PER_KEY));
  }

  /**
   * The memory of the cells.
   *
   * @return the size in bits, 0 without a table
   */
  public long sizeInBits() {
    return cellBits == 0 ? 0 : cells.sizeInBits(cellBits);
  }

  /**
   * The probability that a key that is not listed is taken for one of a given class.
   *
   * @return 2^-cellBits, 0 without a table
   */
  double confusion() {
    return cellBits == 0 ? 0 : Math.scalb(1.0, -cellBits);
  }
}
