package io.bloomery.internal.bits;

/**
 * Numbers of 1…64 bits, packed without gaps into {@link Words}: number {@code i} of width {@code w}
 * is bits {@code i·w … i·w+w-1}, lowest bit first, and may span two words.
 */
public final class Packed {

  private Packed() {}

  /** How many words hold this many numbers; {@code count · width} must fit into a {@code long}. */
  public static long wordsFor(long count, int width) {
    return Words.wordsFor(Math.multiplyExact(count, width));
  }

  /** Number {@code i}. */
  public static long get(Words words, int width, long i) {
    long bit = i * width;
    long word = bit >>> 6;
    int shift = (int) bit & 63;
    long value = words.get(word) >>> shift;
    if (shift + width > Long.SIZE) {
      value |= words.get(word + 1) << -shift;
    }
    return value & (-1L >>> -width);
  }

  /** Replaces number {@code i}, not atomically. Bits of {@code value} above the width are lost. */
  public static void set(Words words, int width, long i, long value) {
    long[] heap = words.writable();
    long bit = i * width;
    int word = Words.BASE + (int) (bit >>> 6);
    int shift = (int) bit & 63;
    long mask = -1L >>> -width;
    long low = value & mask;
    heap[word] = (heap[word] & ~(mask << shift)) | (low << shift);
    if (shift + width > Long.SIZE) {
      heap[word + 1] = (heap[word + 1] & ~(mask >>> -shift)) | (low >>> -shift);
    }
  }
}
