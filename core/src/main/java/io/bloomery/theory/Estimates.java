package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;

/**
 * How many keys a filter, a union or an intersection holds, from the numbers of set bits; and the
 * probability that the bitwise AND of two filters is the filter of the intersection.
 *
 * <p>Sources: Swamidass and Baldi, "Mathematical correction for fingerprint similarity measures to
 * improve chemical retrieval", for the estimates; Tarkoma, Rothenberg, Lagerspetz, sec. II-B, for
 * theorem 2. Arguments: bits 1 … 2^53, hashes per key 1 … 255, counts of bits 0 … bits.
 */
public final class Estimates {

  private static final long MAX = 1L << 53;

  private Estimates() {}

  /**
   * The estimated number of distinct keys, −(m/k)·ln(1 − X/m).
   *
   * @param bits m
   * @param hashesPerKey k
   * @param setBits X, the number of set bits
   * @return the estimate; infinite if every bit is set, because the bits then carry no information
   */
  public static double cardinality(long bits, int hashesPerKey, long setBits) {
    check(bits, hashesPerKey);
    Arguments.inRange("setBits", setBits, 0, bits);
    // Near a full filter ln(1 − X/m) would cancel; ln of the share of zeros does not.
    double logZero =
        2 * setBits < bits
            ? Math.log1p(-(double) setBits / bits)
            : Math.log((double) (bits - setBits) / bits);
    return setBits == 0 ? 0 : -(double) bits / hashesPerKey * logZero;
  }

  /**
   * The estimated number of distinct keys of a filter in which a key sets each bit with equal
   * probability, but not independently: ln(1 − X/m) / ln(1 − h). The expected share of set bits
   * after n keys is exactly 1 − (1 − h)^n, whatever blocks and words the bits of a key share.
   *
   * @param bits m
   * @param hitRate h, the probability that a key sets a given bit, in (0, 1)
   * @param setBits X, the number of set bits
   * @return the estimate; infinite if every bit is set
   */
  public static double cardinalityByHitRate(long bits, double hitRate, long setBits) {
    Arguments.rate("hitRate", hitRate);
    double clear = cardinality(bits, 1, setBits) / bits; // −ln(1 − X/m)
    return setBits == 0 ? 0 : clear / -Math.log1p(-hitRate);
  }

  /**
   * The standard deviation of {@link #cardinality}, sd(X)/(k·e^−λ) with λ = kn/m.
   *
   * @param bits m
   * @param hashesPerKey k
   * @param keys n, the true (or estimated) number of keys, finite and at least 0
   * @return the standard deviation, in keys
   */
  public static double cardinalityStandardDeviation(long bits, int hashesPerKey, double keys) {
    check(bits, hashesPerKey);
    Arguments.inRange("keys", keys, 0, Double.MAX_VALUE);
    double lambda = keys * hashesPerKey / bits;
    // (e^−λ − (1 + λ)·e^−2λ)·m / (k·e^−λ)² = m·(e^λ − 1 − λ)/k²
    double excess = lambda < 1e-4 ? lambda * lambda / 2 : Math.expm1(lambda) - lambda;
    return Math.sqrt(bits * excess) / hashesPerKey;
  }

  /**
   * The estimated number of keys of the union of two filters.
   *
   * @param bits m of both
   * @param hashesPerKey k of both
   * @param setBitsOfOr set bits of the bitwise OR
   * @return the estimate; infinite if every bit is set
   */
  public static double union(long bits, int hashesPerKey, long setBitsOfOr) {
    return cardinality(bits, hashesPerKey, setBitsOfOr);
  }

  /**
   * The estimated number of keys that two filters share, n*(A) + n*(B) − n*(A ∪ B). It may be
   * slightly negative for disjoint sets.
   *
   * @param bits m of both
   * @param hashesPerKey k of both
   * @param setBitsOfA set bits of the first filter
   * @param setBitsOfB set bits of the second filter
   * @param setBitsOfOr set bits of the bitwise OR
   * @return the estimate; NaN if the OR and an input are full
   */
  public static double intersection(
      long bits, int hashesPerKey, long setBitsOfA, long setBitsOfB, long setBitsOfOr) {
    checkOr(bits, setBitsOfA, setBitsOfB, setBitsOfOr);
    return cardinality(bits, hashesPerKey, setBitsOfA)
        + cardinality(bits, hashesPerKey, setBitsOfB)
        - cardinality(bits, hashesPerKey, setBitsOfOr);
  }

  /**
   * The estimated number of keys that two sets share, from those of the sets and of their union.
   *
   * @param keysOfA the estimate of the first set
   * @param keysOfB the estimate of the second set
   * @param keysOfUnion the estimate of the union
   * @return {@code a + b - union}, 0 if that is negative; NaN if the union is infinite
   */
  public static double intersection(double keysOfA, double keysOfB, double keysOfUnion) {
    return Double.isInfinite(keysOfUnion)
        ? Double.NaN
        : Math.max(0, keysOfA + keysOfB - keysOfUnion);
  }

  /**
   * The estimated number of keys that are in exactly one of two sets.
   *
   * @param keysOfA the estimate of the first set
   * @param keysOfB the estimate of the second set
   * @param keysOfUnion the estimate of the union
   * @return {@code 2·union - a - b}, 0 if that is negative; NaN if the union is infinite
   */
  public static double symmetricDifference(double keysOfA, double keysOfB, double keysOfUnion) {
    return Double.isInfinite(keysOfUnion)
        ? Double.NaN
        : Math.max(0, 2 * keysOfUnion - keysOfA - keysOfB);
  }

  /**
   * The standard deviation of {@link #intersection}. The estimates of two sets S and T are
   * correlated through the keys they share: their covariance is the variance V of the estimate of S
   * ∩ T. So a + b − union has the variance V(A ∪ B) − V(A) − V(B) + 2·V(A ∩ B), and not the sum of
   * the three variances.
   *
   * @param bits m
   * @param hashesPerKey k
   * @param keysOfA number of keys of the first set
   * @param keysOfB number of keys of the second set
   * @param keysOfUnion number of keys of the union, at least that of either set and at most the sum
   * @return the standard deviation, in keys
   */
  public static double intersectionStandardDeviation(
      long bits, int hashesPerKey, double keysOfA, double keysOfB, double keysOfUnion) {
    return deviation(bits, hashesPerKey, keysOfA, keysOfB, keysOfUnion, 1);
  }

  /**
   * The standard deviation of {@link #symmetricDifference}: of 2·union − a − b, which has the
   * variance 4·V(A ∪ B) − 3·V(A) − 3·V(B) + 2·V(A ∩ B), see {@link #intersectionStandardDeviation}.
   *
   * @param bits m
   * @param hashesPerKey k
   * @param keysOfA number of keys of the first set
   * @param keysOfB number of keys of the second set
   * @param keysOfUnion number of keys of the union, at least that of either set and at most the sum
   * @return the standard deviation, in keys
   */
  public static double symmetricDifferenceStandardDeviation(
      long bits, int hashesPerKey, double keysOfA, double keysOfB, double keysOfUnion) {
    return deviation(bits, hashesPerKey, keysOfA, keysOfB, keysOfUnion, 2);
  }

  /**
   * The standard deviation of the number of differing keys as estimated from squared differences of
   * counters: k·Δ increments fall on m counters, and each pair of them that meets changes the sum
   * of squares by 2.
   *
   * @param counters m of both filters
   * @param difference Δ, number of keys that only one set has
   * @return Δ·√(2/m), in keys
   */
  public static double counterDifferenceDeviation(long counters, double difference) {
    Arguments.inRange("counters", counters, 1, MAX);
    return difference * Math.sqrt(2.0 / counters);
  }

  /** Of w·union − a − b. */
  private static double deviation(
      long bits, int hashesPerKey, double keysOfA, double keysOfB, double keysOfUnion, int w) {
    double larger = Math.max(keysOfA, keysOfB);
    Arguments.inRange("keysOfUnion", keysOfUnion, larger, keysOfA + keysOfB);
    double inBoth = keysOfA + keysOfB - keysOfUnion;
    double sets = variance(bits, hashesPerKey, keysOfA) + variance(bits, hashesPerKey, keysOfB);
    double variance =
        w * w * variance(bits, hashesPerKey, keysOfUnion)
            + (1 - 2 * w) * sets
            + 2 * variance(bits, hashesPerKey, inBoth);
    return Math.sqrt(Math.max(0, variance));
  }

  private static double variance(long bits, int hashesPerKey, double keys) {
    double deviation = cardinalityStandardDeviation(bits, hashesPerKey, keys);
    return deviation * deviation;
  }

  /**
   * The inner-product form of {@link #intersection}, ln(m·Z_or/(Z_A·Z_B))/(−k·ln(1 − 1/m)) with
   * numbers of zero bits (Broder and Mitzenmacher, sec. 2.3). The two differ by a factor 1 + 1/2m.
   *
   * @param bits m of both, at least 2
   * @param hashesPerKey k of both
   * @param setBitsOfA set bits of the first filter
   * @param setBitsOfB set bits of the second filter
   * @param setBitsOfOr set bits of the bitwise OR
   * @return the estimate; not finite if an input is full
   */
  public static double innerProductIntersection(
      long bits, int hashesPerKey, long setBitsOfA, long setBitsOfB, long setBitsOfOr) {
    check(bits, hashesPerKey);
    Arguments.inRange("bits", bits, 2, MAX);
    checkOr(bits, setBitsOfA, setBitsOfB, setBitsOfOr);
    double zeroA = (double) (bits - setBitsOfA) / bits;
    double zeroB = (double) (bits - setBitsOfB) / bits;
    double zeroOr = (double) (bits - setBitsOfOr) / bits;
    return Math.log(zeroOr / (zeroA * zeroB)) / (-hashesPerKey * Math.log1p(-1.0 / bits));
  }

  /**
   * The estimated number of keys of a partitioned filter: ln(1 − X_i/s)/ln(1 − 1/s) for each slice
   * of s bits, averaged over the slices.
   *
   * @param sliceBits s, at least 2
   * @param setBitsOfSlices set bits X_i of each slice, at least one slice
   * @return the estimate; infinite if a slice is full
   */
  public static double partitionedCardinality(long sliceBits, long... setBitsOfSlices) {
    Arguments.inRange("sliceBits", sliceBits, 2, MAX);
    Arguments.inRange("slices", setBitsOfSlices.length, 1, Limits.MAX_HASHES_PER_KEY);
    double sum = 0;
    for (long setBits : setBitsOfSlices) {
      Arguments.inRange("setBits", setBits, 0, sliceBits);
      sum += Math.log1p(-(double) setBits / sliceBits) / Math.log1p(-1.0 / sliceBits);
    }
    return sum / setBitsOfSlices.length;
  }

  /**
   * Theorem 2 of Tarkoma et al.: (1 − 1/m)^(k²·|A∖B|·|B∖A|), the probability that no bit is hit by
   * keys of both differences.
   *
   * <p>Deviation: the survey calls it the probability that the AND of the filters of A and B equals
   * the filter of A ∩ B. It is a lower bound on that, because a shared bit may be set by A ∩ B
   * anyway; see {@link #andEqualsIntersection}.
   *
   * @param bits m
   * @param hashesPerKey k
   * @param onlyInA |A∖B|
   * @param onlyInB |B∖A|
   * @return the lower bound
   */
  public static double andEqualsIntersectionLowerBound(
      long bits, int hashesPerKey, long onlyInA, long onlyInB) {
    checkSets(bits, hashesPerKey, onlyInA, onlyInB, 0);
    double pairs = (double) hashesPerKey * hashesPerKey * onlyInA * onlyInB;
    return pairs == 0 ? 1 : Math.exp(pairs * Math.log1p(-1.0 / bits));
  }

  /**
   * The probability that the AND of the filters of A and B equals the filter of A ∩ B: no bit may
   * be set by both differences and not by A ∩ B, [1 − (1 − q^|A∖B|)·(1 − q^|B∖A|)·q^|A∩B|]^m with q
   * = (1 − 1/m)^k. Bits are treated as independent.
   *
   * @param bits m
   * @param hashesPerKey k
   * @param onlyInA |A∖B|
   * @param onlyInB |B∖A|
   * @param inBoth |A∩B|
   * @return the probability
   */
  public static double andEqualsIntersection(
      long bits, int hashesPerKey, long onlyInA, long onlyInB, long inBoth) {
    checkSets(bits, hashesPerKey, onlyInA, onlyInB, inBoth);
    double hitByA = 1 - BloomMath.zeroBitProbability(bits, onlyInA, hashesPerKey);
    double hitByB = 1 - BloomMath.zeroBitProbability(bits, onlyInB, hashesPerKey);
    double free = BloomMath.zeroBitProbability(bits, inBoth, hashesPerKey);
    return Math.exp(bits * Math.log1p(-hitByA * hitByB * free));
  }

  private static void check(long bits, int hashesPerKey) {
    Arguments.inRange("bits", bits, 1, MAX);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Limits.MAX_HASHES_PER_KEY);
  }

  private static void checkOr(long bits, long a, long b, long or) {
    Arguments.inRange("setBitsOfA", a, 0, bits);
    Arguments.inRange("setBitsOfB", b, 0, bits);
    long larger = Math.max(a, b);
    long together = Math.min(bits, a + b);
    Arguments.inRange("setBitsOfOr", or, larger, together);
  }

  private static void checkSets(
      long bits, int hashesPerKey, long onlyInA, long onlyInB, long inBoth) {
    check(bits, hashesPerKey);
    Arguments.inRange("onlyInA", onlyInA, 0, MAX);
    Arguments.inRange("onlyInB", onlyInB, 0, MAX);
    Arguments.inRange("inBoth", inBoth, 0, MAX);
  }
}
