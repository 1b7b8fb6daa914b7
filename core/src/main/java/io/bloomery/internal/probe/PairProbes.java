package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * Tests whether one of several arrays of blocks has all bits of a hash, for blocks of which a key
 * touches two words, with the bits that {@link BlockProbes} defines. The masks of a hash are the
 * same in all arrays, so that an array costs a multiplication and two words of one cache line.
 *
 * <p>The three newest arrays, which hold most keys, are written out: a loop over so few costs more
 * than its body (decision 030).
 */
public final class PairProbes {

  private static final int WRITTEN_OUT = 3;

  private final long[] patterns;
  private final int high;
  private final int count;
  private final long[] newest;
  private final long[] second;
  private final long[] third;
  private final long[][] heaps;

  /**
   * Probes of arrays laid out as {@link Words#heap}, the newest last, with blocks of {@code
   * blockWords} words (2, 4 or 8) of which a key sets {@code bitsPerWord} bits in each of two.
   */
  public PairProbes(int blockWords, int bitsPerWord, long[][] heaps) {
    this.patterns = Patterns.complements(bitsPerWord);
    this.high = blockWords - 2;
    this.count = heaps.length;
    this.heaps = heaps.clone();
    newest = heaps[count - 1];
    second = heaps[Math.max(0, count - 2)];
    third = heaps[Math.max(0, count - WRITTEN_OUT)];
  }

  /** Whether all bits of a hash are set in one of the arrays. */
  public boolean anySet(long hash) {
    long pattern = patterns[(int) hash & (patterns.length - 1)];
    long one = Long.rotateLeft(pattern, (int) (hash >>> 13));
    long two = Long.rotateLeft(pattern, (int) (hash >>> 19));
    int partner = 1 | ((int) (hash >>> 9) & high);
    return cover(hash, newest, one, two, partner) == -1
        || (count > 1 && cover(hash, second, one, two, partner) == -1)
        || (count > 2 && cover(hash, third, one, two, partner) == -1)
        || (count > WRITTEN_OUT && anySetInOlder(hash, one, two, partner));
  }

  private boolean anySetInOlder(long hash, long one, long two, int partner) {
    for (int i = count - WRITTEN_OUT - 1; i >= 0; i--) {
      if (cover(hash, heaps[i], one, two, partner) == -1) {
        return true;
      }
    }
    return false;
  }

  private static long cover(long hash, long[] heap, long one, long two, int partner) {
    int q = (int) Math.multiplyHigh(hash >>> 1, 2L * (heap.length - Words.BASE));
    return (heap[Words.BASE + q] | one) & (heap[Words.BASE + (q ^ partner)] | two);
  }
}
