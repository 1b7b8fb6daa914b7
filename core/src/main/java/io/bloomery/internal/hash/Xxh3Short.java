package io.bloomery.internal.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * XXH3-64 of a number, which is 8 bytes little-endian, and of 9 to 16 bytes, under one seed. hash4j
 * computes the same; written out here because this is the hottest code of the library: no interface
 * call, and no branch on impossible lengths. Tested against the published vectors and hash4j.
 */
public final class Xxh3Short {

  /** The shortest key of {@link #hash(byte[], int, int)}. */
  public static final int MIN_BYTES = 9;

  /** The longest key of {@link #hash(byte[], int, int)}. */
  public static final int MAX_BYTES = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Words of the default secret of XXH3, combined in pairs by xor. */
  private static final long SECRET_8_16 = 0x1cad21f72c81017cL ^ 0xdb979083e96dd4deL;

  private static final long SECRET_24_32 = 0x1f67b3b7a4a44072L ^ 0x78e5c0cc4ee679cbL;
  private static final long SECRET_40_48 = 0x2172ffcc7dd05a82L ^ 0x8e2443f7744608b8L;

  private static final long PRIME = 0x9FB21C651E98DF25L;
  private static final long AVALANCHE_PRIME = 0x165667919E3779F9L;

  private final long lowFlip;
  private final long highFlip;

  /** The hash function of byte strings for a seed. */
  public Xxh3Short(long seed) {
    lowFlip = SECRET_24_32 + seed;
    highFlip = SECRET_40_48 - seed;
  }

  /** The part of a seed that {@link #hash(long, long)} needs. */
  public static long flip(long seed) {
    return SECRET_8_16 - (seed ^ ((long) Integer.reverseBytes((int) seed) << 32));
  }

  /** The hash of a number. */
  public static long hash(long key, long flip) {
    long h = Long.rotateLeft(key, 32) ^ flip;
    h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
    h *= PRIME;
    h ^= (h >>> 35) + Long.BYTES;
    h *= PRIME;
    return h ^ (h >>> 28);
  }

  /** The hash of {@link #MIN_BYTES} to {@link #MAX_BYTES} bytes. */
  public long hash(byte[] bytes, int offset, int length) {
    long low = (long) LONGS.get(bytes, offset) ^ lowFlip;
    long high = (long) LONGS.get(bytes, offset + length - Long.BYTES) ^ highFlip;
    long h = length + Long.reverseBytes(low) + high + foldedProduct(low, high);
    h ^= h >>> 37;
    h *= AVALANCHE_PRIME;
    return h ^ (h >>> 32);
  }

  /** Both halves of the unsigned 128-bit product, combined by xor. */
  private static long foldedProduct(long a, long b) {
    long upper = Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    return upper ^ (a * b);
  }
}
