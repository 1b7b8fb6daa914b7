package io.bloomery;

import io.bloomery.theory.Estimates;

/**
 * A filter in which a key sets the same bits regardless of other keys, so that the bits of two
 * filters can be combined: OR gives the filter of the union, AND a filter that contains the
 * intersection. The number of set bits also yields an estimate of the number of keys; the estimates
 * for two filters and their union yield the number of keys the two have in common.
 *
 * @param <F> the filter's own type
 */
public interface Intersectable<F extends CardinalityFilter>
    extends Mergeable<F>, CardinalityFilter {

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
   * {@inheritDoc} The estimate is computed from the number of set bits. After {@link #intersect} it
   * is too high; {@link #intersectionCardinality} is not.
   *
   * @return the estimated number of keys, 0 or more; infinite if every bit is set
   */
  @Override
  double cardinality();

  /**
   * Estimates the number of distinct keys that are in this filter or the other. Takes memory for a
   * copy of this filter; neither filter changes.
   *
   * @param other a filter of the same shape and hasher
   * @return the estimated number of keys in the union; infinite if every bit of it is set
   * @throws IncompatibleFiltersException if they differ
   */
  double unionCardinality(F other);

  /**
   * Estimates the number of distinct keys that are in both filters: {@code a + b - union}. Its
   * error is as large as that of the largest of these three, so it cannot detect a small
   * intersection of large sets; {@code Estimates.intersectionStandardDeviation} computes the error.
   *
   * @param other a filter of the same shape and hasher
   * @return the estimated number of keys in the intersection, 0 or more; NaN if every bit of the
   *     union is set
   * @throws IncompatibleFiltersException if they differ
   */
  default double intersectionCardinality(F other) {
    double union = unionCardinality(other);
    return Estimates.intersection(cardinality(), other.cardinality(), union);
  }

  /**
   * Estimates the number of distinct keys that are in exactly one of the two filters: {@code
   * 2·union - a - b}.
   *
   * @param other a filter of the same shape and hasher
   * @return the estimated number of keys in the symmetric difference, 0 or more; NaN if every bit
   *     of the union is set
   * @throws IncompatibleFiltersException if they differ
   */
  default double symmetricDifferenceCardinality(F other) {
    double union = unionCardinality(other);
    return Estimates.symmetricDifference(cardinality(), other.cardinality(), union);
  }
}
