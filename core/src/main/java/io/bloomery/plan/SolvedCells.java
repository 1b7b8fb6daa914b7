package io.bloomery.plan;

/** The cells of a solved table, from which the value of each key is computed. */
public sealed interface SolvedCells permits PeeledCells, RibbonCells {

  /**
   * The memory of the cells.
   *
   * @param width bits per cell, 1…64
   * @return the size in bits
   * @throws IllegalArgumentException if cells of that width are not possible
   */
  long sizeInBits(int width);
}
