package io.bloomery.growing;

import io.bloomery.AddableFilter;

/**
 * Makes the filters that a growing filter is made of, such as {@code CountingBloomFilter::create}.
 *
 * @param <F> the filters' class
 */
@FunctionalInterface
public interface FilterSource<F extends AddableFilter> {

  /**
   * An empty filter.
   *
   * @param expectedKeys how many distinct keys it is for
   * @param falsePositiveRate the highest acceptable rate at that number of keys
   * @return a new filter; all filters of a source have equal hashers
   * @throws IllegalArgumentException if there is no such filter
   */
  F create(long expectedKeys, double falsePositiveRate);
}
