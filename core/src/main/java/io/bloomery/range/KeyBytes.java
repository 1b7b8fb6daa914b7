package io.bloomery.range;

/** Byte strings of one length, read as large numbers whose first byte is the highest. */
final class KeyBytes {

  private KeyBytes() {}

  /** The first {@code width} bytes of a key, filled up with zeros. */
  static byte[] padded(byte[] bytes, int offset, int length, int width) {
    byte[] key = new byte[width];
    System.arraycopy(bytes, offset, key, 0, Math.min(length, width));
    return key;
  }

  /** The lowest {@code bits} bits, 0 … 63. */
  static long low(byte[] key, int bits) {
    long low = 0;
    for (int i = Math.max(0, key.length - Long.BYTES); i < key.length; i++) {
      low = low << Byte.SIZE | (key[i] & 0xFF);
    }
    return low & ((1L << bits) - 1);
  }

  /** Zeros the lowest {@code bits} bits. */
  static void clearLow(byte[] key, int bits) {
    int left = bits;
    for (int i = key.length - 1; i >= 0 && left > 0; i--, left -= Byte.SIZE) {
      key[i] &= (byte) (left >= Byte.SIZE ? 0 : 0xFF << left);
    }
  }

  /** Adds 2 to the power of {@code bits}; the sum fits. */
  static void add(byte[] key, int bits) {
    int carry = 1 << (bits % Byte.SIZE);
    for (int i = key.length - 1 - bits / Byte.SIZE; i >= 0 && carry != 0; i--) {
      int sum = (key[i] & 0xFF) + carry;
      key[i] = (byte) sum;
      carry = sum >>> Byte.SIZE;
    }
  }
}
