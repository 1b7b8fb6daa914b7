package io.bloomery;

import io.bloomery.hash.Hasher;
import java.util.Arrays;
import java.util.List;

/** A view of several filters as their union; see {@link Filters#anyOf}. */
final class AnyOfFilter implements HashedFilter {

  private final HashedFilter[] filters;

  AnyOfFilter(List<? extends HashedFilter> filters) {
    if (filters.isEmpty()) {
      throw new IllegalArgumentException("filters is empty; there must be one or more");
    }
    this.filters = filters.toArray(HashedFilter[]::new);
    for (HashedFilter filter : this.filters) {
      requireSameHasher(this.filters[0], filter);
    }
  }

  /**
   * Throws unless the filters have equal hashers, so that a hash for one is valid for the other.
   */
  static void requireSameHasher(HashedFilter one, HashedFilter other) {
    if (!one.hasher().equals(other.hasher())) {
      throw new IncompatibleFiltersException("hasher " + one.hasher() + " != " + other.hasher());
    }
  }

  @Override
  public Hasher hasher() {
    return filters[0].hasher();
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (HashedFilter filter : filters) {
      if (filter.mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    int total = filters[0].mightContainHashes(hashes, from, to, hits);
    int words = (to - from + Long.SIZE - 1) / Long.SIZE;
    long[] more = new long[words];
    for (int i = 1; i < filters.length && total < to - from; i++) {
      filters[i].mightContainHashes(hashes, from, to, more);
      total = 0;
      for (int word = 0; word < words; word++) {
        hits[word] |= more[word];
        total += Long.bitCount(hits[word]);
      }
    }
    return total;
  }

  @Override
  public double falsePositiveRate() {
    double none = 0;
    for (HashedFilter filter : filters) {
      none += Math.log1p(-filter.falsePositiveRate());
    }
    return 0 - Math.expm1(none); // never -0
  }

  @Override
  public long sizeInBits() {
    return Arrays.stream(filters).mapToLong(HashedFilter::sizeInBits).sum();
  }

  @Override
  public String toString() {
    return "any of " + Arrays.toString(filters);
  }
}
