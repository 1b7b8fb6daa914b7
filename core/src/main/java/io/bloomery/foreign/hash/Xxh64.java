package io.bloomery.foreign.hash;

import com.dynatrace.hash4j.hashing.Hashing;

/** XXH64 of byte strings (Collet 2014), the 64-bit hash before XXH3. */
public final class Xxh64 {

  private Xxh64() {}

  /** The hash under a seed. */
  public static long hash(byte[] bytes, int offset, int length, long seed) {
    return Hashing.xxh64(seed).hashBytesToLong(bytes, offset, length);
  }
}
