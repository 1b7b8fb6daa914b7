package io.bloomery.cli;

import io.bloomery.hash.Hasher;

/** Hashes keys and hands the hashes on, many at a time. */
final class HashBatch implements KeySink {

  /** Takes hashes. */
  @FunctionalInterface
  interface Target {
    /** The hashes {@code from…to-1}; the array changes afterwards. */
    void add(long[] hashes, int from, int to);
  }

  private final Hasher hasher;
  private final Target target;
  private final long[] hashes = new long[4096];
  private int count;

  /** Hashes with {@code hasher}. */
  HashBatch(Hasher hasher, Target target) {
    this.hasher = hasher;
    this.target = target;
  }

  @Override
  public void key(byte[] bytes, int offset, int length) {
    hashes[count++] = hasher.hash(bytes, offset, length);
    if (count == hashes.length) {
      flush();
    }
  }

  /** Hands on what is left. */
  void flush() {
    target.add(hashes, 0, count);
    count = 0;
  }
}
