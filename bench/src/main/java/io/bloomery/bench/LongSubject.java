package io.bloomery.bench;

import io.bloomery.AddableFilter;

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

  /** The same for a filter that one thread adds to, if {@link #hasOneWriter}. */
  void createForOne(int keys, double rate) {
    throw new UnsupportedOperationException("always for many writers");
  }

  boolean hasOneWriter() {
    return false;
  }

  abstract void add(long key);

  /** Called after the last key was added: a filter that needs all keys is built here. */
  void finish() {}

  abstract boolean query(long key);

  abstract long sizeInBits();

  /** Our filter behind this subject, or null if it is not ours. */
  AddableFilter ours() {
    return null;
  }

  /** False for the physical rows, which only look like filters. */
  boolean isFilter() {
    return true;
  }

  /** Whether it is built from all keys at once. */
  boolean isStatic() {
    return false;
  }

  boolean hasBatch() {
    return false;
  }

  /** Whether many keys can be added in one call. */
  boolean hasBulk() {
    return false;
  }

  void addChunk(long[] keys, int from, int to) {
    for (int i = from; i < to; i++) {
      add(keys[i]);
    }
  }

  int countChunk(long[] keys, int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      if (query(keys[i])) {
        hits++;
      }
    }
    return hits;
  }

  /** Adds keys by one bulk call. */
  void addBulk(long[] keys, int from, int to) {
    throw new UnsupportedOperationException("no bulk add");
  }

  /** Counts hits by the batch call. */
  int countBatch(long[] keys, int from, int to) {
    throw new UnsupportedOperationException("no batch query");
  }

  final void addAll(long[] keys, int from, int to) {
    for (int start = from; start < to; start += CHUNK) {
      addChunk(keys, start, Math.min(start + CHUNK, to));
    }
  }

  final int count(long[] keys, int from, int to) {
    int hits = 0;
    for (int start = from; start < to; start += CHUNK) {
      hits += countChunk(keys, start, Math.min(start + CHUNK, to));
    }
    return hits;
  }

  final int countByBatches(long[] keys, int from, int to) {
    int hits = 0;
    for (int start = from; start < to; start += CHUNK) {
      hits += countBatch(keys, start, Math.min(start + CHUNK, to));
    }
    return hits;
  }

  final void addByCalls(long[] keys, int keysPerCall) {
    for (int start = 0; start < keys.length; start += keysPerCall) {
      addBulk(keys, start, Math.min(start + keysPerCall, keys.length));
    }
  }
}
