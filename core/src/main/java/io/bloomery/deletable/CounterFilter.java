package io.bloomery.deletable;

import io.bloomery.CardinalityFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.plan.Shape;

/**
 * The common part of filters with one array of packed counters: everything except how a key finds
 * and changes its counters. The four subclasses have different lookups: one counter anywhere per
 * hash, all counters in one group or in several, or sums of increments.
 *
 * @param <S> the kind's shape
 * @param <F> the filter's own type
 */
abstract sealed class CounterFilter<S extends Shape, F extends CounterFilter<S, F>>
    extends ShapedFilter<S> implements RemovableFilter, CardinalityFilter, Mergeable<F>
    permits CountingBloomFilter,
        CountingBloomGFilter,
        OneWordCountingFilter,
        VariableIncrementCountingFilter {

  /** The counters, saturating at their highest value. */
  final Counters counters;

  CounterFilter(S shape, Hasher hasher, Counters counters) {
    super(shape, hasher);
    this.counters = counters;
  }

  /** {@inheritDoc} Here: the share of counters above 0. */
  @Override
  public double fillRatio() {
    return (double) counters.nonZero() / counters.count();
  }

  /**
   * How many counters are at their highest value. Unless an {@link CountingShape.Overflow} says
   * otherwise they are never lowered again, so their keys are still reported present after removal.
   *
   * @return the number of saturated counters
   */
  public long overflowedCounters() {
    return counters.saturated();
  }

  /**
   * How many counters hold each value.
   *
   * @return element {@code i} is the number of counters that hold {@code i}
   */
  public long[] histogram() {
    return counters.histogram((int) counters.max());
  }

  @Override
  public boolean isCompatible(F other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Every counter is added to the other's; sums above the highest value saturate. The
   * count of a key that both filters hold is the sum of its two counts, and it must be removed that
   * many times.
   */
  @Override
  public void merge(F other) {
    requireFits(other);
    counters.words().writable();
    if (other != this) {
      counters.addAll(other.counters);
    }
  }

  /** Removes every key and resets saturated counters. */
  public void clear() {
    counters.clear();
  }
}
