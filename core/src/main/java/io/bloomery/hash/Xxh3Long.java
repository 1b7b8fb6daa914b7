package io.bloomery.hash;

/**
 * XXH3-64 of exactly 8 bytes, given as a number little-endian. hash4j computes the same; written
 * out here because this is the hottest code of the library: a rotation instead of two shifts, and
 * no interface call. The tests hold it to the published vectors and to the hash of 8 bytes.
 */
final class Xxh3Long {

  /** Bytes 8–15 and 16–23 of the default secret of XXH3, combined by xor. */
  private static final long SECRET = 0x1cad21f72c81017cL ^ 0xdb979083e96dd4deL;

  private static final long PRIME = 0x9FB21C651E98DF25L;

  private Xxh3Long() {}

  /** What a seed adds to the secret. */
  static long flip(long seed) {
    return SECRET - (seed ^ ((long) Integer.reverseBytes((int) seed) << 32));
  }

  /** The hash of a number under a seed's {@link #flip}. */
  static long hash(long key, long flip) {
    long h = Long.rotateLeft(key, 32) ^ flip;
    h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
    h *= PRIME;
    h ^= (h >>> 35) + Long.BYTES;
    h *= PRIME;
    return h ^ (h >>> 28);
  }
}
