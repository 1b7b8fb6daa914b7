package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.WordLoad;

/**
 * The published rates of Bloom-1 and Bloom-g: a key sets its k bits in one word, or in g words, of
 * w bits. Source: Qiao, Li, Chen, "Fast Bloom Filters and Their Generalization", sec. 2 and 3.
 *
 * <p>Deviation: eq. 7 … 9 print the conditional probability (1 − (1 − 1/w)^(k/g))^x; the correct
 * one is (1 − (1 − 1/w)^(xk/g))^(k/g), used here. Like the paper, these functions use the classic
 * rate within a word, which is up to a few percent below the exact one, because a word is small;
 * {@code WordShape.falsePositiveRate} is exact.
 *
 * <p>Arguments: keys n 0 … 2^53, words l 1 … 2^53, wordBits w 8 … 65536, groups g 1 … 64, hashes
 * per key k groups … 255.
 */
public final class WordMath {

  private static final long MAX = 1L << 53;

  private WordMath() {}

  /**
   * The rate of one word that holds x keys, (1 − (1 − 1/w)^(xk))^k (eq. 3, Fig. 11).
   *
   * @param keysInWord x, at least 0
   * @param wordBits w
   * @param hashesPerKey k
   * @return the rate
   */
  public static double wordRate(long keysInWord, int wordBits, int hashesPerKey) {
    check(keysInWord, 1, wordBits, 1, hashesPerKey);
    return classic((double) keysInWord * hashesPerKey, wordBits, hashesPerKey);
  }

  /**
   * The probability that a word of Bloom-g holds at least this many keys, where each of the g words
   * of a key counts as 1/g (Fig. 12): P(X ≥ g·x), X ~ Bin(gn, 1/l).
   *
   * @param keys n
   * @param words l
   * @param groups g
   * @param keysInWord x, 0 … 65536
   * @return the probability
   */
  public static double wordLoadProbability(long keys, long words, int groups, int keysInWord) {
    check(keys, words, Long.SIZE, groups, groups);
    long least = (long) groups * Arguments.inRange("keysInWord", keysInWord, 0, 1 << 16);
    return least == 0 ? 1 : Pmf.binomial(keys * groups, 1.0 / words, least - 1).above();
  }

  /**
   * The rate of Bloom-1, Σ_x Bin(x; n, 1/l)·(1 − (1 − 1/w)^(xk))^k (eq. 5).
   *
   * @param keys n
   * @param words l
   * @param wordBits w
   * @param hashesPerKey k
   * @return the rate
   */
  public static double bloom1Rate(long keys, long words, int wordBits, int hashesPerKey) {
    return averagedRate(keys, words, wordBits, 1, hashesPerKey);
  }

  /**
   * The rate of Bloom-g with k/g bits in every word, whole or not: [Σ_x Bin(x; gn, 1/l)·(1 − (1 −
   * 1/w)^(xk/g))^(k/g)]^g (eq. 9, corrected). With g = k it is the classic rate of a filter of l·w
   * bits (eq. 10).
   *
   * @param keys n
   * @param words l
   * @param wordBits w
   * @param groups g
   * @param hashesPerKey k
   * @return the rate
   */
  public static double averagedRate(
      long keys, long words, int wordBits, int groups, int hashesPerKey) {
    check(keys, words, wordBits, groups, hashesPerKey);
    double each = (double) hashesPerKey / groups;
    Pmf load = Pmf.binomial(keys * groups, 1.0 / words, cap(wordBits));
    return Math.pow(load.expect(x -> classic(x * each, wordBits, each)), groups);
  }

  /**
   * The rate of Bloom-g with whole bits, ceil(k/g) in the first k mod g words and floor(k/g) in the
   * rest: Π_j E[(1 − (1 − 1/w)^T)^(k_j)], T = Σ_j k_j·X_j and X_j ~ Bin(n, 1/l).
   *
   * @param keys n
   * @param words l
   * @param wordBits w
   * @param groups g
   * @param hashesPerKey k
   * @return the rate
   */
  public static double bloomGRate(
      long keys, long words, int wordBits, int groups, int hashesPerKey) {
    check(keys, words, wordBits, groups, hashesPerKey);
    WordLoad load = WordLoad.of(keys, words, groups, hashesPerKey, cap(wordBits));
    int low = hashesPerKey / groups;
    int more = hashesPerKey % groups;
    double rate = Math.pow(load.expect(t -> classic((double) t, wordBits, low)), groups - more);
    return more == 0
        ? rate
        : rate * Math.pow(load.expect(t -> classic((double) t, wordBits, low + 1)), more);
  }

  /**
   * The number of hashes per key with the lowest {@linkplain #averagedRate averaged rate}, the
   * paper's k1*, k2* and k3* (Tables 3 and 5); ties go to fewer.
   *
   * <p>Deviation: for g = 3 at a load of 0.01 Table 5 implies 26; 25 is lower by 0.2 %.
   *
   * @param keys n, at least 1
   * @param words l
   * @param wordBits w
   * @param groups g
   * @return k
   */
  public static int optimalProbes(long keys, long words, int wordBits, int groups) {
    check(keys, words, wordBits, groups, groups);
    Arguments.inRange("keys", keys, 1, MAX);
    return new Sizing.Probes(groups + 4, groups, Limits.MAX_HASHES_PER_KEY, 2)
        .best(k -> averagedRate(keys, words, wordBits, groups, k));
  }

  private static double classic(double balls, int wordBits, double hashesPerKey) {
    return Math.pow(-Math.expm1(balls * Math.log1p(-1.0 / wordBits)), hashesPerKey);
  }

  /** The number of throws beyond which a word is full to within 2^-60. */
  private static long cap(int wordBits) {
    return 48L * wordBits;
  }

  private static void check(long keys, long words, int wordBits, int groups, int hashesPerKey) {
    Arguments.inRange("keys", keys, 0, MAX);
    Arguments.inRange("words", words, 1, MAX);
    Arguments.inRange("wordBits", wordBits, 8, 1 << 16);
    Arguments.inRange("groups", groups, 1, 64);
    Arguments.inRange("hashesPerKey", hashesPerKey, groups, Limits.MAX_HASHES_PER_KEY);
  }
}
