package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.numeric.CountCover;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;

/**
 * How the counters of a counting Bloom filter are distributed, when they overflow, and how often a
 * key is reported as added more often than it was: Tarkoma, Rothenberg and Lagerspetz 2012, sec.
 * III-A; Kim et al., "Bloom filter with a false positive rate decreasing by count threshold".
 *
 * <p>Erratum: after eq. 13 the survey bounds the probability that any counter is j or more by m·P(c
 * = j). It must be m·P(c ≥ j), {@link #overflowBound}: at λ = ln 2 and j = 16 a counter has P(c =
 * 16) = 6.79e-17, but P(c ≥ 16) = 7.07e-17. The bounds of eq. 14 to 16 hold, since C(nk, j)/m^j
 * counts sets of j throws that meet in one counter.
 *
 * <p>Unless a method says otherwise: counters m 1 … 2^53, keys n 0 … 2^53, hashes per key k 1 …
 * 255, counts j 1 … 65536.
 */
public final class CountingMath {

  /** The highest threshold that {@link #exactThresholdRate} takes. */
  public static final int MAX_EXACT_THRESHOLD = 255;

  private static final long MAX = 1L << 53;
  private static final int MAX_COUNT = 1 << 16;

  private CountingMath() {}

  /**
   * The probability that a counter holds exactly j: C(nk, j)·(1/m)^j·(1 − 1/m)^(nk − j) (eq. 13).
   *
   * @param counters m
   * @param keys n
   * @param hashesPerKey k
   * @param count j, 0 … 65536
   * @return the probability
   */
  public static double countProbability(long counters, long keys, int hashesPerKey, int count) {
    check(counters, keys, hashesPerKey);
    Arguments.inRange("count", count, 0, MAX_COUNT);
    Pmf pmf = Pmf.binomial(keys * hashesPerKey, 1.0 / counters, count);
    long index = count - pmf.first();
    return index >= 0 && index < pmf.size() ? pmf.weight((int) index) : 0;
  }

  /**
   * The probability that a counter holds j or more.
   *
   * @param counters m
   * @param keys n
   * @param hashesPerKey k
   * @param count j
   * @return the probability; 0 if it is below about 1e-40
   */
  public static double countAtLeastProbability(
      long counters, long keys, int hashesPerKey, int count) {
    check(counters, keys, hashesPerKey, count);
    return binomialTail(keys * hashesPerKey, 1.0 / counters, count);
  }

  /**
   * The probability of j or more successes.
   *
   * @param trials number of trials, at least 0
   * @param p the probability of a success, 0 … 1
   * @param count j, at least 1
   * @return the probability; 0 if it is below about 1e-40
   */
  public static double binomialTail(long trials, double p, int count) {
    return trials * p >= count
        ? Pmf.binomial(trials, p, count - 1L).above()
        : tail(Pmf.binomial(trials, p, Long.MAX_VALUE), count);
  }

  /**
   * The probability that a counter holds j or more in the limit of many counters, P(Poisson(λ) ≥
   * j).
   *
   * @param load λ = nk/m, positive; ln 2 in a filter of the best size
   * @param count j
   * @return the probability; 7.07e-17 for ln 2 and 16
   */
  public static double countAtLeastProbability(double load, int count) {
    Arguments.positive("load", load);
    Arguments.inRange("count", count, 1, MAX_COUNT);
    return load >= count
        ? Pmf.poisson(load, count - 1L).above()
        : tail(Pmf.poisson(load, Long.MAX_VALUE), count);
  }

  private static double tail(Pmf pmf, int count) {
    double sum = 0;
    for (int i = pmf.size() - 1; i >= 0 && pmf.first() + i >= count; i--) {
      sum += pmf.weight(i);
    }
    return sum;
  }

  /**
   * The expected number of counters that hold j or more, m·P(c ≥ j), and so a bound on the
   * probability that there is any.
   *
   * @param counters m
   * @param keys n
   * @param hashesPerKey k
   * @param count j
   * @return the bound; above 1 it says nothing about the probability
   */
  public static double overflowBound(long counters, long keys, int hashesPerKey, int count) {
    return counters * countAtLeastProbability(counters, keys, hashesPerKey, count);
  }

  /**
   * The bound m·C(nk, j)/m^j on the probability that some counter holds j or more (eq. 14, first
   * half).
   *
   * @param counters m
   * @param keys n
   * @param hashesPerKey k
   * @param count j
   * @return the bound
   */
  public static double binomialOverflowBound(
      long counters, long keys, int hashesPerKey, int count) {
    check(counters, keys, hashesPerKey, count);
    double balls = (double) keys * hashesPerKey;
    if (balls < count) {
      return 0;
    }
    double log = Math.log((double) counters);
    for (int i = 0; i < count; i++) {
      log += Math.log((balls - i) / (i + 1.0) / counters);
    }
    return Math.exp(log);
  }

  /**
   * The bound m·(e·nk/(jm))^j on the probability that some counter holds j or more (eq. 14, second
   * half).
   *
   * @param counters m
   * @param keys n
   * @param hashesPerKey k
   * @param count j
   * @return the bound, never below {@link #binomialOverflowBound}
   */
  public static double powerOverflowBound(long counters, long keys, int hashesPerKey, int count) {
    check(counters, keys, hashesPerKey, count);
    return counters * Math.pow(Math.E * keys * hashesPerKey / ((double) count * counters), count);
  }

  /**
   * The bound (e·ln 2/j)^j on the probability that one counter of a filter with the best number of
   * hashes per key, or fewer, holds j or more (eq. 15); times m for any counter.
   *
   * @param count j
   * @return the bound; 1.37e-15 for 16 (eq. 16)
   */
  public static double halfFullOverflowBound(int count) {
    Arguments.inRange("count", count, 1, MAX_COUNT);
    return Math.pow(Math.E * Math.log(2) / count, count);
  }

  /**
   * The published rate at which a key that was not added is reported as added t times or more:
   * P(Bin(nk, 1/m) ≥ t)^k. It treats counters as independent.
   *
   * @param counters m
   * @param insertions n: additions of other, distinct keys
   * @param hashesPerKey k
   * @param threshold t, 1 … 65536
   * @return the rate
   */
  public static double thresholdRate(
      long counters, long insertions, int hashesPerKey, int threshold) {
    return Math.pow(
        countAtLeastProbability(counters, insertions, hashesPerKey, threshold),
        (double) hashesPerKey);
  }

  /**
   * The same, accounting for the dependence between counters, for k independent uniform hashes per
   * key with replacement; for t = 1 it is {@link BloomMath#exactRate}.
   *
   * @param counters m
   * @param insertions n: additions of other, distinct keys
   * @param hashesPerKey k
   * @param threshold t, 1 … {@link #MAX_EXACT_THRESHOLD}
   * @return the rate
   */
  public static double exactThresholdRate(
      long counters, long insertions, int hashesPerKey, int threshold) {
    check(counters, insertions, hashesPerKey);
    Arguments.inRange("threshold", threshold, 1, MAX_EXACT_THRESHOLD);
    return threshold == 1
        ? BloomMath.exactRate(counters, insertions, hashesPerKey)
        : CountCover.allAtLeast(counters, insertions * hashesPerKey, hashesPerKey, threshold);
  }

  /**
   * The load λ = nk/m at which a threshold query works best: where λ·ln P(Poisson(λ) ≥ t) is
   * lowest. It is ln 2 for t = 1 and grows with t, since only sufficiently high counters cause
   * errors.
   *
   * @param threshold t, 1 … 65536
   * @return the load
   */
  public static double optimalThresholdLoad(int threshold) {
    Arguments.inRange("threshold", threshold, 1, MAX_COUNT);
    double golden = (Math.sqrt(5) - 1) / 2;
    double low = 0;
    double high = threshold;
    double a = high - golden * (high - low);
    double b = low + golden * (high - low);
    double atA = logRate(a, threshold);
    double atB = logRate(b, threshold);
    while (high - low > 1e-9 * high) {
      if (atA <= atB) {
        high = b;
        b = a;
        atB = atA;
        a = high - golden * (high - low);
        atA = logRate(a, threshold);
      } else {
        low = a;
        a = b;
        atA = atB;
        b = low + golden * (high - low);
        atB = logRate(b, threshold);
      }
    }
    return (low + high) / 2;
  }

  private static double logRate(double load, int threshold) {
    double p = countAtLeastProbability(load, threshold);
    return p > 0 ? load * Math.log(p) : Double.POSITIVE_INFINITY;
  }

  /**
   * The whole number of hashes per key with the lowest {@linkplain #thresholdRate published rate},
   * near {@link #optimalThresholdLoad}·m/n; ties go to fewer.
   *
   * @param counters m
   * @param insertions n, at least 1
   * @param threshold t, 1 … 65536
   * @return k
   */
  public static int optimalThresholdProbes(long counters, long insertions, int threshold) {
    check(counters, insertions, 1, threshold);
    Arguments.inRange("insertions", insertions, 1, MAX);
    double real = optimalThresholdLoad(threshold) * counters / insertions;
    int start = (int) Math.max(1, Math.min(Limits.MAX_HASHES_PER_KEY, Math.round(real)));
    return new Sizing.Probes(start, 1, Limits.MAX_HASHES_PER_KEY, 2)
        .best(k -> thresholdRate(counters, insertions, k, threshold));
  }

  /**
   * The published rate of the variable-increment counting filter, (P1/L + P2·(1 − (L² − 1)/(6L²)) +
   * P≥3)^k, where P1, P2 and P≥3 are the probabilities that a Poisson number of mean nk/m is 1, 2,
   * and 3 or more (Rottenstreich, Kanizo and Keslassy).
   *
   * @param counters m
   * @param keys n
   * @param hashesPerKey k
   * @param base L, at least 1; 1 gives the rate of a counting Bloom filter
   * @return the rate
   */
  public static double variableIncrementRate(long counters, long keys, int hashesPerKey, int base) {
    check(counters, keys, hashesPerKey);
    Arguments.inRange("base", base, 1, MAX_COUNT);
    if (keys == 0) {
      return 0;
    }
    double load = (double) keys * hashesPerKey / counters;
    double one = load * Math.exp(-load);
    double pass =
        one / base + one * load / 2 * twoIncrementsPass(base) + countAtLeastProbability(load, 3);
    return Math.pow(pass, hashesPerKey);
  }

  /**
   * The probability that the sum of two variable increments passes the test of a third.
   *
   * @param base L, at least 1: increments are drawn from L … 2L − 1
   * @return the probability
   */
  public static double twoIncrementsPass(int base) {
    double square = (double) base * base;
    return 1 - (square - 1) / (6 * square);
  }

  private static void check(long counters, long keys, int hashesPerKey) {
    Arguments.inRange("counters", counters, 1, MAX);
    Arguments.inRange("keys", keys, 0, MAX);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, Limits.MAX_HASHES_PER_KEY);
  }

  private static void check(long counters, long keys, int hashesPerKey, int count) {
    check(counters, keys, hashesPerKey);
    Arguments.inRange("count", count, 1, MAX_COUNT);
  }
}
