package io.bloomery;

import io.bloomery.hash.Hasher;

/** A view of a filter without the keys of another; see {@link Filters#except}. */
final class ExceptFilter implements HashedFilter {

  private final HashedFilter kept;
  private final HashedFilter removed;

  ExceptFilter(HashedFilter kept, HashedFilter removed) {
    AnyOfFilter.requireSameHasher(kept, removed);
    this.kept = kept;
    this.removed = removed;
  }

  @Override
  public Hasher hasher() {
    return kept.hasher();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return kept.mightContainHash(hash) && !removed.mightContainHash(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    if (kept.mightContainHashes(hashes, from, to, hits) == 0) {
      return 0;
    }
    int words = (to - from + Long.SIZE - 1) / Long.SIZE;
    long[] gone = new long[words];
    removed.mightContainHashes(hashes, from, to, gone);
    int total = 0;
    for (int word = 0; word < words; word++) {
      hits[word] &= ~gone[word];
      total += Long.bitCount(hits[word]);
    }
    return total;
  }

  @Override
  public double falsePositiveRate() {
    return kept.falsePositiveRate() * (1 - removed.falsePositiveRate());
  }

  @Override
  public long sizeInBits() {
    return kept.sizeInBits() + removed.sizeInBits();
  }

  @Override
  public String toString() {
    return kept + " except " + removed;
  }
}
