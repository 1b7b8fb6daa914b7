package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * The k positions of a key from k hash functions of its bytes, for study: the textbook ways to
 * derive k functions from one. The filters of this library derive all positions from one 64-bit
 * hash ({@link IndexScheme}), which {@code KeyIndexesTest} shows to be as good; these hash the key
 * k times, and no file refers to them.
 */
enum KeyIndexes {

  /** {@code xxh3(x, seed i) mod m}: a function with a seed, given k seeds. */
  SEEDED {
    @Override
    long index(byte[] key, int i, long bits) {
      return Long.remainderUnsigned(Hasher.xxh3(i).hash(key), bits);
    }
  },

  /**
   * {@code MD5(x ‖ i) mod m}: the number of the function is appended to the key, as 4 bytes with
   * the highest first; the digest is one number of 128 bits, its first byte the highest.
   */
  APPENDED {
    @Override
    long index(byte[] key, int i, long bits) {
      MessageDigest digest = md5();
      digest.update(key);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(i).array());
      return new BigInteger(1, digest.digest()).mod(BigInteger.valueOf(bits)).longValueExact();
    }
  },

  /**
   * {@code fnv1a(x, basis + i) mod m}: k initial values. Good for random keys only: keys that
   * differ in few bytes keep their distance in all functions.
   */
  INITIAL_VALUES {
    @Override
    long index(byte[] key, int i, long bits) {
      long hash = SimpleHashes.fnv1a(key, SimpleHashes.FNV_OFFSET_BASIS + i);
      return Long.remainderUnsigned(hash, bits);
    }
  };

  private static final int MAX_COUNT = 255;

  /** Position {@code i} of a key. */
  abstract long index(byte[] key, int i, long bits);

  /**
   * The positions of a key.
   *
   * @param key its bytes
   * @param bits m, 2 or more
   * @param count k, 1 … 255
   * @return k positions 0 … m-1; some may be equal
   */
  public long[] indexes(byte[] key, long bits, int count) {
    Objects.requireNonNull(key, "key");
    if (bits < 2) {
      throw new IllegalArgumentException("bits = " + bits + " is below 2");
    }
    if (count < 1 || count > MAX_COUNT) {
      throw new IllegalArgumentException("count = " + count + " is below 1 or above " + MAX_COUNT);
    }
    long[] indexes = new long[count];
    for (int i = 0; i < count; i++) {
      indexes[i] = index(key, i, bits);
    }
    return indexes;
  }

  /**
   * The positions of a text's UTF-8 bytes.
   *
   * @param key the text
   * @param bits m, 2 or more
   * @param count k, 1 … 255
   * @return k positions 0 … m-1; some may be equal
   */
  public long[] indexes(String key, long bits, int count) {
    return indexes(key.getBytes(UTF_8), bits, count);
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
