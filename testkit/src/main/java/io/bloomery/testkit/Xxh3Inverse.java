package io.bloomery.testkit;

/**
 * The number that has a given XXH3-64 hash under a known seed: the hash of 8 bytes is a bijection,
 * and each of its steps can be undone. It represents an adversary who chooses keys.
 */
public final class Xxh3Inverse {

  private static final long SECRET = 0x1cad21f72c81017cL ^ 0xdb979083e96dd4deL;
  private static final long PRIME = 0x9FB21C651E98DF25L;
  private static final long INVERSE = inverse(PRIME);

  private final long flip;

  /** For a seed. */
  public Xxh3Inverse(long seed) {
    flip = SECRET - (seed ^ ((long) Integer.reverseBytes((int) seed) << 32));
  }

  /** The only number with this hash. */
  public long key(long hash) {
    long h = hash ^ (hash >>> 28) ^ (hash >>> 56);
    h *= INVERSE;
    h ^= (h >>> 35) + Long.BYTES;
    h *= INVERSE;
    // The step is linear and its 64th power is the identity, since 64 rotations by 49 are none.
    for (int i = 1; i < Long.SIZE; i++) {
      h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
    }
    return Long.rotateLeft(h ^ flip, 32);
  }

  /** By Newton's method modulo 2^64: every step doubles the number of right bits, from three on. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 5; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
