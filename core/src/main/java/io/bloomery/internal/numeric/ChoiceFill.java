package io.bloomery.internal.numeric;

import java.util.Arrays;

/**
 * How full a table of m bits gets if every step throws some balls, may choose the best of c sets of
 * throws, and takes the set that fills the fewest empty bits: hash selection, which takes a group
 * of keys per step.
 *
 * <p>Design. With the share q of empty bits, the bits that one set fills are Bin(balls, q), and the
 * smallest of c has mean Σ P(Bin ≥ j)^c. The mean fill follows dφ/dτ = a(φ), τ steps per bit, and
 * its variance v/m follows dv/dτ = 2·a′·v + b with b the variance of one step (linear noise
 * approximation, van Kampen 2007, ch. X); both are integrated by the classic Runge–Kutta method.
 * The term −a·a′/2m accounts for steps being whole. Throws of one set that fall on the same empty
 * bit are counted twice, which overstates the fill by about balls/2m.
 */
public final class ChoiceFill {

  private static final double STEP = 1.0 / 16;
  private static final double NEGLIGIBLE = 1e-12;

  /** Probabilities below this are computed by their logarithms, not from their neighbours. */
  private static final double TINY = 1e-250;

  /** Groups so large that they have less than this share of the keys are left out. */
  private static final double RARE = 1e-9;

  /** Terms of a sum below this are left out; its first is about 1. */
  private static final double NO_WEIGHT = 1e-17;

  private final long bits;
  private final int choices;
  private double fill;
  private double scaledVariance;

  private int balls;
  private double[] logFactorial = {0, 0};
  private double drift;
  private double slope;
  private double noise;

  /** An empty table; the number of choices is a power of two. */
  private ChoiceFill(long bits, int choices) {
    this.bits = bits;
    this.choices = choices;
  }

  /** A table that took groups with a Poisson number of keys each, the largest groups first. */
  public static ChoiceFill ofGroups(
      long bits, int choices, int hashesPerKey, double groups, double keysPerGroup) {
    int most = (int) Math.ceil(keysPerGroup + 8 * Math.sqrt(keysPerGroup) + 8);
    double[] share = new double[most + 1];
    share[0] = Math.exp(-keysPerGroup);
    for (int size = 1; size <= most; size++) {
      share[size] = share[size - 1] * keysPerGroup / size;
    }
    while (most > 1 && most * share[most] < RARE * keysPerGroup) {
      most--;
    }
    ChoiceFill table = new ChoiceFill(bits, choices);
    for (int size = most; size > 0; size--) {
      table.add(size * hashesPerKey, groups * share[size]);
    }
    return table;
  }

  /** E[fill^k] to second order. */
  public double power(int k) {
    double curvature = k < 2 ? 0 : (double) k * (k - 1) * Math.pow(fill, k - 2);
    return Math.min(1, Math.pow(fill, k) + curvature * scaledVariance / bits / 2);
  }

  /** Takes more steps, each of {@code ballsPerStep} balls. */
  private void add(int ballsPerStep, double steps) {
    balls = ballsPerStep;
    extendFactorials();
    double rest = steps / bits;
    while (rest > 0 && 1 - fill > NEGLIGIBLE) {
      at(fill);
      if (drift <= 0) {
        return;
      }
      double h = Math.min(rest, STEP * (1 - fill) / drift);
      rest = h == rest ? 0 : rest - h;
      advance(h);
    }
  }

  private void advance(double h) {
    double v = scaledVariance;
    double f1 = wholeDrift();
    double v1 = 2 * slope * v + noise;
    at(fill + h / 2 * f1);
    double f2 = wholeDrift();
    double v2 = 2 * slope * (v + h / 2 * v1) + noise;
    at(fill + h / 2 * f2);
    double f3 = wholeDrift();
    double v3 = 2 * slope * (v + h / 2 * v2) + noise;
    at(fill + h * f3);
    double f4 = wholeDrift();
    double v4 = 2 * slope * (v + h * v3) + noise;
    fill = Math.min(1, fill + h / 6 * (f1 + 2 * f2 + 2 * f3 + f4));
    scaledVariance = Math.max(0, v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4));
  }

  private double wholeDrift() {
    return drift - drift * slope / (2.0 * bits);
  }

  /** Sets drift a, slope a′ (with respect to the fill) and noise b of one step at a fill. */
  private void at(double share) {
    double empty = Math.max(0, Math.min(1, 1 - share));
    double logHit = Math.log(empty);
    double logMiss = Math.log1p(-empty);
    double mean = 0;
    double square = 0;
    double derivative = 0;
    double odds = empty / (1 - empty);
    double here = binomial(0, logHit, logMiss);
    double below = here;
    for (int j = 1; j <= balls; j++) {
      double tail = Math.max(0, 1 - below);
      double all = ofAllChoices(tail);
      if (all < NO_WEIGHT) {
        break;
      }
      here = here > TINY ? here * (balls - j + 1) / j * odds : binomial(j, logHit, logMiss);
      mean += all;
      square += (2 * j - 1) * all;
      // Bin(balls - 1, q) at j - 1 is Bin(balls, q) at j, times j / (balls · q).
      derivative += all / tail * here * j;
      below += here;
    }
    drift = mean;
    noise = Math.max(0, square - mean * mean);
    slope = mean > 0 ? -derivative * choices / empty : 0;
  }

  /** tail^c. */
  private double ofAllChoices(double tail) {
    double power = tail;
    for (int exponent = choices; exponent > 1; exponent >>= 1) {
      power *= power;
    }
    return power;
  }

  private double binomial(int hits, double logHit, double logMiss) {
    double log = logFactorial[balls] - logFactorial[hits] - logFactorial[balls - hits];
    // 0 · ln 0 is 0: nothing has to happen with probability 0.
    log += hits == 0 ? 0 : hits * logHit;
    log += hits == balls ? 0 : (balls - hits) * logMiss;
    return Math.exp(log);
  }

  private void extendFactorials() {
    int known = logFactorial.length;
    if (known <= balls) {
      double[] longer = Arrays.copyOf(logFactorial, balls + 1);
      for (int i = known; i <= balls; i++) {
        longer[i] = longer[i - 1] + Math.log(i);
      }
      logFactorial = longer;
    }
  }
}
