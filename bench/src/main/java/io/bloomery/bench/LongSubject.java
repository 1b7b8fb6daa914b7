package io.bloomery.bench;

/**
 * A filter under test with {@code long} keys. Every fork makes exactly one subject, and every lane
 * of a race has a copy of this class, so the loops below, though shared in the source, are compiled
 * for one filter, and all filters are measured by loops of the same shape.
 */
abstract class LongSubject {

  /** Keys per call of a loop: short enough that HotSpot compiles the loops as whole methods. */
  static final int CHUNK = 1024;

  /** Replaces the filter by a new one. */
  abstract void create(int keys, double rate);

  abstract boolean query(long key);

  abstract long sizeInBits();

  int countChunk(long[] keys, int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      if (query(keys[i])) {
        hits++;
      }
    }
    return hits;
  }

  final int count(long[] keys, int from, int to) {
    int hits = 0;
    for (int start = from; start < to; start += CHUNK) {
      hits += countChunk(keys, start, Math.min(start + CHUNK, to));
    }
    return hits;
  }

  /** A filter; the others, the physical rows, only look like one. */
  abstract static class Filling extends LongSubject {

    abstract void add(long key);

    void addChunk(long[] keys, int from, int to) {
      for (int i = from; i < to; i++) {
        add(keys[i]);
      }
    }

    final void addAll(long[] keys, int from, int to) {
      for (int start = from; start < to; start += CHUNK) {
        addChunk(keys, start, Math.min(start + CHUNK, to));
      }
    }
  }

  /** A filter that is built from all keys at once. */
  abstract static class Building extends Filling {

    /** Called after the last key was added. */
    abstract void build();
  }

  /** A subject that is queried for many keys in one call. */
  interface Batches {

    /** Counts hits by one call. */
    int countBatch(long[] keys, int from, int to);

    default int countByBatches(long[] keys, int from, int to) {
      int hits = 0;
      for (int start = from; start < to; start += CHUNK) {
        hits += countBatch(keys, start, Math.min(start + CHUNK, to));
      }
      return hits;
    }
  }

  /** A subject that takes many keys in one call. */
  interface BulkAdds {

    /** Adds keys by one call. */
    void addBulk(long[] keys, int from, int to);

    default void addByCalls(long[] keys, int keysPerCall) {
      for (int start = 0; start < keys.length; start += keysPerCall) {
        addBulk(keys, start, Math.min(start + keysPerCall, keys.length));
      }
    }
  }

  /** A subject that is also made for one writer. */
  interface OneWriter {

    /** Replaces the filter by a new one that one thread adds to. */
    void createForOne(int keys, double rate);
  }
}
