package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.numeric.Occupancy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;

/**
 * The false-positive rate of the standard and the partitioned Bloom filter, its bounds and
 * approximations, and the inverse problems.
 *
 * <p>For every filter, exact ≥ classic ≥ exponential, so the usual formula is a lower bound, and
 * Goel–Gupta is an upper bound on the exact rate. Sources: Broder and Mitzenmacher, "Network
 * Applications of Bloom Filters", sec. 2; Tarkoma, Rothenberg, Lagerspetz, "Theory and Practice of
 * Bloom Filters for Distributed Systems", sec. II; Bose et al., "On the false-positive rate of
 * Bloom filters".
 *
 * <p>Unless a method says otherwise: bits 1 … 2^53, keys 0 … 2^53, hashes per key 1 … 255.
 */
public final class BloomMath {

  /** The most throws (keys · hashes per key) for which the Stirling sum is evaluated. */
  public static final int MAX_STIRLING_THROWS = 400;

  /** The most steps (bits reached · throws) that the occupancy recurrence takes. */
  public static final long MAX_RECURRENCE_STEPS = 1L << 28;

  private static final long MAX = 1L << 53;
  private static final double LN2 = Math.log(2);

  private BloomMath() {}

  /**
   * The expected share of zero bits, (1 − 1/m)^(kn) (Tarkoma et al., eq. 1–3).
   *
   * @param bits m
   * @param keys n
   * @param hashesPerKey k
   * @return the probability that a given bit is zero
   */
  public static double zeroBitProbability(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    return Math.exp(logZero(bits, (double) keys * hashesPerKey));
  }

  /**
   * The standard deviation of the share of set bits, sqrt((e^−λ − (1 + λ)·e^−2λ)/m) with λ = kn/m:
   * the large-m form of the occupancy variance.
   *
   * @param bits m
   * @param keys n
   * @param hashesPerKey k
   * @return the standard deviation of the fill ratio
   */
  public static double fillStandardDeviation(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    double lambda = (double) keys * hashesPerKey / bits;
    double q = Math.exp(-lambda);
    return Math.sqrt(Math.max(0, q - (1 + lambda) * q * q) / bits);
  }

  /**
   * The classic rate (1 − (1 − 1/m)^(kn))^k (Tarkoma et al., eq. 5); never above the exact rate.
   *
   * @param bits m
   * @param keys n
   * @param hashesPerKey k
   * @return the rate
   */
  public static double classicRate(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    return Math.pow(-Math.expm1(logZero(bits, (double) keys * hashesPerKey)), hashesPerKey);
  }

  /**
   * The approximation (1 − e^(−kn/m))^k; never above the classic rate.
   *
   * @param bits m
   * @param keys n
   * @param hashesPerKey k
   * @return the rate
   */
  public static double exponentialRate(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    return Math.pow(-Math.expm1(-((double) keys * hashesPerKey) / bits), hashesPerKey);
  }

  /**
   * The exact expected rate E[(X/m)^k], X the number of set bits, for k independent uniform
   * positions with replacement (Bose et al.), for any size.
   *
   * <p>Deviation: instead of the Stirling sum, whose cost grows with kn, the fresh key's distinct
   * bits are mixed with the number of throws that fell on them. The terms are the same, all are
   * positive, the relative error stays below 1e-11 and the cost depends on k only.
   *
   * @param bits m
   * @param keys n
   * @param hashesPerKey k
   * @return the rate
   */
  public static double exactRate(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    return Occupancy.allHit(bits, keys * hashesPerKey, hashesPerKey);
  }

  /**
   * The exact rate by the occupancy recurrence D(j) ← D(j)·j/m + D(j−1)·(m−j+1)/m, once per throw.
   *
   * @param bits m
   * @param keys n; min(m, kn)·kn is at most {@link #MAX_RECURRENCE_STEPS}
   * @param hashesPerKey k
   * @return the rate
   */
  public static double exactRateByRecurrence(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    long balls = keys * hashesPerKey;
    int most = (int) Math.min(Math.min(bits, balls), Integer.MAX_VALUE - 8);
    if (balls != 0) {
      Arguments.inRange("keys", keys, 0, MAX_RECURRENCE_STEPS / most / hashesPerKey);
    }
    double[] occupied = new double[most + 1];
    occupied[0] = 1;
    for (long t = 0; t < balls; t++) {
      for (int j = (int) Math.min(t + 1, most); j > 0; j--) {
        occupied[j] =
            occupied[j] * ((double) j / bits) + occupied[j - 1] * ((double) (bits - j + 1) / bits);
      }
      occupied[0] = 0;
    }
    double rate = 0;
    for (int j = 1; j <= most; j++) {
      rate += occupied[j] * Math.pow((double) j / bits, hashesPerKey);
    }
    return rate;
  }

  /**
   * The exact rate m^(−k(n+1)) · Σ_i i^k · i! · C(m,i) · S2(kn,i) with Stirling numbers of the
   * second kind (Bose et al.), in integers of any length.
   *
   * @param bits m
   * @param keys n, at least 1; kn is at most {@link #MAX_STIRLING_THROWS}
   * @param hashesPerKey k
   * @return the rate, correctly rounded to about 16 digits
   */
  public static double exactRateByStirling(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    Arguments.inRange("keys", keys, 1, Math.max(1, MAX_STIRLING_THROWS / hashesPerKey));
    int balls = (int) keys * hashesPerKey;
    BigInteger[] stirling = new BigInteger[balls + 1];
    Arrays.fill(stirling, BigInteger.ZERO);
    stirling[0] = BigInteger.ONE;
    for (int t = 1; t <= balls; t++) {
      for (int i = t; i > 0; i--) {
        stirling[i] = stirling[i].multiply(BigInteger.valueOf(i)).add(stirling[i - 1]);
      }
      stirling[0] = BigInteger.ZERO;
    }
    BigInteger sum = BigInteger.ZERO;
    BigInteger falling = BigInteger.ONE;
    for (int i = 1; i <= balls && i <= bits; i++) {
      falling = falling.multiply(BigInteger.valueOf(bits - i + 1));
      sum =
          sum.add(BigInteger.valueOf(i).pow(hashesPerKey).multiply(falling).multiply(stirling[i]));
    }
    return new BigDecimal(sum)
        .divide(
            new BigDecimal(BigInteger.valueOf(bits).pow(balls + hashesPerKey)),
            MathContext.DECIMAL64)
        .doubleValue();
  }

  /**
   * The rigorous upper bound (1 − e^(−k(n + 0.5)/(m − 1)))^k of Goel and Gupta, "Small subset
   * queries and Bloom filters using ternary associative memories".
   *
   * @param bits m, at least 2
   * @param keys n
   * @param hashesPerKey k
   * @return a value that the exact rate never exceeds
   */
  public static double goelGuptaBound(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    Arguments.inRange("bits", bits, 2, MAX);
    return Math.pow(-Math.expm1(-hashesPerKey * (keys + 0.5) / (bits - 1.0)), hashesPerKey);
  }

  /**
   * The rate (1 − (1 − k/m)^n)^k of a filter with one slice of m/k bits per probe (Tarkoma et al.,
   * eq. 11). It is exact, because the slices are independent, and for k ≥ 2 it is above the exact
   * rate of the unpartitioned filter of the same size.
   *
   * @param bits m, at least {@code hashesPerKey}; m/k need not be whole for the formula
   * @param keys n
   * @param hashesPerKey k
   * @return the rate
   */
  public static double partitionedRate(long bits, long keys, int hashesPerKey) {
    check(bits, keys, hashesPerKey);
    Arguments.inRange("bits", bits, hashesPerKey, MAX);
    if (keys == 0) {
      return 0;
    }
    double logZero = keys * Math.log1p(-(double) hashesPerKey / bits);
    return Math.pow(-Math.expm1(logZero), hashesPerKey);
  }

  /**
   * The concentration of the share q of zero bits: P(|q − E q| ≥ deviation/m) ≤ 2·e^(−2·d²/(kn))
   * (Azuma–Hoeffding; Broder and Mitzenmacher, sec. 2.1).
   *
   * @param deviation d, in bits, at least 0
   * @param keys n, at least 1
   * @param hashesPerKey k
   * @return the bound, at most 1
   */
  public static double zeroShareTailBound(double deviation, long keys, int hashesPerKey) {
    check(1, keys, hashesPerKey);
    Arguments.inRange("keys", keys, 1, MAX);
    Arguments.inRange("deviation", deviation, 0, Double.MAX_VALUE);
    return Math.min(1, 2 * Math.exp(-2 * deviation * deviation / ((double) keys * hashesPerKey)));
  }

  /**
   * The real-valued optimum k* = (m/n)·ln 2 (Tarkoma et al., eq. 6), at which half of the bits are
   * set and the rate is 0.6185^(m/n).
   *
   * @param bitsPerKey m/n, positive
   * @return k*
   */
  public static double optimalProbes(double bitsPerKey) {
    return Arguments.positive("bitsPerKey", bitsPerKey) * LN2;
  }

  /**
   * The whole number of hashes per key with the lowest classic rate: the better of the two
   * neighbours of k*, the smaller one on a tie, at least 1 and at most 255.
   *
   * @param bits m
   * @param keys n, at least 1
   * @return k
   */
  public static int optimalProbes(long bits, long keys) {
    check(bits, keys, 1);
    Arguments.inRange("keys", keys, 1, MAX);
    double real = optimalProbes((double) bits / keys);
    int low = (int) Math.max(1, Math.min(Limits.MAX_HASHES_PER_KEY, Math.floor(real)));
    int high = Math.min(Limits.MAX_HASHES_PER_KEY, low + 1);
    return classicRate(bits, keys, high) < classicRate(bits, keys, low) ? high : low;
  }

  /**
   * Bits per key of an ideal Bloom filter, log2(1/rate)/ln 2 = 1.4427·log2(1/rate).
   *
   * <p>Deviation: Tarkoma et al., eq. 8, prints m/n ≥ 1/ln 2, which would give a rate of 0.5 only.
   *
   * @param rate the rate, in (0, 1)
   * @return bits per key; 9.585 for 1 %
   */
  public static double bitsPerKey(double rate) {
    return -Math.log(Arguments.rate("rate", rate)) / (LN2 * LN2);
  }

  /**
   * Bits per key that any structure with this rate needs, log2(1/rate): the information bound
   * (Broder and Mitzenmacher, sec. 2.2). A Bloom filter pays log2 e = 1.4427 times as much.
   *
   * @param rate the rate, in (0, 1)
   * @return bits per key
   */
  public static double informationBound(double rate) {
    return -Math.log(Arguments.rate("rate", rate)) / LN2;
  }

  /**
   * The classic size ceil(n·1.4427·log2(1/rate)) for a real-valued optimum k. The exact rate of a
   * real filter of this size is slightly above; {@code BloomShape.forKeys} is exact.
   *
   * @param keys n, at least 1
   * @param rate the rate, in (0, 1)
   * @return m, in bits
   */
  public static long bitsForRate(long keys, double rate) {
    Arguments.inRange("keys", keys, 1, MAX);
    return (long) Math.ceil(keys * bitsPerKey(rate));
  }

  /**
   * The bits at which k hashes per key reach a rate by the classic formula, as a real number: the
   * solution m of (1 − (1 − 1/m)^(kn))^k = rate. No smaller filter with k hashes per key can have
   * that exact rate.
   *
   * @param keys n, at least 1
   * @param rate the rate, in (0, 1)
   * @param hashesPerKey k
   * @return m, in bits
   */
  public static double bitsForRate(long keys, double rate, int hashesPerKey) {
    check(1, keys, hashesPerKey);
    Arguments.inRange("keys", keys, 1, MAX);
    Arguments.rate("rate", rate);
    double logZero = Math.log1p(-Math.pow(rate, 1.0 / hashesPerKey));
    return -1 / Math.expm1(logZero / ((double) keys * hashesPerKey));
  }

  /**
   * The smallest size whose Goel–Gupta bound is at most the rate, so that the rate is guaranteed
   * without any approximation, for the best number of hashes per key near log2(1/rate).
   *
   * @param keys n, 1 … 2^36
   * @param rate the rate, in (0, 1)
   * @return m, in bits
   */
  public static long guaranteedBitsForRate(long keys, double rate) {
    Arguments.inRange("keys", keys, 1, Limits.MAX_KEYS);
    long best = Long.MAX_VALUE;
    int start = (int) Math.max(1, Math.round(informationBound(rate)));
    for (int k = Math.max(1, start - 2); k <= start + 2; k++) {
      // 1 − e^(−k(n+½)/(m−1)) = rate^(1/k), solved for m.
      double logZero = Math.log1p(-Math.pow(rate, 1.0 / k));
      long bits = Math.max(2, (long) Math.ceil(1 + k * (keys + 0.5) / -logZero));
      while (goelGuptaBound(bits, keys, k) > rate) {
        bits++;
      }
      best = Math.min(best, bits);
    }
    return best;
  }

  /**
   * The most keys at which the exponential rate is still at most the given one, floor(−(m/k)·ln(1 −
   * rate^(1/k))).
   *
   * @param bits m
   * @param hashesPerKey k
   * @param rate the rate, in (0, 1)
   * @return n
   */
  public static long keysForRate(long bits, int hashesPerKey, double rate) {
    check(bits, 0, hashesPerKey);
    Arguments.rate("rate", rate);
    return (long)
        Math.floor(-(double) bits / hashesPerKey * Math.log1p(-Math.pow(rate, 1.0 / hashesPerKey)));
  }

  /**
   * The best classic rate that a budget allows, over all whole numbers of hashes per key.
   *
   * @param bits m
   * @param keys n, at least 1
   * @return the rate
   */
  public static double rateForBudget(long bits, long keys) {
    return classicRate(bits, keys, optimalProbes(bits, keys));
  }

  /**
   * (1 − 1/x)^(−x), which tends to e from above: the course slides' "useful approximation" behind
   * the exponential rate.
   *
   * @param x the argument, above 1
   * @return the value
   */
  public static double inversePower(double x) {
    Arguments.above("x", x, 1);
    return Math.exp(-x * Math.log1p(-1 / x));
  }

  private static double logZero(long bits, double balls) {
    return balls == 0 ? 0 : balls * Math.log1p(-1.0 / bits);
  }

  private static void check(long bits, long keys, int hashesPerKey) {
    Arguments.inRange("bits", bits, 1, MAX);
    Arguments.inRange("keys", keys, 0, MAX);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Limits.MAX_HASHES_PER_KEY);
  }
}
