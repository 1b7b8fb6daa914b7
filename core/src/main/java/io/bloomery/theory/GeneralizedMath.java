package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;
import io.bloomery.internal.numeric.Sizing;
import java.util.Arrays;

/**
 * Both errors of the generalized Bloom filter, whose keys reset k0 bits and set k1: Laufer, Velloso
 * and Duarte, "Generalized Bloom Filters"; Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-R.
 *
 * <p>A key resets a given bit with probability q0 = 1 − (1 − 1/m)^k0 and sets it, where it does not
 * also reset it, with q1 = (1 − (1 − 1/m)^k1)·(1 − 1/m)^k0. With s = q0 + q1, the share of zeros
 * converges to q0/s from any start.
 *
 * <p>Erratum of the survey: its first sentence has the functions g set bits and h reset them, and
 * its query tests g_1 … g_k1. The g reset, there are k0 of them, and the h set; the formulas hold
 * only this way.
 *
 * <p>Bits m are 2 … 2^53, keys 0 … 2^53, k0 0 … 255, k1 1 … 255. With k0 = 0 and a start of zeros
 * the filter is a Bloom filter.
 */
public final class GeneralizedMath {

  private static final long MAX = 1L << 53;

  /**
   * Above this size the deviation of the share of zeros affects no rate, and this method cannot
   * compute it.
   */
  private static final long LARGE = 1L << 22;

  /** Below this size the distribution of the number of zeros is computed. */
  private static final long TINY = 64;

  private GeneralizedMath() {}

  /**
   * The probability q0 that a key resets a given bit.
   *
   * @param bits m
   * @param resetHashes k0
   * @return q0
   */
  public static double resetProbability(long bits, int resetHashes) {
    Arguments.inRange("bits", bits, 2, MAX);
    Arguments.inRange("resetHashes", resetHashes, 0, Limits.MAX_HASHES_PER_KEY);
    return -Math.expm1(resetHashes * Math.log1p(-1.0 / bits));
  }

  /**
   * The probability q1 that a key sets a given bit.
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @return q1
   */
  public static double setProbability(long bits, int resetHashes, int setHashes) {
    Arguments.inRange("setHashes", setHashes, 1, Limits.MAX_HASHES_PER_KEY);
    double untouched = Math.log1p(-1.0 / bits);
    return -Math.expm1(setHashes * untouched) * (1 - resetProbability(bits, resetHashes));
  }

  /**
   * The expected share of zeros after keys were added: p0(0)·(1 − s)^n + (q0/s)·(1 − (1 − s)^n).
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @param keys n
   * @param startZeros p0(0), the share of zeros before, 0 … 1
   * @return p0(n)
   */
  public static double zeroShare(
      long bits, int resetHashes, int setHashes, long keys, double startZeros) {
    Arguments.inRange("startZeros", startZeros, 0, 1);
    double reset = resetProbability(bits, resetHashes);
    double touched = reset + setProbability(bits, resetHashes, setHashes);
    double limit = reset / touched;
    return limit + (startZeros - limit) * unchanged(touched, keys);
  }

  /** (1 − s)^n. */
  private static double unchanged(double touched, long keys) {
    Sizing.requireLoad(keys);
    return Math.exp(keys * Math.log1p(-touched));
  }

  /**
   * The false-positive rate as published: p0^b0·(1 − p0)^b1 with the expected numbers b0 = m·q0 and
   * b1 = m·q1 of different bits that a key resets and sets. It is a little low for small m, where
   * keys with fewer different bits pass more easily: 0.0140 instead of 0.0145 for m = 256, k0 = k1
   * = 3, n = 64; {@link #rate} counts them.
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @param keys n
   * @param startZeros the share of zeros before, 0 … 1
   * @return the rate
   */
  public static double publishedRate(
      long bits, int resetHashes, int setHashes, long keys, double startZeros) {
    double zeros = zeroShare(bits, resetHashes, setHashes, keys, startZeros);
    return Math.pow(zeros, bits * resetProbability(bits, resetHashes))
        * Math.pow(1 - zeros, bits * setProbability(bits, resetHashes, setHashes));
  }

  /**
   * The bound of the false-positive rate as published, for any bits: (b0/(b0 + b1))^b0·(b1/(b0 +
   * b1))^b1. Like {@link #publishedRate} a little low for small m; {@link #bound} is exact.
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @return the bound
   */
  public static double publishedBound(long bits, int resetHashes, int setHashes) {
    double reset = bits * resetProbability(bits, resetHashes);
    double set = bits * setProbability(bits, resetHashes, setHashes);
    return Math.pow(reset / (reset + set), reset) * Math.pow(set / (reset + set), set);
  }

  /**
   * The exact false-positive rate of a filter with a known number of zeros. A key whose positions
   * repeat needs fewer bits, and a bit that it would set and reset must be 0.
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @param zeros how many bits are 0, 0 … m; a fraction for an expected number
   * @return the probability that a random key is reported present
   */
  public static double rateAt(long bits, int resetHashes, int setHashes, double zeros) {
    Arguments.inRange("zeros", zeros, 0, (double) bits);
    // The probability that all resets so far fell on zeros, d different ones.
    double[] on = new double[resetHashes + 1];
    on[0] = 1;
    for (int i = 0; i < resetHashes; i++) {
      for (int d = i + 1; d > 0; d--) {
        on[d] = on[d] * d / bits + on[d - 1] * Math.max(0, zeros - d + 1) / bits;
      }
      on[0] = 0;
    }
    double rate = 0;
    for (int d = 0; d <= resetHashes; d++) {
      double passes = Math.min(1, (bits - zeros + d) / bits);
      rate += on[d] * Math.pow(passes, setHashes);
    }
    return Math.min(1, rate);
  }

  /**
   * The highest false-positive rate that any bits give: the exact maximum of {@link #rateAt}.
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @return the bound
   */
  public static double bound(long bits, int resetHashes, int setHashes) {
    setProbability(bits, resetHashes, setHashes);
    double best = Math.floor((double) bits * resetHashes / (resetHashes + setHashes));
    double highest = rateAt(bits, resetHashes, setHashes, best);
    for (double step = Math.max(1, Math.floor(bits / 8.0)); step >= 1; ) {
      double up = rateAt(bits, resetHashes, setHashes, Math.min((double) bits, best + step));
      double down = rateAt(bits, resetHashes, setHashes, Math.max(0, best - step));
      if (Math.max(up, down) > highest) {
        best = up > down ? Math.min((double) bits, best + step) : Math.max(0, best - step);
        highest = Math.max(up, down);
      } else {
        step = Math.floor(step / 2);
      }
    }
    return highest;
  }

  /**
   * The expected false-positive rate after keys were added: the mean of {@link #rateAt} over the
   * number of zeros. Below 64 bits its distribution is exact, and otherwise its mean and variance
   * (three-point Gauss–Hermite quadrature).
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @param keys n
   * @param startZeros the share of zeros before, 0 … 1
   * @return the rate
   */
  public static double rate(
      long bits, int resetHashes, int setHashes, long keys, double startZeros) {
    double mean = zeroShare(bits, resetHashes, setHashes, keys, startZeros); // checks arguments
    if (bits < TINY) {
      return tinyRate((int) bits, resetHashes, setHashes, keys, startZeros);
    }
    double deviation = zeroDeviation(bits, resetHashes, setHashes, keys, startZeros);
    double step = Math.sqrt(3) * deviation;
    double low = rateAt(bits, resetHashes, setHashes, bits * Math.max(0, mean - step));
    double high = rateAt(bits, resetHashes, setHashes, bits * Math.min(1, mean + step));
    double middle = rateAt(bits, resetHashes, setHashes, bits * mean);
    return (low + 4 * middle + high) / 6;
  }

  /** {@link #rate} by the chain of the number of zeros; a start between two numbers is a mix. */
  private static double tinyRate(
      int bits, int resetHashes, int setHashes, long keys, double startZeros) {
    double[] rates = new double[bits + 1];
    for (int zeros = 0; zeros <= bits; zeros++) {
      rates[zeros] = rateAt(bits, resetHashes, setHashes, zeros);
    }
    double[][] step = zerosAfterAKey(bits, resetHashes, setHashes);
    for (long left = keys; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        rates = product(step, rates);
      }
      step = squared(step);
    }
    int below = Math.min(bits - 1, (int) (startZeros * bits));
    double above = startZeros * bits - below;
    return (1 - above) * rates[below] + above * rates[below + 1];
  }

  /** Element [i][j]: the probability that a key turns i zeros into j. */
  private static double[][] zerosAfterAKey(int bits, int resetHashes, int setHashes) {
    double[][] step = new double[bits + 1][bits + 1];
    double[][] cleared = new double[bits + 1][];
    for (int zeros = 0; zeros <= bits; zeros++) {
      cleared[zeros] = differentOf(zeros, bits, setHashes);
    }
    for (int zeros = 0; zeros <= bits; zeros++) {
      double[][] touched = differentOf(zeros, bits - zeros, bits, resetHashes);
      for (int a = 0; a <= zeros; a++) {
        for (int b = 0; b <= bits - zeros; b++) {
          double[] set = cleared[zeros - a];
          for (int c = 0; c < set.length; c++) {
            step[zeros][zeros + b - c] += touched[a][b] * set[c];
          }
        }
      }
    }
    return step;
  }

  /** How many of some positions are drawn, by a number of draws from all. */
  private static double[] differentOf(int some, int all, int draws) {
    double[] p = new double[some + 1];
    p[0] = 1;
    for (int i = 0; i < draws; i++) {
      for (int d = some; d >= 0; d--) {
        double more = d == 0 ? 0 : p[d - 1] * (some - d + 1) / all;
        p[d] = p[d] * (all - some + d) / all + more;
      }
    }
    return p;
  }

  /** Element [a][b]: the probability that a of some positions are drawn and b of the others. */
  private static double[][] differentOf(int some, int others, int all, int draws) {
    double[][] p = new double[some + 1][others + 1];
    p[0][0] = 1;
    for (int i = 0; i < draws; i++) {
      for (int a = some; a >= 0; a--) {
        for (int b = others; b >= 0; b--) {
          double one = a == 0 ? 0 : p[a - 1][b] * (some - a + 1) / all;
          double other = b == 0 ? 0 : p[a][b - 1] * (others - b + 1) / all;
          p[a][b] = p[a][b] * (a + b) / all + one + other;
        }
      }
    }
    return p;
  }

  private static double[] product(double[][] matrix, double[] vector) {
    double[] result = new double[vector.length];
    for (int i = 0; i < vector.length; i++) {
      for (int j = 0; j < vector.length; j++) {
        result[i] += matrix[i][j] * vector[j];
      }
    }
    return result;
  }

  /**
   * The square of a stochastic matrix; its rows are scaled to 1, or rounding errors would double.
   */
  private static double[][] squared(double[][] matrix) {
    double[][] result = new double[matrix.length][matrix.length];
    for (int i = 0; i < matrix.length; i++) {
      double[] row = result[i];
      for (int k = 0; k < matrix.length; k++) {
        for (int j = 0; j < matrix.length; j++) {
          row[j] += matrix[i][k] * matrix[k][j];
        }
      }
      double sum = Arrays.stream(row).sum();
      Arrays.setAll(row, j -> row[j] / sum);
    }
    return result;
  }

  /** The standard deviation of the share of zeros, from the probability that two bits are 0. */
  private static double zeroDeviation(
      long bits, int resetHashes, int setHashes, long keys, double startZeros) {
    if (bits > LARGE) {
      return 0;
    }
    double oneLeft = 1 - 1.0 / bits;
    double bothLeft = 1 - 2.0 / bits;
    double resetNeither = Math.pow(bothLeft, resetHashes);
    double notReset = Math.pow(oneLeft, resetHashes);
    double touched =
        resetProbability(bits, resetHashes) + setProbability(bits, resetHashes, setHashes);
    double resetBoth = 1 - 2 * notReset + resetNeither;
    double resetOne = (notReset - resetNeither) * Math.pow(oneLeft, setHashes);
    double neither = resetNeither * Math.pow(bothLeft, setHashes);
    // x(n + 1) = resetBoth + 2·resetOne·p0(n) + neither·x(n), solved for p0(n) = limit + c·r^n.
    double limit = (1 - notReset) / touched;
    double fades = 2 * resetOne * (startZeros - limit) / (1 - touched - neither);
    double stays = (resetBoth + 2 * resetOne * limit) / (1 - neither);
    double start = startZeros * Math.max(0, startZeros * bits - 1) / (bits - 1);
    double both =
        stays
            + fades * unchanged(touched, keys)
            + (start - stays - fades) * Math.pow(neither, (double) keys);
    double mean = zeroShare(bits, resetHashes, setHashes, keys, startZeros);
    return Math.sqrt(Math.max(0, (mean + (bits - 1) * both) / bits - mean * mean));
  }

  /**
   * The probability that a key is reported absent after others were added: 1 − (1 − (q1/s)·a)^b0·(1
   * − (q0/s)·a)^b1 with a = 1 − (1 − s)^j, as published. The bits of a key are treated as
   * independent, which is accurate to 0.2 % for 256 bits and more.
   *
   * @param bits m
   * @param resetHashes k0
   * @param setHashes k1
   * @param age j, how many other keys were added after it; 0 for the latest
   * @return the false-negative rate; 0 for the latest key
   */
  public static double falseNegativeRate(long bits, int resetHashes, int setHashes, long age) {
    double reset = resetProbability(bits, resetHashes);
    double set = setProbability(bits, resetHashes, setHashes);
    Sizing.requireLoad(age);
    if (resetHashes == 0) {
      return 0;
    }
    double touched = reset + set;
    double changed = -Math.expm1(age * Math.log1p(-touched));
    return -Math.expm1(
        bits * reset * Math.log1p(-set / touched * changed)
            + bits * set * Math.log1p(-reset / touched * changed));
  }
}
