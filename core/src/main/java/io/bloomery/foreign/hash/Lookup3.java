package io.bloomery.foreign.hash;

/** Jenkins' lookup3, {@code hashlittle} (Jenkins 2006): 32 bits of a byte string. */
public final class Lookup3 {

  private static final int BLOCK = 12;

  private Lookup3() {}

  /** The hash of a range of an array. */
  public static int hash32(byte[] bytes, int offset, int length, int seed) {
    int a = 0xdeadbeef + length + seed;
    int b = a;
    int c = a;
    int at = offset;
    int left = length;
    for (; left > BLOCK; left -= BLOCK, at += BLOCK) {
      a += word(bytes, at, 4);
      b += word(bytes, at + 4, 4);
      c += word(bytes, at + 8, 4);
      a = (a - c) ^ Integer.rotateLeft(c, 4);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 6);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 8);
      b += a;
      a = (a - c) ^ Integer.rotateLeft(c, 16);
      c += b;
      b = (b - a) ^ Integer.rotateLeft(a, 19);
      a += c;
      c = (c - b) ^ Integer.rotateLeft(b, 4);
      b += a;
    }
    if (left == 0) {
      return c;
    }
    a += word(bytes, at, left);
    b += word(bytes, at + 4, left - 4);
    c += word(bytes, at + 8, left - 8);
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    return (c ^ b) - Integer.rotateLeft(b, 24);
  }

  /** Up to 4 bytes, the first is the lowest; missing ones are 0. */
  private static int word(byte[] bytes, int at, int left) {
    int word = 0;
    for (int i = Math.min(left, Integer.BYTES) - 1; i >= 0; i--) {
      word = word << Byte.SIZE | Byte.toUnsignedInt(bytes[at + i]);
    }
    return word;
  }
}
