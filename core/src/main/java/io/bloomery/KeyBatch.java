package io.bloomery;

/** Hashes on their way into a filter, in batches, which filters add faster and lock once. */
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

  /** Adds what is left; call it after the last hash. */
  void flush() {
    int pending = count;
    count = 0;
    filter.addHashes(hashes, 0, pending);
  }
}
