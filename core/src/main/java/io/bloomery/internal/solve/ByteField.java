package io.bloomery.internal.solve;

/**
 * The field of 256 elements, x^8 + x^4 + x^3 + x^2 + 1: products of bytes, eight of them in a word,
 * by one factor.
 */
public final class ByteField {

  private static final int POLYNOMIAL = 0x1D;
  private static final long ONES = 0x0101010101010101L;
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;

  private static final byte[] INVERSES = new byte[256];

  static {
    for (int a = 1; a < 256; a++) {
      for (int b = a; b < 256; b++) {
        if (multiply((long) a, b) == 1) {
          INVERSES[a] = (byte) b;
          INVERSES[b] = (byte) a;
        }
      }
    }
  }

  private ByteField() {}

  /** Each byte of a word times a factor of 0 … 255. */
  public static long multiply(long word, int factor) {
    long product = word & -(factor & 1);
    long shifted = word;
    for (int bit = 1; bit < Byte.SIZE; bit++) {
      shifted = ((shifted & LOW_BITS) << 1) ^ ((shifted >>> 7 & ONES) * POLYNOMIAL);
      product ^= shifted & -(factor >>> bit & 1);
    }
    return product;
  }

  /** The inverse of 1 … 255. */
  public static int invert(int factor) {
    return INVERSES[factor] & 0xFF;
  }
}
