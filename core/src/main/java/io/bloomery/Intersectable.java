package io.bloomery;

/**
 * A filter of bits that each key sets alone, whatever else is in the filter, so that the bits of
 * two filters can be combined: OR is the filter of the union, AND holds the intersection. Their
 * number also says how many keys there are.
 *
 * @param <F> the filter's own type
 */
public interface Intersectable<F> extends Mergeable<F>, CardinalityFilter {

  /**
   * Keeps only bits that are set in both filters. Every key of both stays. The rate is at most that
   * of either filter, but not as low as that of a filter built from the common keys alone: a key
   * that is only in one of them is still reported with the other's rate. No other thread may write
   * meanwhile.
   *
   * @param other a filter of the same shape and hasher
   * @throws IncompatibleFiltersException if they differ; it names what differs, and nothing changed
   */
  void intersect(F other);

  /**
   * {@inheritDoc} Here: from the number of bits that are set. For a filter that {@link #intersect}
   * changed it is too high: the common keys of two filters are about {@code a + b - union}, each
   * estimated before.
   *
   * @return about the number of keys, 0 or more; infinite if every bit is set
   */
  @Override
  double cardinality();
}
