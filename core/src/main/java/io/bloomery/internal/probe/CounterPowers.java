package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;

/**
 * {@link Powers} among counters of 2, 4, 8 or 16 bits in whole words, without a loop for up to 10
 * positions: the product of t and the number of words gives the word in its upper bits, and the
 * bits below them, those within a counter cleared, the counter's place. {@link CounterProbes} says
 * how a threshold is tested. What is asked and added most, whether counters of 4 bits are above 0
 * and one more in each, has methods in which width and threshold are constants: as fields they take
 * registers that a query of seven positions does not have.
 */
final class CounterPowers {

  private static final int GROUP = 3;
  private static final int MAX_WIDTH = 16;
  private static final int NIBBLE = 15;

  private final int count;
  private final int max;
  private final long clear;
  private final long words;

  private CounterPowers(int count, int width, long words) {
    this.count = count;
    this.max = (1 << width) - 1;
    this.clear = -width;
    this.words = words;
  }

  /** For so many counters, or null if they take the plain loops. */
  static CounterPowers of(long counters, int count, int width) {
    if (width > MAX_WIDTH || Integer.bitCount(width) != 1 || count < GROUP) {
      return null;
    }
    long perWord = Long.SIZE / width;
    boolean fits = counters % perWord == 0 && counters / perWord <= Powers.MAX_WORDS;
    return fits ? new CounterPowers(count, width, counters / perWord) : null;
  }

  /**
   * The counters if they have 4 bits and are on the heap, otherwise null; for {@link #allNibbles}
   * and {@link #raiseNibbles}.
   */
  long[] nibbles(Words store) {
    return max == NIBBLE ? store.heap() : null;
  }

  /** Whether all counters of a hash are above 0. */
  boolean allNibbles(long hash, long[] heap) {
    long n = words;
    long x = Powers.product(hash * Powers.C1, n);
    long y = Powers.product(hash * Powers.C2, n);
    long z = Powers.product(hash * Powers.C3, n);
    return (-nibble(x, heap) & -nibble(y, heap) & -nibble(z, heap)) < 0
        && otherNibbles(hash, heap, n);
  }

  private boolean otherNibbles(long hash, long[] heap, long n) {
    if (count == GROUP + 4) { // a rate of 1 %
      long x = Powers.product(hash * Powers.C4, n);
      long y = Powers.product(hash * Powers.C5, n);
      long z = Powers.product(hash * Powers.C6, n);
      long u = Powers.product(hash * Powers.C7, n);
      return (-nibble(x, heap) & -nibble(y, heap) & -nibble(z, heap) & -nibble(u, heap)) < 0;
    }
    long a = hash * Powers.C3;
    int all = -1;
    for (int i = GROUP; i < count; i++) {
      a *= Powers.C1;
      all &= -nibble(Powers.product(a, n), heap);
    }
    return all < 0;
  }

  /** A counter of 4 bits. */
  private static int nibble(long product, long[] heap) {
    int bit = (int) (product >>> Powers.BIT_SHIFT) & -4;
    return (int) (heap[(bit + Powers.FIRST) >>> 6] >>> bit) & NIBBLE;
  }

  /** Adds 1 to every counter of 4 bits, as often as it occurs; whether one of them was 0. */
  boolean raiseNibbles(long hash, long[] heap) {
    long n = words;
    if (count == GROUP + 4) { // a rate of 1 %
      return (raise(Powers.product(hash * Powers.C1, n), heap)
              | raise(Powers.product(hash * Powers.C2, n), heap)
              | raise(Powers.product(hash * Powers.C3, n), heap)
              | raise(Powers.product(hash * Powers.C4, n), heap)
              | raise(Powers.product(hash * Powers.C5, n), heap)
              | raise(Powers.product(hash * Powers.C6, n), heap)
              | raise(Powers.product(hash * Powers.C7, n), heap))
          < 0;
    }
    long a = hash;
    int zeros = 0;
    for (int i = 0; i < count; i++) {
      a *= Powers.C1;
      zeros |= raise(Powers.product(a, n), heap);
    }
    return zeros < 0;
  }

  /** Adds 1 to one counter of 4 bits unless it is full; negative if it was 0. */
  private static int raise(long product, long[] heap) {
    int shift = (int) (product >>> Powers.BIT_SHIFT) & -4;
    int at = (shift + Powers.FIRST) >>> 6;
    long old = heap[at];
    int value = (int) (old >>> shift) & NIBBLE;
    if (value != NIBBLE) { // a branch that is never taken takes less time than arithmetic
      heap[at] = old + (1L << shift);
    }
    return value - 1;
  }

  /** Whether all counters of a hash are {@code threshold} or more. */
  boolean allAtLeast(long hash, long threshold, long[] heap) {
    long n = words;
    long bias = max + 1L - threshold;
    long x = Powers.product(hash * Powers.C1, n);
    long y = Powers.product(hash * Powers.C2, n);
    long z = Powers.product(hash * Powers.C3, n);
    long all = (value(x, heap) + bias) & (value(y, heap) + bias) & (value(z, heap) + bias);
    return all > max && (all & rest(hash * Powers.C3, bias, heap, n)) > max;
  }

  private long rest(long from, long bias, long[] heap, long n) {
    int left = count - GROUP;
    long a = from;
    long all = -1;
    for (; left > 3; left -= 4) {
      all &= four(a, bias, heap, n);
      a *= Powers.C4;
    }
    if ((left & 2) != 0) {
      long x = Powers.product(a * Powers.C1, n);
      a *= Powers.C2;
      long y = Powers.product(a, n);
      all &= (value(x, heap) + bias) & (value(y, heap) + bias);
    }
    return (left & 1) != 0 ? all & (value(Powers.product(a * Powers.C1, n), heap) + bias) : all;
  }

  private long four(long a, long bias, long[] heap, long n) {
    long x = Powers.product(a * Powers.C1, n);
    long y = Powers.product(a * Powers.C2, n);
    long z = Powers.product(a * Powers.C3, n);
    long u = Powers.product(a * Powers.C4, n);
    return (value(x, heap) + bias)
        & (value(y, heap) + bias)
        & (value(z, heap) + bias)
        & (value(u, heap) + bias);
  }

  private long value(long product, long[] heap) {
    long word = heap[Words.BASE + (int) (product >>> Powers.BITS)];
    return (word >>> ((product >>> Powers.BIT_SHIFT) & clear)) & max;
  }

  /**
   * Adds to every counter of a hash, as often as it occurs; how many of them were 0. In one piece,
   * and so too long to be inlined beside {@link #raiseNibbles} (325 bytes of bytecode).
   */
  int fill(long hash, long by, Counters counters) {
    Words store = counters.words();
    long[] heap = store.writable();
    int step = (int) Math.min(by, max);
    long n = words;
    long a = hash;
    int left = count;
    int zeros = 0;
    if (store.isShared()) {
      for (; left > 0; left--) {
        a *= Powers.C1;
        long product = Powers.product(a, n);
        long word = product >>> Powers.BITS;
        long shift = (product >>> Powers.BIT_SHIFT) & clear;
        long old;
        long next;
        do {
          old = store.get(word);
          next = old + ((long) increase(old >>> shift, step) << shift);
        } while (next != old && !store.replace(word, old, next));
        zeros += isZero(old >>> shift);
      }
      return zeros;
    }
    for (; left > 3; left -= 4) {
      zeros += add(Powers.product(a * Powers.C1, n), step, heap);
      zeros += add(Powers.product(a * Powers.C2, n), step, heap);
      zeros += add(Powers.product(a * Powers.C3, n), step, heap);
      zeros += add(Powers.product(a * Powers.C4, n), step, heap);
      a *= Powers.C4;
    }
    if ((left & 2) != 0) {
      zeros += add(Powers.product(a * Powers.C1, n), step, heap);
      zeros += add(Powers.product(a * Powers.C2, n), step, heap);
      a *= Powers.C2;
    }
    return (left & 1) != 0 ? zeros + add(Powers.product(a * Powers.C1, n), step, heap) : zeros;
  }

  /** Adds to one counter by a plain store; 1 if it was 0. */
  private int add(long product, int by, long[] heap) {
    int at = Words.BASE + (int) (product >>> Powers.BITS);
    long shift = (product >>> Powers.BIT_SHIFT) & clear;
    long old = heap[at];
    heap[at] = old + ((long) increase(old >>> shift, by) << shift);
    return isZero(old >>> shift);
  }

  /** By how much the lowest counter of a word grows. */
  private int increase(long word, int by) {
    int value = (int) word & max;
    return Math.min(value + by, max) - value;
  }

  /** 1 if the lowest counter of a word is 0, otherwise 0. */
  private int isZero(long word) {
    return (((int) word & max) - 1) >>> 31;
  }
}
