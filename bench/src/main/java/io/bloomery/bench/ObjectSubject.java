package io.bloomery.bench;

/**
 * A filter under test whose keys are objects; see {@link LongSubject} for why the loops are here.
 *
 * @param <K> the type of the keys
 */
abstract class ObjectSubject<K> {

  /** Replaces the filter by a new one. */
  abstract void create(int keys, double rate);

  abstract void add(K key);

  abstract boolean query(K key);

  abstract long sizeInBits();

  /** False for the physical rows, which only look like filters. */
  boolean isFilter() {
    return true;
  }

  private void addChunk(K[] keys, int from, int to) {
    for (int i = from; i < to; i++) {
      add(keys[i]);
    }
  }

  private int countChunk(K[] keys, int from, int to) {
    int hits = 0;
    for (int i = from; i < to; i++) {
      if (query(keys[i])) {
        hits++;
      }
    }
    return hits;
  }

  final void addAll(K[] keys) {
    for (int start = 0; start < keys.length; start += LongSubject.CHUNK) {
      addChunk(keys, start, Math.min(start + LongSubject.CHUNK, keys.length));
    }
  }

  final int count(K[] keys) {
    int hits = 0;
    for (int start = 0; start < keys.length; start += LongSubject.CHUNK) {
      hits += countChunk(keys, start, Math.min(start + LongSubject.CHUNK, keys.length));
    }
    return hits;
  }
}
