package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;

/**
 * The cost of a query as Qiao, Li and Chen count it ("Fast Bloom Filters and Their Generalization",
 * Tables 2 … 6): hash bits and memory accesses.
 *
 * <p>Logarithms are rounded up to whole bits; for the powers of two of the paper they are exact.
 */
public final class HashBits {

  private HashBits() {}

  /**
   * Hash bits of a standard Bloom filter, k·log2 m; it makes k memory accesses.
   *
   * @param bits m, at least 1
   * @param hashesPerKey k, 1 … 255
   * @return the number of bits
   */
  public static int bloom(long bits, int hashesPerKey) {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Limits.MAX_HASHES_PER_KEY);
    return hashesPerKey * log2(Arguments.inRange("bits", bits, 1, Long.MAX_VALUE));
  }

  /**
   * Hash bits of Bloom-g, g·log2 l + k·log2 w; it makes g memory accesses. Bloom-1 is g = 1.
   *
   * <p>Deviation: sec. 3.2 of the paper prints log2 l + k2'·log2 w for g = 2; its own Table 4 has
   * the factor g.
   *
   * @param words l, at least 1
   * @param wordBits w, 2 … 65536
   * @param groups g, at least 1
   * @param hashesPerKey k, 1 … 255
   * @return the number of bits
   */
  public static int bloomG(long words, int wordBits, int groups, int hashesPerKey) {
    Arguments.inRange("words", words, 1, Long.MAX_VALUE);
    Arguments.inRange("wordBits", wordBits, 2, 1 << 16);
    Arguments.inRange("groups", groups, 1, Limits.MAX_HASHES_PER_KEY);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Limits.MAX_HASHES_PER_KEY);
    return groups * log2(words) + hashesPerKey * log2(wordBits);
  }

  /**
   * Hash bits of Bloom-α, 2·log2 l + k·log2 w (Table 6).
   *
   * @param words l, at least 1
   * @param wordBits w, 2 … 65536
   * @param hashesPerKey k, 1 … 255
   * @return the number of bits
   */
  public static int bloomAlpha(long words, int wordBits, int hashesPerKey) {
    return bloomG(words, wordBits, 2, hashesPerKey);
  }

  /**
   * The upper bound 1 + α on the mean number of memory accesses of Bloom-α (sec. 4.2).
   *
   * @param alpha the share of members that are split over two words, 0 … 1
   * @return the bound
   */
  public static double bloomAlphaAccesses(double alpha) {
    return 1 + Arguments.inRange("alpha", alpha, 0, 1);
  }

  /**
   * The most hashes per key that Bloom-g can afford within a number of hash bits, (h − g·log2
   * l)/log2 w rounded down (sec. 2.4 and 3.2; the paper's k' is the smaller of this and the optimal
   * k).
   *
   * @param hashBits h
   * @param words l, at least 1
   * @param wordBits w, 2 … 65536
   * @param groups g, at least 1
   * @return the number of hashes per key, at least 0
   */
  public static int affordableProbes(int hashBits, long words, int wordBits, int groups) {
    int rest = hashBits - bloomG(words, wordBits, groups, 1) + log2(wordBits);
    return Math.max(0, rest / log2(wordBits));
  }

  /**
   * Hash bits that choose one of n values with equal probability, log2 n rounded up.
   *
   * @param values n, at least 1
   * @return the number of bits
   */
  public static int choice(long values) {
    return log2(Arguments.inRange("values", values, 1, Long.MAX_VALUE));
  }

  private static int log2(long x) {
    return 64 - Long.numberOfLeadingZeros(x - 1);
  }
}
