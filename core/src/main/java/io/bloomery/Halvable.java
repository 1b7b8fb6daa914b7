package io.bloomery;

/**
 * A filter that has a smaller one of the same keys in it, so that filters of different sizes can be
 * merged.
 *
 * @param <F> the filter's own type
 */
public interface Halvable<F extends Filter> {

  /**
   * Whether {@link #halve} is possible: that depends on the size and on how keys find their cells.
   *
   * @return false if it would throw
   */
  boolean canHalve();

  /**
   * A filter of half the size with the same keys, cell for cell the one that would have been built
   * with that size. This filter does not change.
   *
   * @return a new filter, with a higher rate
   * @throws IllegalStateException unless {@link #canHalve}
   */
  F halve();
}
