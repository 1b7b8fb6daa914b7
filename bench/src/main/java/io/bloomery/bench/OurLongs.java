package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;

/**
 * Any of our filters with {@code long} keys. A fork makes one subject and a lane has a copy of this
 * class, so the calls below see one type and are compiled for it, as they would be for a field of
 * that type.
 */
class OurLongs extends LongSubject {

  /** Makes an empty filter. */
  @FunctionalInterface
  interface Maker {
    AddableFilter make(int keys, double rate);
  }

  /** Makes an empty filter for one writer or for many. */
  @FunctionalInterface
  interface WritersMaker {
    AddableFilter make(int keys, double rate, Writers writers);
  }

  private final Maker maker;
  private final Maker makerForOne;
  private final long[] hits = new long[CHUNK / Long.SIZE];
  private long[] hashes = new long[CHUNK];
  private AddableFilter filter;

  OurLongs(Maker maker) {
    this(maker, null);
  }

  private OurLongs(Maker maker, Maker makerForOne) {
    this.maker = maker;
    this.makerForOne = makerForOne;
  }

  /** A filter that is also made for one writer. */
  static OurLongs of(WritersMaker maker) {
    return new OurLongs(
        (keys, rate) -> maker.make(keys, rate, Writers.MANY),
        (keys, rate) -> maker.make(keys, rate, Writers.ONE));
  }

  @Override
  final void create(int keys, double rate) {
    filter = maker.make(keys, rate);
  }

  @Override
  final boolean hasOneWriter() {
    return makerForOne != null;
  }

  @Override
  final void createForOne(int keys, double rate) {
    filter = makerForOne.make(keys, rate);
  }

  @Override
  final boolean hasBatch() {
    return true;
  }

  @Override
  boolean hasBulk() {
    return true;
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
    hash(keys, from, to, 0);
    return filter.mightContainHashes(hashes, 0, to - from, hits);
  }

  private void hash(long[] keys, int from, int to, int into) {
    Hasher hasher = filter.hasher();
    long[] target = hashes;
    for (int i = from; i < to; i++) {
      target[into + i - from] = hasher.hash(keys[i]);
    }
  }

  /** Hashes keys, then adds all of them in one call. */
  @Override
  final void addBulk(long[] keys, int from, int to) {
    if (to - from > hashes.length) {
      hashes = new long[to - from];
    }
    for (int start = from; start < to; start += CHUNK) {
      hash(keys, start, Math.min(start + CHUNK, to), start - from);
    }
    filter.addHashes(hashes, 0, to - from);
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

    /** No: an event is a question first. */
    @Override
    boolean hasBulk() {
      return false;
    }

    /** How many events were answered "seen before", which keeps the questions alive. */
    long seen() {
      return seen;
    }
  }
}
