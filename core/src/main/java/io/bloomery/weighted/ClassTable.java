package io.bloomery.weighted;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SolvedCells;
import java.util.Objects;

/**
 * The size of the table that stores the class of each listed key.
 *
 * @param cellBits bits per cell, 0 … 32; a key that is not listed is mistaken for one of a given
 *     class with probability 2^-cellBits. 0 if there is no table, because no key is listed
 * @param cells the cells; those for one key if there is no table
 */
record ClassTable(@FieldName("cell bits") int cellBits, SolvedCells.Peeled cells) {

  private static final SolvedCells.Peeled NO_CELLS =
      SolvedCells.Peeled.forKeys(1, SolvedCells.Peeled.DEFAULT_PER_KEY);

  /** No key is listed. */
  static final ClassTable NONE = new ClassTable(0, NO_CELLS);

  /** The most keys that can be listed. */
  static final long MAX_KEYS = SolvedCells.Peeled.MAX_KEYS;

  /** The most bits per cell. */
  static final int MAX_CELL_BITS = 32;

  ClassTable {
    Arguments.inRange("cellBits", cellBits, 0, MAX_CELL_BITS);
    Objects.requireNonNull(cells, "cells");
    if (cellBits == 0 && !cells.equals(NO_CELLS)) {
      throw new IllegalArgumentException("cells of 0 bits are those for one key");
    }
  }

  /** The table of a shape. */
  static ClassTable of(ClassShape shape) {
    return new ClassTable(
        shape.cellBits(),
        new SolvedCells.Peeled(
            shape.layout(), shape.cells(), shape.cellsPerKey(), shape.segmentLog()));
  }

  /**
   * The smallest table for a number of keys.
   *
   * @param keys keys to list, 0 … 2^27
   * @param cellBits bits per cell, 1 … 32
   * @return the table, {@link #NONE} without keys
   * @throws IllegalArgumentException if an argument is outside its range
   */
  static ClassTable forKeys(long keys, int cellBits) {
    Arguments.inRange("keys", keys, 0, SolvedCells.Peeled.MAX_KEYS);
    Arguments.inRange("cellBits", cellBits, 1, MAX_CELL_BITS);
    return keys == 0
        ? NONE
        : new ClassTable(
            cellBits, SolvedCells.Peeled.forKeys(keys, SolvedCells.Peeled.DEFAULT_PER_KEY));
  }

  /** The memory of the cells, 0 without a table. */
  long sizeInBits() {
    return cells.cells() * cellBits;
  }

  /**
   * The probability that a key that is not listed is mistaken for one of a given class.
   *
   * @param cellBits bits per cell, 0 without a table
   * @return 2^-cellBits, 0 without a table
   */
  static double confusion(int cellBits) {
    return cellBits == 0 ? 0 : Math.scalb(1.0, -cellBits);
  }
}
