package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;
import io.bloomery.internal.hash.SipHash;

/**
 * The positions of {@link io.bloomery.hash.IndexScheme#PRF}: SipHash-2-4 of the index under a key
 * made of the hash. Whoever has some positions of a key can neither compute the others nor tell
 * them from random numbers, except by trying all 2^64 hashes.
 */
final class Keyed {

  private static final long SECOND_HALF = 0;

  private final Modulus modulus;
  private final int count;

  Keyed(Modulus modulus, int count) {
    this.modulus = modulus;
    this.count = count;
  }

  long position(long hash, int i) {
    return modulus.of(SipHash.hash(hash, SECOND_HALF, i));
  }

  boolean allSet(long hash, Words words) {
    for (int i = 0; i < count; i++) {
      if (!words.getBit(position(hash, i))) {
        return false;
      }
    }
    return true;
  }

  boolean setAll(long hash, Words words) {
    boolean changed = false;
    for (int i = 0; i < count; i++) {
      changed |= words.setBit(position(hash, i));
    }
    return changed;
  }
}
