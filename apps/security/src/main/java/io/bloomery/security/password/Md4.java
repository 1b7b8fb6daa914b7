package io.bloomery.security.password;

import java.util.Arrays;

/**
 * MD4 of a short message (RFC 1320), for NTLM hashes; most JDKs bring none. Broken as a
 * cryptographic hash: it only stands for passwords as the published lists do.
 */
final class Md4 {

  /** The length of a digest. */
  static final int BYTES = 16;

  private static final int BLOCK = 64;
  private static final int[][] SHIFTS = {{3, 7, 11, 19}, {3, 5, 9, 13}, {3, 9, 11, 15}};
  private static final int[] ADDENDS = {0, 0x5A827999, 0x6ED9EBA1};
  private static final int[][] ORDERS = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15},
    {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}
  };

  private Md4() {}

  /** Writes the digest of the first bytes of a message to {@code out}. */
  static void digest(byte[] message, int length, byte[] out) {
    int blocks = (length + Long.BYTES) / BLOCK + 1;
    byte[] padded = new byte[blocks * BLOCK];
    System.arraycopy(message, 0, padded, 0, length);
    padded[length] = (byte) 0x80;
    long bits = (long) length * Byte.SIZE;
    for (int i = 0; i < Long.BYTES; i++) {
      padded[padded.length - Long.BYTES + i] = (byte) (bits >>> (i * Byte.SIZE));
    }
    int[] state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
    int[] words = new int[BLOCK / Integer.BYTES];
    for (int block = 0; block < blocks; block++) {
      for (int i = 0; i < words.length; i++) {
        words[i] = word(padded, block * BLOCK + i * Integer.BYTES);
      }
      mix(state, words);
    }
    Arrays.fill(padded, (byte) 0);
    Arrays.fill(words, 0);
    for (int i = 0; i < BYTES; i++) {
      out[i] = (byte) (state[i / Integer.BYTES] >>> (i % Integer.BYTES * Byte.SIZE));
    }
  }

  private static int word(byte[] bytes, int at) {
    return (bytes[at] & 0xFF)
        | ((bytes[at + 1] & 0xFF) << 8)
        | ((bytes[at + 2] & 0xFF) << 16)
        | (bytes[at + 3] << 24);
  }

  private static void mix(int[] state, int[] words) {
    int a = state[0];
    int b = state[1];
    int c = state[2];
    int d = state[3];
    for (int round = 0; round < ORDERS.length; round++) {
      for (int step = 0; step < words.length; step++) {
        int chosen =
            switch (round) {
              case 0 -> (b & c) | (~b & d);
              case 1 -> (b & c) | (b & d) | (c & d);
              default -> b ^ c ^ d;
            };
        int sum = a + chosen + words[ORDERS[round][step]] + ADDENDS[round];
        a = d;
        d = c;
        c = b;
        b = Integer.rotateLeft(sum, SHIFTS[round][step % 4]);
      }
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
  }
}
