package io.bloomery;

/** A filter whose cells tell how full it is and about how many different keys it holds. */
public interface CardinalityFilter {

  /**
   * The share of cells that are in use. Reads the whole filter.
   *
   * @return 0…1
   */
  double fillRatio();

  /**
   * An estimate of the number of different keys that the filter holds.
   *
   * @return about the number of keys, 0 or more; infinite if every cell is in use
   */
  double cardinality();
}
