package io.bloomery.internal.code;

import io.bloomery.internal.bits.Words;

/**
 * Bits at any position of {@link Words}, lowest first, up to 64 at a time. A store that is read
 * here has one word beyond its bits, so that a read from any position, including the end, may read
 * two words.
 */
final class BitString {

  private BitString() {}

  /** How many words hold this many bits, including those that reads may touch. */
  static long wordsFor(long bits) {
    return (bits >>> 6) + 2;
  }

  /** The 64 bits from {@code position} on. */
  static long window(Words words, long position) {
    long word = position >>> 6;
    int shift = (int) position;
    // Two shifts, because one by 64 would be one by 0.
    return (words.get(word) >>> shift) | (words.get(word + 1) << 1 << ~shift);
  }

  /** The {@code width} bits from {@code position} on; {@code mask} has that many ones. */
  static long get(Words words, long position, long mask) {
    return window(words, position) & mask;
  }

  /** Whether all bits from {@code position} on are zero. */
  static boolean isZeroFrom(Words words, long position) {
    return words.bitCountOfBits(position, words.length() * Long.SIZE) == 0;
  }

  /** A word with this many ones, 0…64. */
  static long mask(int width) {
    return width == 0 ? 0 : -1L >>> -width;
  }

  /** Sets the bits of {@code value}, which has up to 64, from {@code position} on. */
  static void or(Words words, long position, long value) {
    long[] heap = words.writable();
    int word = Words.BASE + (int) (position >>> 6);
    int shift = (int) position;
    heap[word] |= value << shift;
    heap[word + 1] |= value >>> 1 >>> ~shift;
  }
}
