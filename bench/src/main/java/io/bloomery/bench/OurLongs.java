package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.TwoChoiceBloomFilter;

/**
 * Our filters with {@code long} keys, each behind a field of its own type as a user would hold it.
 */
abstract class OurLongs extends LongSubject {

  private final long[] hashes = new long[CHUNK];
  private final long[] hits = new long[CHUNK / Long.SIZE];

  @Override
  abstract AddableFilter ours();

  @Override
  final long sizeInBits() {
    return ours().sizeInBits();
  }

  /** Hashes a chunk of keys, then asks for all of them in one call. */
  @Override
  final int countBatch(long[] keys, int from, int to) {
    AddableFilter filter = ours();
    Hasher hasher = filter.hasher();
    int size = to - from;
    for (int i = 0; i < size; i++) {
      hashes[i] = hasher.hash(keys[from + i]);
    }
    return filter.mightContainHashes(hashes, 0, size, hits);
  }

  static final class Blocked extends OurLongs {

    private final int blockBits;
    private final boolean shared;
    private BlockedBloomFilter filter;

    /** With the width that the planner chooses. */
    Blocked() {
      this(0, true);
    }

    Blocked(int blockBits) {
      this(blockBits, true);
    }

    /** Shared by threads, or with one thread that adds. */
    Blocked(int blockBits, boolean shared) {
      this.blockBits = blockBits;
      this.shared = shared;
    }

    @Override
    void create(int keys, double rate) {
      filter =
          blockBits == 0
              ? BlockedBloomFilter.create(keys, rate)
              : BlockedBloomFilter.builder()
                  .expectedKeys(keys)
                  .falsePositiveRate(rate)
                  .blockBits(blockBits)
                  .shared(shared)
                  .build();
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mightContain(key);
    }

    @Override
    AddableFilter ours() {
      return filter;
    }
  }

  static final class Plain extends OurLongs {

    private BloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = BloomFilter.create(keys, rate);
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mightContain(key);
    }

    @Override
    AddableFilter ours() {
      return filter;
    }
  }

  static final class SplitBlock extends OurLongs {

    private SplitBlockBloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = SplitBlockBloomFilter.create(keys, rate);
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mightContain(key);
    }

    @Override
    AddableFilter ours() {
      return filter;
    }
  }

  static final class WordsOfG extends OurLongs {

    private final int g;
    private BloomGFilter filter;

    /** With {@code g} words per key. */
    WordsOfG(int g) {
      this.g = g;
    }

    @Override
    void create(int keys, double rate) {
      filter = BloomGFilter.builder().expectedKeys(keys).falsePositiveRate(rate).groups(g).build();
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mightContain(key);
    }

    @Override
    AddableFilter ours() {
      return filter;
    }
  }

  static final class TwoChoice extends OurLongs {

    private TwoChoiceBloomFilter filter;

    @Override
    void create(int keys, double rate) {
      filter = TwoChoiceBloomFilter.create(keys, rate);
    }

    @Override
    void add(long key) {
      filter.add(key);
    }

    @Override
    boolean query(long key) {
      return filter.mightContain(key);
    }

    @Override
    AddableFilter ours() {
      return filter;
    }
  }
}
