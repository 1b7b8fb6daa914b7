package io.bloomery.similarity;

import java.util.SplittableRandom;

/** Random bit vectors. */
final class Vectors {

  private Vectors() {}

  /** Each bit is set with probability 1/2. */
  static byte[] random(SplittableRandom random, int bits) {
    byte[] vector = new byte[(bits + 7) / 8];
    random.nextBytes(vector);
    return vector;
  }

  /** A copy with this many distinct bits flipped. */
  static byte[] flipped(SplittableRandom random, byte[] vector, int flips) {
    byte[] copy = vector.clone();
    for (int left = flips; left > 0; ) {
      int bit = random.nextInt(8 * vector.length);
      int mask = 1 << (bit & 7);
      if (((copy[bit >>> 3] ^ vector[bit >>> 3]) & mask) == 0) {
        copy[bit >>> 3] ^= (byte) mask;
        left--;
      }
    }
    return copy;
  }
}
