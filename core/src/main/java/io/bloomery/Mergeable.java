package io.bloomery;

/**
 * A filter that can absorb all keys of another filter of its kind.
 *
 * @param <F> the filter's own type
 */
public interface Mergeable<F> {

  /**
   * Adds every key of the other filter to this one. Merging a filter with itself changes nothing,
   * even in kinds that count keys, where merging another filter adds the counts.
   *
   * @param other a filter of the same shape and hasher
   * @throws IncompatibleFiltersException if they differ; the message names the difference, and
   *     nothing has changed
   */
  void merge(F other);

  /**
   * Whether {@link #merge} would accept the other filter.
   *
   * @param other another filter of this kind
   * @return true if shape and hasher are equal
   */
  boolean isCompatible(F other);
}
