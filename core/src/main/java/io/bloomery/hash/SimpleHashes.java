package io.bloomery.hash;

import java.util.Objects;
import java.util.function.LongUnaryOperator;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Simple hash functions, for studying the rate of a Bloom filter that takes its positions from them
 * instead of {@link Hasher}. Their 64-bit results can be added to any filter as hashes.
 *
 * <p>The survey of Tarkoma, Rothenberg and Lagerspetz 2012 (sec. II-C.5) calls "commodity" hash
 * functions well suited for Bloom filters, after Mitzenmacher and Vadhan 2008: if the keys are
 * random enough, 2-universal functions behave like random ones. Measured in {@code
 * SimpleHashesTest} (m = 4096, n = 512, k = 5): that holds for random keys. For consecutive numbers
 * the rate of k multiply-shift functions varies three to four times as much as it should, and with
 * k initial values of one CRC it is seven times too high even for random keys, because all of them
 * are one function up to a constant. Mixed once more by an {@link IndexScheme} that draws from the
 * stream of the hash, both are as good as any, as long as all 64 bits are kept.
 *
 * <p>None of them resists chosen keys.
 */
final class SimpleHashes {

  /** The initial value of {@link #fnv1a}, as published. */
  public static final long FNV_OFFSET_BASIS = 0xCBF29CE484222325L;

  private static final long FNV_PRIME = 0x100000001B3L;

  private SimpleHashes() {}

  /**
   * Multiply-shift on 64-bit keys: the upper half of {@code a·x + b} modulo 2^128, with a and b of
   * 128 bits drawn from the seed. Strongly 2-universal: over all a and b the hashes of two
   * different keys are uniform and independent (Dietzfelbinger 1996, theorem 3). Its upper bits are
   * better mixed; consecutive keys give an arithmetic progression.
   *
   * @param seed chooses the function
   * @return the function from keys to 64 bits
   */
  public static LongUnaryOperator multiplyShift(long seed) {
    Hasher draws = Hasher.xxh3(seed);
    return multiplyShift(draws.hash(0L), draws.hash(1L), draws.hash(2L), draws.hash(3L));
  }

  static LongUnaryOperator multiplyShift(long aHigh, long aLow, long bHigh, long bLow) {
    return key -> {
      long product = aLow * key;
      long carry = Long.compareUnsigned(product + bLow, product) < 0 ? 1 : 0;
      long upper = Math.multiplyHigh(aLow, key) + ((aLow >> 63) & key) + ((key >> 63) & aLow);
      return upper + aHigh * key + bHigh + carry;
    };
  }

  /**
   * The CRC-32C of a key in the upper half and its CRC-32 in the lower half. Linear: the hash of
   * the XOR of two keys of one length is the XOR of their hashes, up to a constant.
   *
   * @param key the key
   * @return 64 bits, of which 32 are the checksum that {@link CRC32} gives
   */
  public static long crc32(byte[] key) {
    Objects.requireNonNull(key, "key");
    return checksum(new CRC32C(), key) << Integer.SIZE | checksum(new CRC32(), key);
  }

  private static long checksum(Checksum checksum, byte[] key) {
    checksum.update(key, 0, key.length);
    return checksum.getValue();
  }

  /**
   * FNV-1a with 64 bits (Fowler, Noll and Vo 1991): for each byte an XOR and a multiplication. Its
   * lowest n bits depend on the lowest n bits of the key's bytes only.
   *
   * @param key the key
   * @param initialValue {@link #FNV_OFFSET_BASIS}, or another one for another function
   * @return 64 bits
   */
  public static long fnv1a(byte[] key, long initialValue) {
    Objects.requireNonNull(key, "key");
    long hash = initialValue;
    for (byte b : key) {
      hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
    }
    return hash;
  }
}
