package io.bloomery.cli;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Keys that an attacker can craft for {@code Hasher.xxh3()}: on 8 bytes XXH3-64 is a bijection,
 * which can be inverted if the seed is known.
 */
public final class CraftedKeys {

  private static final long FLIP = 0x1cad21f72c81017cL ^ 0xdb979083e96dd4deL; // for seed 0
  private static final long INVERSE = inverse(0x9FB21C651E98DF25L);

  private CraftedKeys() {}

  /** The modular inverse of an odd number, by Newton's iteration. */
  private static long inverse(long odd) {
    long x = odd; // correct in the low 3 bits
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      x *= 2 - odd * x;
    }
    return x;
  }

  /** The only 8 bytes with this hash. */
  public static byte[] of(long hash) {
    long h = hash ^ hash >>> 28 ^ hash >>> 56;
    h *= INVERSE;
    h ^= (h >>> 35) + Long.BYTES;
    h *= INVERSE;
    for (int i = 1; i < Long.SIZE; i++) { // 64 applications are the identity
      h ^= Long.rotateLeft(h, 49) ^ Long.rotateLeft(h, 24);
    }
    long key = Long.rotateRight(h ^ FLIP, 32);
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
  }

  /** Whether a key can be a line, and a CSV field without quotes. */
  public static boolean isPlain(byte[] key) {
    for (byte b : key) {
      if (b == '\n' || b == '\r' || b == ',' || b == '\t' || b == '"') {
        return false;
      }
    }
    return true;
  }

  /** Plain keys whose hashes are the values of a function of 0, 1, 2, … */
  public static List<byte[]> plain(int count, LongUnaryOperator hash) {
    List<byte[]> keys = new ArrayList<>(count);
    LongStream.iterate(0, i -> i + 1)
        .mapToObj(i -> of(hash.applyAsLong(i)))
        .filter(CraftedKeys::isPlain)
        .limit(count)
        .forEach(keys::add);
    return keys;
  }
}
