package io.bloomery.bench;

import io.bloomery.AddableFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Hasher;

/** Any of our filters with {@code long} keys, called by its own class as {@link OwnCalls} says. */
class OurLongs extends LongSubject.Filling implements LongSubject.Batches {

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
  private final long[] hits = new long[CHUNK / Long.SIZE];
  private long[] hashes = new long[CHUNK];
  private AddableFilter filter;

  private OurLongs(Maker maker) {
    this.maker = maker;
  }

  /** A filter that takes many keys in one call. */
  static OurLongs of(Maker maker) {
    return new Bulk(maker);
  }

  /** A filter that is also made for one writer. */
  static OurLongs forWriters(WritersMaker maker) {
    return new ForWriters(maker);
  }

  /** A filter that is queried for every key before the key is added. */
  static OurLongs ofEvents(Maker maker) {
    return new Events(maker);
  }

  @Override
  final void create(int keys, double rate) {
    use(maker.make(keys, rate));
  }

  final void use(AddableFilter made) {
    OwnCalls.bind(made);
    filter = made;
  }

  @Override
  void add(long key) {
    OwnCalls.add(filter, key);
  }

  @Override
  final boolean query(long key) {
    return OwnCalls.mightContain(filter, key);
  }

  final AddableFilter filter() {
    return filter;
  }

  @Override
  final long sizeInBits() {
    return filter.sizeInBits();
  }

  /** Hashes a chunk of keys, then queries all of them in one call. */
  @Override
  public final int countBatch(long[] keys, int from, int to) {
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

  private static class Bulk extends OurLongs implements LongSubject.BulkAdds {

    Bulk(Maker maker) {
      super(maker);
    }

    /** Hashes keys, then adds all of them in one call. */
    @Override
    public final void addBulk(long[] keys, int from, int to) {
      if (to - from > super.hashes.length) {
        super.hashes = new long[to - from];
      }
      for (int start = from; start < to; start += CHUNK) {
        super.hash(keys, start, Math.min(start + CHUNK, to), start - from);
      }
      filter().addHashes(super.hashes, 0, to - from);
    }
  }

  private static final class ForWriters extends Bulk implements LongSubject.OneWriter {

    private final WritersMaker maker;

    ForWriters(WritersMaker maker) {
      super((keys, rate) -> maker.make(keys, rate, Writers.MANY));
      this.maker = maker;
    }

    @Override
    public void createForOne(int keys, double rate) {
      use(maker.make(keys, rate, Writers.ONE));
    }
  }

  /** Every key is an event: it is queried, then added. */
  static final class Events extends OurLongs {

    private long seen;

    Events(Maker maker) {
      super(maker);
    }

    @Override
    void add(long key) {
      if (query(key)) {
        seen++;
      }
      super.add(key);
    }

    /**
     * The number of events that were seen before, which keeps the queries from being optimized
     * away.
     */
    long seen() {
      return seen;
    }
  }
}
