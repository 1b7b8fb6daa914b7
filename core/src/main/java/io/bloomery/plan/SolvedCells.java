package io.bloomery.plan;

/** What a solved table of values consists of: how many cells for how many keys. */
public sealed interface SolvedCells permits PeeledCells, RibbonCells {

  /**
   * The memory of the cells.
   *
   * @param width bits of a value, 1…64
   * @return the size in bits
   * @throws IllegalArgumentException if values of that width are impossible
   */
  long sizeInBits(int width);
}
