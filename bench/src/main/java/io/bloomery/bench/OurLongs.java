package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Hasher;

/**
 * Any of our filters with {@code long} keys. A fork makes one subject, so the calls below see one
 * type and are compiled for it, as they would be for a field of that type.
 */
class OurLongs extends LongSubject {

  /** Makes an empty filter. */
  @FunctionalInterface
  interface Maker {
    AddableFilter make(int keys, double rate);
  }

  private final Maker maker;
  private final long[] hashes = new long[CHUNK];
  private final long[] hits = new long[CHUNK / Long.SIZE];
  private AddableFilter filter;

  OurLongs(Maker maker) {
    this.maker = maker;
  }

  @Override
  final void create(int keys, double rate) {
    filter = maker.make(keys, rate);
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
  final AddableFilter ours() {
    return filter;
  }

  @Override
  final long sizeInBits() {
    return filter.sizeInBits();
  }

  /** Hashes a chunk of keys, then asks for all of them in one call. */
  @Override
  final int countBatch(long[] keys, int from, int to) {
    Hasher hasher = filter.hasher();
    int size = to - from;
    for (int i = 0; i < size; i++) {
      hashes[i] = hasher.hash(keys[from + i]);
    }
    return filter.mightContainHashes(hashes, 0, size, hits);
  }

  /** Hashes a chunk of keys, then adds all of them in one call. */
  static final class ByBatches extends OurLongs {

    private final long[] added = new long[CHUNK];

    ByBatches(Maker maker) {
      super(maker);
    }

    @Override
    void addChunk(long[] keys, int from, int to) {
      Hasher hasher = ours().hasher();
      for (int i = from; i < to; i++) {
        added[i - from] = hasher.hash(keys[i]);
      }
      ours().addHashes(added, 0, to - from);
    }
  }

  /** Every key is an event: it is asked for, then added. */
  static final class Events extends OurLongs {

    private long seen;

    Events(Maker maker) {
      super(maker);
    }

    @Override
    void add(long key) {
      if (ours().mightContain(key)) {
        seen++;
      }
      super.add(key);
    }

    /** How many events were answered "seen before", which keeps the questions alive. */
    long seen() {
      return seen;
    }
  }
}
