package io.bloomery;

/**
 * A filter that can take in all keys of another of its kind.
 *
 * @param <F> the filter's own type
 */
public interface Mergeable<F> {

  /**
   * Adds every key of the other filter to this one. Merging a filter with itself changes nothing,
   * not even in kinds that count keys and add the counts of another filter to theirs.
   *
   * @param other a filter of the same shape and hasher
   * @throws IncompatibleFiltersException if they differ; it names what differs, and nothing changed
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
