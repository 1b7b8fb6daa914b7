package io.bloomery;

/** A filter that can estimate its fill and its number of distinct keys from its cells. */
public interface CardinalityFilter {

  /**
   * The share of cells that are in use. Reads the whole filter.
   *
   * @return 0…1
   */
  double fillRatio();

  /**
   * Estimates the number of distinct keys in the filter.
   *
   * @return the estimated number of keys, 0 or more; infinite if every cell is in use
   */
  double cardinality();
}
