package io.bloomery.internal.hash;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;

/** MurmurHash3 of byte strings (Appleby 2011). */
public final class Murmur3 {

  private Murmur3() {}

  /** The 32-bit hash for 32-bit machines (x86_32). */
  public static int hash32(byte[] bytes, int offset, int length, int seed) {
    return Hashing.murmur3_32(seed).hashBytesToInt(bytes, offset, length);
  }

  /** The 128-bit hash for 64-bit machines (x64_128): the first half, then the second. */
  public static long[] hash128(byte[] bytes, int offset, int length, int seed) {
    HashValue128 hash = Hashing.murmur3_128(seed).hashBytesTo128Bits(bytes, offset, length);
    return new long[] {hash.getLeastSignificantBits(), hash.getMostSignificantBits()};
  }
}
