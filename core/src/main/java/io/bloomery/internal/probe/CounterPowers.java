package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.bits.Words;
import org.jspecify.annotations.Nullable;

/**
 * {@link Powers} among counters of 2, 4, 8 or 16 bits in whole words, without a loop for up to 10
 * positions: the product of t and the number of words gives the word in its upper bits, and the
 * bits below them, those within a counter cleared, the counter's place. {@link CounterProbes} says
 * how a threshold is tested. The most common operations, testing whether counters of 4 bits are
 * above 0 and adding 1 to each, have methods in which width and threshold are constants: as fields
 * they would take registers that a query of seven positions does not have.
 */
final class CounterPowers {

  private static final int GROUP = 3;
  private static final int MAX_WIDTH = 16;
  private static final int NIBBLE = 15;

  private final int count;
  private final int max;
  private final long clear;
  private final long words;

  /** Whether the product of t and the number of words takes more than 64 bits. */
  private final boolean far;

  private CounterPowers(int count, int width, long words) {
    this.count = count;
    this.max = (1 << width) - 1;
    this.clear = -width;
    this.words = words;
    this.far = words > Powers.MAX_WORDS;
  }

  /** For this many counters, or null if they take the plain loops. */
  static @Nullable CounterPowers of(long counters, int count, int width) {
    if (width > MAX_WIDTH || Integer.bitCount(width) != 1 || count < GROUP) {
      return null;
    }
    long perWord = Long.SIZE / width;
    return counters % perWord == 0 ? new CounterPowers(count, width, counters / perWord) : null;
  }

  /**
   * The counters if they have 4 bits, are on the heap and at most 2^28 bits, otherwise null; for
   * {@link #allNibbles} and {@link #raiseNibbles}.
   */
  long @Nullable [] nibbles(Words store) {
    return max == NIBBLE && !far ? store.heap() : null;
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

  /**
   * Adds 1 to every counter of 4 bits, as often as it occurs; returns whether any of them was 0.
   */
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
    if (far && threshold == 1 && max == NIBBLE && count == GROUP + 4) {
      return farNibbles(hash, heap);
    }
    long bias = max + 1L - threshold;
    long x = shift(hash * Powers.C1);
    long y = shift(hash * Powers.C2);
    long z = shift(hash * Powers.C3);
    long all = (value(x, heap) + bias) & (value(y, heap) + bias) & (value(z, heap) + bias);
    return all > max && (all & rest(hash * Powers.C3, bias, heap)) > max;
  }

  private long rest(long from, long bias, long[] heap) {
    int left = count - GROUP;
    long a = from;
    long all = -1;
    for (; left > 3; left -= 4) {
      all &= four(a, bias, heap);
      a *= Powers.C4;
    }
    if ((left & 2) != 0) {
      long x = shift(a * Powers.C1);
      a *= Powers.C2;
      long y = shift(a);
      all &= (value(x, heap) + bias) & (value(y, heap) + bias);
    }
    return (left & 1) != 0 ? all & (value(shift(a * Powers.C1), heap) + bias) : all;
  }

  private long four(long a, long bias, long[] heap) {
    long x = shift(a * Powers.C1);
    long y = shift(a * Powers.C2);
    long z = shift(a * Powers.C3);
    long u = shift(a * Powers.C4);
    return (value(x, heap) + bias)
        & (value(y, heap) + bias)
        & (value(z, heap) + bias)
        & (value(u, heap) + bias);
  }

  /**
   * Whether seven counters of 4 bits are above 0 in more than 2^28 bits. Beyond the cache, the
   * instructions between two reads determine the time, so none are wasted.
   */
  private boolean farNibbles(long hash, long[] heap) {
    long bits = words * Long.SIZE;
    long x = Powers.high(hash * Powers.C1, bits);
    long y = Powers.high(hash * Powers.C2, bits);
    long z = Powers.high(hash * Powers.C3, bits);
    if ((-farNibble(x, heap) & -farNibble(y, heap) & -farNibble(z, heap)) >= 0) {
      return false;
    }
    x = Powers.high(hash * Powers.C4, bits);
    y = Powers.high(hash * Powers.C5, bits);
    z = Powers.high(hash * Powers.C6, bits);
    long u = Powers.high(hash * Powers.C7, bits);
    int all = -farNibble(x, heap) & -farNibble(y, heap);
    return (all & -farNibble(z, heap) & -farNibble(u, heap)) < 0;
  }

  private static int farNibble(long bit, long[] heap) {
    return (int) (heap[Powers.word(bit)] >>> (bit & -4)) & NIBBLE;
  }

  /** Where the counter of a power begins: the number of its lowest bit. */
  private long shift(long a) {
    long bit =
        far ? Powers.high(a, words * Long.SIZE) : Powers.product(a, words) >>> Powers.BIT_SHIFT;
    return bit & clear;
  }

  private long value(long shift, long[] heap) {
    return heap[Powers.word(shift)] >>> shift & max;
  }

  /**
   * Adds to every counter of a hash, as often as it occurs; returns how many of them were 0. In one
   * piece, and so too long to be inlined beside {@link #raiseNibbles} (325 bytes of bytecode).
   */
  int fill(long hash, long by, Counters counters) {
    Words store = counters.words();
    long[] heap = store.writable();
    int step = (int) Math.min(by, max);
    long a = hash;
    int left = count;
    int zeros = 0;
    if (store.isShared()) {
      for (; left > 0; left--) {
        a *= Powers.C1;
        long shift = shift(a);
        long word = shift >>> 6;
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
      zeros += add(shift(a * Powers.C1), step, heap);
      zeros += add(shift(a * Powers.C2), step, heap);
      zeros += add(shift(a * Powers.C3), step, heap);
      zeros += add(shift(a * Powers.C4), step, heap);
      a *= Powers.C4;
    }
    if ((left & 2) != 0) {
      zeros += add(shift(a * Powers.C1), step, heap);
      zeros += add(shift(a * Powers.C2), step, heap);
      a *= Powers.C2;
    }
    return (left & 1) != 0 ? zeros + add(shift(a * Powers.C1), step, heap) : zeros;
  }

  /** Adds to one counter by a plain store; 1 if it was 0. */
  private int add(long shift, int by, long[] heap) {
    int at = Powers.word(shift);
    long old = heap[at];
    heap[at] = old + ((long) increase(old >>> shift, by) << shift);
    return isZero(old >>> shift);
  }

  /** The amount by which the lowest counter of a word grows. */
  private int increase(long word, int by) {
    int value = (int) word & max;
    return Math.min(value + by, max) - value;
  }

  /** 1 if the lowest counter of a word is 0, otherwise 0. */
  private int isZero(long word) {
    return (((int) word & max) - 1) >>> 31;
  }
}
