package io.bloomery.bench;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;

/**
 * A lower bound for any filter: the hash of each key, alone ({@link HashAlone}) or followed by one
 * independent random read ({@link RawRead}). The loops have no branch on the data.
 */
abstract class PhysicalRow extends LongSubject {

  final Hasher hasher = Hasher.xxh3();

  static final class HashAlone extends PhysicalRow {

    @Override
    void create(int keys, double rate) {}

    @Override
    boolean query(long key) {
      return hasher.hash(key) == 0;
    }

    @Override
    int countChunk(long[] keys, int from, int to) {
      Hasher h = hasher;
      long sum = 0;
      for (int i = from; i < to; i++) {
        sum += h.hash(keys[i]);
      }
      return (int) sum;
    }

    @Override
    long sizeInBits() {
      return 0;
    }
  }

  /** Reads one word of an array as large as the library's default filter for the workload. */
  static final class RawRead extends PhysicalRow implements LongSubject.Batches {

    private final int[] indexes = new int[CHUNK];
    private long[] words;

    @Override
    void create(int keys, double rate) {
      words = words(keys, rate);
    }

    static long[] words(int keys, double rate) {
      long bits = BlockedBloomFilter.create(keys, rate).sizeInBits();
      return Keys.range(0, 0, Math.toIntExact(bits / Long.SIZE));
    }

    @Override
    boolean query(long key) {
      return words[index(hasher.hash(key), words.length)] == 0;
    }

    static int index(long hash, int length) {
      return (int) Math.multiplyHigh(hash >>> 1, (long) length << 1);
    }

    @Override
    int countChunk(long[] keys, int from, int to) {
      Hasher h = hasher;
      long[] w = words;
      long sum = 0;
      for (int i = from; i < to; i++) {
        sum += w[index(h.hash(keys[i]), w.length)];
      }
      return (int) sum;
    }

    @Override
    public int countBatch(long[] keys, int from, int to) {
      Hasher h = hasher;
      long[] w = words;
      int size = to - from;
      for (int i = 0; i < size; i++) {
        indexes[i] = index(h.hash(keys[from + i]), w.length);
      }
      long sum = 0;
      for (int i = 0; i < size; i++) {
        sum += w[indexes[i]];
      }
      return (int) sum;
    }

    @Override
    long sizeInBits() {
      return (long) words.length * Long.SIZE;
    }
  }
}
