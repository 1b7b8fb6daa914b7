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
    return (above(x, heap) & above(y, heap) & above(z, heap)) > NIBBLE
        && otherNibbles(hash * Powers.C3, heap, n) > NIBBLE;
  }

  private long otherNibbles(long from, long[] heap, long n) {
    if (count == GROUP + 4) { // a rate of 1 %
      long x = Powers.product(from * Powers.C1, n);
      long y = Powers.product(from * Powers.C2, n);
      long z = Powers.product(from * Powers.C3, n);
      long u = Powers.product(from * Powers.C4, n);
      return above(x, heap) & above(y, heap) & above(z, heap) & above(u, heap);
    }
    long a = from;
    long all = Long.MAX_VALUE;
    for (int i = GROUP; i < count; i++) {
      a *= Powers.C1;
      all &= above(Powers.product(a, n), heap);
    }
    return all;
  }

  /** A counter of 4 bits and 15, which is more than 15 unless the counter is 0. */
  private static long above(long product, long[] heap) {
    long word = heap[Words.BASE + (int) (product >>> Powers.BITS)];
    return (word >>> ((product >>> Powers.BIT_SHIFT) & -4) & NIBBLE) + NIBBLE;
  }

  /** Adds 1 to every counter of 4 bits, as often as it occurs; whether one of them was 0. */
  boolean raiseNibbles(long hash, long[] heap) {
    long n = words;
    int left = count;
    long a = hash;
    int zeros = 0;
    for (; left > 3; left -= 4) {
      zeros |=
          raise(Powers.product(a * Powers.C1, n), heap)
              | raise(Powers.product(a * Powers.C2, n), heap)
              | raise(Powers.product(a * Powers.C3, n), heap)
              | raise(Powers.product(a * Powers.C4, n), heap);
      a *= Powers.C4;
    }
    for (; left > 0; left--) {
      a *= Powers.C1;
      zeros |= raise(Powers.product(a, n), heap);
    }
    return zeros < 0;
  }

  /** Adds 1 to one counter of 4 bits unless it is full; negative if it was 0. */
  private static int raise(long product, long[] heap) {
    int at = Words.BASE + (int) (product >>> Powers.BITS);
    long shift = (product >>> Powers.BIT_SHIFT) & -4;
    long old = heap[at];
    int value = (int) (old >>> shift) & NIBBLE;
    heap[at] = old + ((((value + 1L) >>> 4) ^ 1) << shift);
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

  /** Adds to every counter of a hash, as often as it occurs; how many of them were 0. */
  int fill(long hash, long by, Counters counters) {
    Words store = counters.words();
    long[] heap = store.writable();
    int step = (int) Math.min(by, max);
    return store.isShared() ? fillShared(hash, step, store) : fillPlain(hash, step, heap);
  }

  private int fillPlain(long hash, int by, long[] heap) {
    long n = words;
    int left = count;
    long a = hash;
    int zeros = 0;
    for (; left > 3; left -= 4) {
      zeros +=
          add(Powers.product(a * Powers.C1, n), by, heap)
              + add(Powers.product(a * Powers.C2, n), by, heap)
              + add(Powers.product(a * Powers.C3, n), by, heap)
              + add(Powers.product(a * Powers.C4, n), by, heap);
      a *= Powers.C4;
    }
    if ((left & 2) != 0) {
      zeros += add(Powers.product(a * Powers.C1, n), by, heap);
      a *= Powers.C2;
      zeros += add(Powers.product(a, n), by, heap);
    }
    return (left & 1) != 0 ? zeros + add(Powers.product(a * Powers.C1, n), by, heap) : zeros;
  }

  /** Adds to one counter by a plain store; 1 if it was 0. */
  private int add(long product, int by, long[] heap) {
    int at = Words.BASE + (int) (product >>> Powers.BITS);
    long shift = (product >>> Powers.BIT_SHIFT) & clear;
    long old = heap[at];
    int value = (int) (old >>> shift) & max;
    heap[at] = old + ((long) (Math.min(value + by, max) - value) << shift);
    return (value - 1) >>> 31;
  }

  private int fillShared(long hash, int by, Words store) {
    long a = hash;
    int zeros = 0;
    for (int i = 0; i < count; i++) {
      a *= Powers.C1;
      zeros += addAtomically(Powers.product(a, words), by, store);
    }
    return zeros;
  }

  private int addAtomically(long product, int by, Words store) {
    long word = product >>> Powers.BITS;
    long shift = (product >>> Powers.BIT_SHIFT) & clear;
    while (true) {
      long old = store.get(word);
      int value = (int) (old >>> shift) & max;
      long next = old + ((long) (Math.min(value + by, max) - value) << shift);
      if (next == old || store.replace(word, old, next)) {
        return (value - 1) >>> 31;
      }
    }
  }
}
