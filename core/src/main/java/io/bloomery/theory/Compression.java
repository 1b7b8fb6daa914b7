package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;

/**
 * The cost of sending a Bloom filter compressed: an ideal coder needs m·H2(p) bits for m bits that
 * are zero with probability p = e^(−kn/m). For a fixed number z of sent bits, fewer hashes per key
 * in a larger, sparser filter give a lower rate, down to 2^(−z/n) as k tends to 0.
 *
 * <p>Source: Mitzenmacher, "Compressed Bloom Filters", sec. 3. Arguments are per key: bitsPerKey
 * m/n, positive; hashes per key k, positive and here a real number.
 */
public final class Compression {

  private Compression() {}

  /**
   * The binary entropy −p·log2 p − (1 − p)·log2(1 − p).
   *
   * @param p a probability, 0 … 1
   * @return the entropy in bits, 0 … 1
   */
  public static double binaryEntropy(double p) {
    Arguments.inRange("p", p, 0, 1);
    if (p == 0 || p == 1) {
      return 0;
    }
    return -(p * Math.log(p) + (1 - p) * Math.log1p(-p)) / Math.log(2);
  }

  /**
   * The ideal compressed size z/n = (m/n)·H2(e^(−kn/m)).
   *
   * @param bitsPerKey m/n
   * @param hashesPerKey k
   * @return sent bits per key
   */
  public static double compressedBitsPerKey(double bitsPerKey, double hashesPerKey) {
    check(bitsPerKey, hashesPerKey);
    // The entropy of p = e^−x, written so that a tiny x does not round p to 1.
    double x = hashesPerKey / bitsPerKey;
    double one = -Math.expm1(-x);
    return bitsPerKey * (x * (1 - one) - one * Math.log(one)) / Math.log(2);
  }

  /**
   * The rate (1 − e^(−kn/m))^k; compression does not change it.
   *
   * @param bitsPerKey m/n
   * @param hashesPerKey k
   * @return the rate
   */
  public static double rate(double bitsPerKey, double hashesPerKey) {
    check(bitsPerKey, hashesPerKey);
    return Math.pow(-Math.expm1(-hashesPerKey / bitsPerKey), hashesPerKey);
  }

  /**
   * The uncompressed size at which k hashes per key reach a rate, −k/ln(1 − rate^(1/k)).
   *
   * @param rate the rate, in (0, 1)
   * @param hashesPerKey k
   * @return m/n
   */
  public static double bitsPerKey(double rate, double hashesPerKey) {
    Arguments.rate("rate", rate);
    Arguments.positive("hashesPerKey", hashesPerKey);
    return -hashesPerKey / Math.log1p(-Math.pow(rate, 1 / hashesPerKey));
  }

  /**
   * The largest uncompressed size whose compressed size is at most z/n, for k hashes per key: the
   * filter with the lowest rate among those that send no more than z/n bits per key.
   *
   * @param compressedBitsPerKey z/n, positive
   * @param hashesPerKey k
   * @return m/n
   */
  public static double bitsPerKeyForBudget(double compressedBitsPerKey, double hashesPerKey) {
    Arguments.positive("compressedBitsPerKey", compressedBitsPerKey);
    Arguments.positive("hashesPerKey", hashesPerKey);
    // Compressed size grows with m for fixed k, so bisect on a bracket.
    double low = 0;
    double high = 1;
    while (compressedBitsPerKey(high, hashesPerKey) <= compressedBitsPerKey && high < 0x1p200) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (compressedBitsPerKey(middle, hashesPerKey) <= compressedBitsPerKey) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The limit 2^(−z/n) of the rate for k → 0.
   *
   * @param compressedBitsPerKey z/n, positive
   * @return the rate that no compressed Bloom filter beats
   */
  public static double bestRate(double compressedBitsPerKey) {
    return Math.exp(
        -Arguments.positive("compressedBitsPerKey", compressedBitsPerKey) * Math.log(2));
  }

  private static void check(double bitsPerKey, double hashesPerKey) {
    Arguments.positive("bitsPerKey", bitsPerKey);
    Arguments.positive("hashesPerKey", hashesPerKey);
  }
}
