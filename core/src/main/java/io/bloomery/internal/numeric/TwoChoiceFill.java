package io.bloomery.internal.numeric;

/**
 * The fill of a Bloom filter whose keys take the cheapest of d = 2 or more groups of {@code
 * hashesPerKey} bits.
 *
 * <p>When X bits are set, the key takes the group with the fewest positions at bits that are not
 * set. Positions that coincide count twice in that comparison and set one bit. So X is a Markov
 * chain, and for small filters its distribution is computed step by step. For large ones, mean and
 * variance of the fill φ follow the chain's expansion in 1/bits (drift with the discrete-step and
 * curvature corrections, linear noise), integrated by the Runge–Kutta rule of order 4.
 */
public final class TwoChoiceFill {

  /** The chain is followed exactly up to this many elementary steps. */
  private static final long EXACT_STEPS = 400_000;

  private static final int INTERVALS = 32;

  private TwoChoiceFill() {}

  /**
   * The probability that a fresh key is found: one of its groups is fully set, E[1 − (1 − φ^k)^d].
   *
   * @param bits size of the filter, at least 1
   * @param keys keys added, at least 0
   * @param hashesPerKey k, bits of one group, at least 1
   * @param choices d, groups of a key, at least 2
   * @return the rate
   */
  public static double rate(long bits, long keys, int hashesPerKey, int choices) {
    if (keys == 0) {
      return 0;
    }
    double reached = Math.min((double) bits, (double) keys * hashesPerKey);
    if (reached * keys * hashesPerKey <= EXACT_STEPS) {
      return exactRate(bits, (int) keys, hashesPerKey, choices);
    }
    return expandedRate(bits, keys, hashesPerKey, choices);
  }

  /** The probability that at least one of d groups is fully set. */
  public static double anyOf(double group, int choices) {
    return -Math.expm1(choices * Math.log1p(-group));
  }

  /**
   * The number of keys after which this many bits are set on average: the integral of the steps
   * that each bit takes, by Simpson's rule with steps that shrink as the filter fills up.
   *
   * @param bits size of the filter, at least 1
   * @param setBits number of set bits, 0 … {@code bits}
   * @param hashesPerKey k, bits of one group, at least 1
   * @param choices d, groups of a key, at least 2
   * @return the number of keys; infinite if every bit is set
   */
  public static double keysFor(long bits, long setBits, int hashesPerKey, int choices) {
    if (setBits == bits) {
      return Double.POSITIVE_INFINITY;
    }
    double end = (double) setBits / bits;
    double keys = 0;
    double here = 1 / moments(0, (double) bits, hashesPerKey, choices)[0];
    for (double fill = 0; fill < end; ) {
      double step = Math.min(end - fill, (1 - fill) / INTERVALS);
      double middle = 1 / moments(fill + step / 2, (double) bits, hashesPerKey, choices)[0];
      double next = fill + step == end ? end : fill + step;
      double there = 1 / moments(next, (double) bits, hashesPerKey, choices)[0];
      keys += bits * step / 6 * (here + 4 * middle + there);
      here = there;
      fill = next;
    }
    return keys;
  }

  static double exactRate(long bits, int keys, int hashesPerKey, int choices) {
    int most = (int) Math.min(bits, (long) keys * hashesPerKey);
    double[] occupied = new double[most + 1];
    occupied[0] = 1;
    double[][] added = new double[most + 1][];
    for (int t = 0; t < keys; t++) {
      double[] next = new double[most + 1];
      for (int j = 0; j <= Math.min(most, t * (long) hashesPerKey); j++) {
        if (occupied[j] == 0) {
          continue;
        }
        if (added[j] == null) {
          added[j] = newBits(j / (double) bits, 1.0 / bits, hashesPerKey, choices);
        }
        for (int i = 0; i <= hashesPerKey && j + i <= most; i++) {
          next[j + i] += occupied[j] * added[j][i];
        }
      }
      occupied = next;
    }
    double rate = 0;
    for (int j = 1; j <= most; j++) {
      rate += occupied[j] * anyOf(Math.pow((double) j / bits, hashesPerKey), choices);
    }
    return rate;
  }

  static double expandedRate(long bits, long keys, int hashesPerKey, int choices) {
    double m = bits;
    double fill = 0;
    double variance = 0;
    double h = keys / (double) INTERVALS;
    double[] slope = new double[2];
    for (int s = 0; s < INTERVALS; s++) {
      slope(fill, variance, m, hashesPerKey, choices, slope);
      double f1 = slope[0];
      double v1 = slope[1];
      slope(fill + h / 2 * f1, variance + h / 2 * v1, m, hashesPerKey, choices, slope);
      double f2 = slope[0];
      double v2 = slope[1];
      slope(fill + h / 2 * f2, variance + h / 2 * v2, m, hashesPerKey, choices, slope);
      double f3 = slope[0];
      double v3 = slope[1];
      slope(fill + h * f3, variance + h * v3, m, hashesPerKey, choices, slope);
      fill = Math.min(1, fill + h / 6 * (f1 + 2 * f2 + 2 * f3 + slope[0]));
      variance = Math.max(0, variance + h / 6 * (v1 + 2 * v2 + 2 * v3 + slope[1]));
    }
    double rate = 0;
    double subsets = 1; // inclusion and exclusion over the numbers j of fully set groups
    for (int j = 1; j <= choices; j++) {
      subsets *= (double) (j - choices - 1) / j;
      rate -= subsets * power(fill, variance, j * hashesPerKey);
    }
    return Math.max(0, Math.min(1, rate));
  }

  /** E[φ^k] for a narrow, nearly normal φ: the exponential of its first two cumulants. */
  private static double power(double mean, double variance, int k) {
    double relative = variance / (mean * mean);
    return Math.min(1, Math.pow(mean, k) * Math.exp(0.5 * k * (k - 1) * relative));
  }

  /** The change per key of the mean and of the variance of the fill. */
  private static void slope(
      double fill, double variance, double m, int hashesPerKey, int choices, double[] slope) {
    double x = Math.min(1, fill);
    double d = 1e-3;
    double[] here = moments(x, m, hashesPerKey, choices);
    double[] up = moments(x + d, m, hashesPerKey, choices);
    double[] down = moments(x - d, m, hashesPerKey, choices);
    double first = (up[0] - down[0]) / (2 * d);
    double second = (up[0] - 2 * here[0] + down[0]) / (d * d);
    slope[0] = here[0] / m - here[0] * first / (2 * m * m) + second * variance / (2 * m);
    slope[1] = 2 * first * variance / m + (here[1] - here[0] * here[0]) / (m * m);
  }

  /** Mean and mean square of the bits that a key adds. */
  private static double[] moments(double fill, double m, int hashesPerKey, int choices) {
    double[] added = newBits(fill, 1 / m, hashesPerKey, choices);
    double mean = 0;
    double square = 0;
    for (int i = 1; i <= hashesPerKey; i++) {
      mean += i * added[i];
      square += (double) i * i * added[i];
    }
    return new double[] {mean, square};
  }

  /** Distribution of the new bits of the group that is taken. */
  private static double[] newBits(double fill, double share, int hashesPerKey, int choices) {
    double[] zeros = new double[hashesPerKey + 1];
    zeros[0] = 1;
    for (int t = 0; t < hashesPerKey; t++) {
      for (int i = t + 1; i > 0; i--) {
        zeros[i] = zeros[i] * fill + zeros[i - 1] * (1 - fill);
      }
      zeros[0] *= fill;
    }
    double[] fewest = minimum(zeros, choices);
    // The distribution of the bits that z positions set, among those that are not set; the share
    // of a bit among these is that of one, at most.
    double shareOfZeros = fill < 1 ? share / (1 - fill) : 0;
    double[] different = new double[hashesPerKey + 1];
    different[0] = 1;
    double[] p = new double[hashesPerKey + 1];
    p[0] = fewest[0];
    for (int z = 1; z <= hashesPerKey; z++) {
      for (int i = z; i > 0; i--) {
        different[i] =
            different[i] * Math.min(1, i * shareOfZeros)
                + different[i - 1] * Math.max(0, 1 - (i - 1) * shareOfZeros);
        p[i] += fewest[z] * different[i];
      }
      different[0] = 0;
    }
    return p;
  }

  /** Distribution of the smallest of some independent values of the same distribution. */
  private static double[] minimum(double[] p, int choices) {
    double[] minimum = new double[p.length];
    double above = 0;
    for (int i = p.length - 1; i >= 0; i--) {
      // (above + p)^d − above^d without cancellation: p times a sum of products.
      double least = above + p[i];
      double sum = 1;
      double power = 1;
      for (int j = 1; j < choices; j++) {
        power *= above;
        sum = sum * least + power;
      }
      minimum[i] = p[i] * sum;
      above = least;
    }
    return minimum;
  }
}
