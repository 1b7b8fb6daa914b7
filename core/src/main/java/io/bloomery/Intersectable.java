package io.bloomery;

/**
 * A filter in which a key sets the same bits whatever else is in the filter, so that the bits of
 * two filters can be combined: OR is the filter of the union, AND contains the intersection. The
 * number of set bits also gives an estimate of the number of keys.
 *
 * @param <F> the filter's own type
 */
public interface Intersectable<F> extends Mergeable<F>, CardinalityFilter {

  /**
   * Keeps only bits that are set in both filters. Keys in both filters are kept. The rate is at
   * most that of either filter, but not as low as that of a filter built from the common keys
   * alone: a key in only one of them is still reported present at the other's rate. No other thread
   * may write at the same time.
   *
   * @param other a filter of the same shape and hasher
   * @throws IncompatibleFiltersException if they differ; the message names the difference, and
   *     nothing has changed
   */
  void intersect(F other);

  /**
   * {@inheritDoc} Here: from the number of bits that are set. After {@link #intersect} it is too
   * high; estimate the number of common keys as {@code a + b - union} before intersecting.
   *
   * @return the estimated number of keys, 0 or more; infinite if every bit is set
   */
  @Override
  double cardinality();
}
