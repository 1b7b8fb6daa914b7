package io.bloomery;

/**
 * Collects hashes and adds them to a filter in batches: a batch adds faster and takes a lock only
 * once.
 */
final class KeyBatch {

  private static final int SIZE = 256;

  private final AddableFilter filter;
  private final long[] hashes = new long[SIZE];
  private int count;

  KeyBatch(AddableFilter filter) {
    this.filter = filter;
  }

  void add(long hash) {
    if (count == SIZE) {
      flush();
    }
    hashes[count++] = hash;
  }

  /** Adds the remaining hashes; call it after the last one. */
  void flush() {
    int pending = count;
    count = 0;
    filter.addHashes(hashes, 0, pending);
  }
}
