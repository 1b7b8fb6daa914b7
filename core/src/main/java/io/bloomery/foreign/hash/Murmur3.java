package io.bloomery.foreign.hash;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash3 of byte strings (Appleby 2011). */
public final class Murmur3 {

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

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

  /**
   * The hash that Spark calls MurmurHash3 x86_32: each of the last 1 to 3 bytes is mixed in like a
   * whole block, as a signed number. Equals {@link #hash32} for lengths that are multiples of 4.
   */
  public static int sparkHash32(byte[] bytes, int offset, int length, int seed) {
    int end = offset + length;
    int blocks = offset + (length & ~3);
    int hash = seed;
    for (int i = offset; i < blocks; i += Integer.BYTES) {
      hash = block(hash, (int) INTS.get(bytes, i));
    }
    for (int i = blocks; i < end; i++) {
      hash = block(hash, bytes[i]);
    }
    hash ^= length;
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    return hash ^ hash >>> 16;
  }

  private static int block(int hash, int block) {
    int mixed = Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
    return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xe6546b64;
  }
}
