package io.bloomery.frequency;

import io.bloomery.internal.bits.Words;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bits with a running count of set bits, so that a query can use the fill without reading all of
 * them. Threads: lock-free; the count is exact whenever no thread is adding.
 */
final class CountedBits {

  private static final long UNKNOWN = -1;

  private final Words words;
  private final long bits;
  private final AtomicLong set;

  /** Takes existing words; those of a mapped file are counted when the fill is first needed. */
  CountedBits(Words words, long bits) {
    this.words = words;
    this.bits = bits;
    this.set = new AtomicLong(words.isReadOnly() ? UNKNOWN : words.bitCount());
  }

  static CountedBits allocate(long bits) {
    return new CountedBits(Words.forBits(bits, true), bits);
  }

  Words words() {
    return words;
  }

  boolean get(long bit) {
    return words.getBit(bit);
  }

  /** Sets a bit; true if it was 0, for exactly one of the threads that set it. */
  boolean set(long bit) {
    if (!words.setBit(bit)) {
      return false;
    }
    set.incrementAndGet();
    return true;
  }

  void orAll(CountedBits other) {
    for (long i = 0; i < words.length(); i++) {
      for (long left = other.words.get(i); left != 0; left &= left - 1) {
        set((i << 6) + Long.numberOfTrailingZeros(left));
      }
    }
  }

  /** The share of bits that are set. */
  double fill() {
    long count = set.get();
    if (count == UNKNOWN) {
      count = words.bitCount();
      set.set(count);
    }
    return (double) count / bits;
  }

  CountedBits copy() {
    return new CountedBits(words.copy(), bits);
  }
}
