package io.bloomery.plan;

/**
 * How full a table of m bits gets if every step throws some balls, may choose the best of c sets of
 * throws, and takes the set that fills the fewest empty bits. One key per step and c = 2 is the
 * two-choice filter; a group of keys per step is hash selection.
 *
 * <p>Design. With the share q of empty bits, the bits that one set fills are Bin(balls, q), and the
 * smallest of c has mean Σ P(Bin ≥ j)^c. The mean fill follows dφ/dτ = a(φ), τ steps per bit, and
 * its variance v/m follows dv/dτ = 2·a′·v + b with b the variance of one step (linear noise
 * approximation, van Kampen 2007, ch. X). The term −a·a′/2m accounts for steps being whole. Throws
 * of one set that fall on the same empty bit are counted twice, which overstates the fill by about
 * balls/2m.
 */
final class ChoiceFill {

  private static final double STEP = 1.0 / 16;
  private static final double NEGLIGIBLE = 1e-12;

  private final int probes;
  private final int choices;
  private final double[] sizeWeights;
  private final double[] logFactorial;

  private double drift;
  private double slope;
  private double noise;

  /**
   * Prepares the sums.
   *
   * @param probes balls per key
   * @param choices c
   * @param sizeWeights probability of 0, 1, 2… keys in a step
   */
  private ChoiceFill(int probes, int choices, double[] sizeWeights) {
    this.probes = probes;
    this.choices = choices;
    this.sizeWeights = sizeWeights;
    this.logFactorial = new double[probes * (sizeWeights.length - 1) + 1];
    for (int i = 2; i < logFactorial.length; i++) {
      logFactorial[i] = logFactorial[i - 1] + Math.log(i);
    }
  }

  /** One key per step. */
  static ChoiceFill ofKeys(int probes, int choices) {
    return new ChoiceFill(probes, choices, new double[] {0, 1});
  }

  /** A Poisson number of keys per step. */
  static ChoiceFill ofGroups(int probes, int choices, double keysPerGroup) {
    int most = (int) Math.ceil(keysPerGroup + 8 * Math.sqrt(keysPerGroup) + 8);
    double[] weights = new double[most + 1];
    weights[0] = Math.exp(-keysPerGroup);
    for (int i = 1; i <= most; i++) {
      weights[i] = weights[i - 1] * keysPerGroup / i;
    }
    return new ChoiceFill(probes, choices, weights);
  }

  /** Mean share of set bits, and the variance of that share. */
  record Fill(double mean, double variance) {

    /** E[fill^k] to second order. */
    double power(int k) {
      double curvature = k < 2 ? 0 : (double) k * (k - 1) * Math.pow(mean, k - 2);
      return Math.min(1, Math.pow(mean, k) + curvature * variance / 2);
    }
  }

  /** The fill of {@code bits} bits after {@code steps} steps. */
  Fill after(long bits, double steps) {
    double rest = steps / bits;
    double fill = 0;
    double v = 0;
    while (rest > 0 && 1 - fill > NEGLIGIBLE) {
      at(fill);
      if (drift <= 0) {
        break;
      }
      double h = Math.min(rest, STEP * (1 - fill) / drift);
      rest = h == rest ? 0 : rest - h;
      double f1 = wholeDrift(bits);
      double v1 = 2 * slope * v + noise;
      at(fill + h / 2 * f1);
      double f2 = wholeDrift(bits);
      double v2 = 2 * slope * (v + h / 2 * v1) + noise;
      at(fill + h / 2 * f2);
      double f3 = wholeDrift(bits);
      double v3 = 2 * slope * (v + h / 2 * v2) + noise;
      at(fill + h * f3);
      double f4 = wholeDrift(bits);
      double v4 = 2 * slope * (v + h * v3) + noise;
      fill = Math.min(1, fill + h / 6 * (f1 + 2 * f2 + 2 * f3 + f4));
      v = Math.max(0, v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4));
    }
    return new Fill(fill, v / bits);
  }

  private double wholeDrift(long bits) {
    return drift - drift * slope / (2.0 * bits);
  }

  /** Sets drift a, slope a′ (with respect to the fill) and noise b of one step at a fill. */
  private void at(double fill) {
    double empty = Math.max(0, Math.min(1, 1 - fill));
    double mean = 0;
    double square = 0;
    double derivative = 0;
    for (int size = 1; size < sizeWeights.length; size++) {
      int balls = size * probes;
      double weight = sizeWeights[size];
      double tail = 0;
      for (int j = balls; j > 0; j--) {
        tail = Math.min(1, tail + binomial(balls, j, empty));
        double all = Math.pow(tail, choices);
        mean += weight * all;
        square += weight * (2 * j - 1) * all;
        if (tail > 0) {
          derivative += weight * choices * (all / tail) * balls * binomial(balls - 1, j - 1, empty);
        }
      }
    }
    drift = mean;
    noise = Math.max(0, square - mean * mean);
    slope = -derivative;
  }

  private double binomial(int trials, int hits, double p) {
    if (p == 0 || p == 1) {
      return hits == (p == 0 ? 0 : trials) ? 1 : 0;
    }
    return Math.exp(
        logFactorial[trials]
            - logFactorial[hits]
            - logFactorial[trials - hits]
            + hits * Math.log(p)
            + (trials - hits) * Math.log1p(-p));
  }
}
