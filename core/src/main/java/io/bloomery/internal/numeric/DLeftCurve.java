package io.bloomery.internal.numeric;

import java.util.Arrays;

/**
 * The false-positive rate of a d-left table whose fingerprints get shorter as a bucket fills, by
 * its load, in the limit of many buckets.
 *
 * <p>With x(t, i) the share of buckets of subtable t that hold i fingerprints or more, a key that
 * is stored raises x(t, i) by one bucket if its bucket there holds exactly i - 1, those to the left
 * hold more, and those to the right at least as many:
 *
 * <pre>
 * dx(t, i)/ds = (x(t, i - 1) - x(t, i)) · Π x(left, i) · Π x(right, i - 1) · (1 - f(x))
 * </pre>
 *
 * <p>where s is the number of keys divided by the buckets of a subtable, and f(x) the rate so far:
 * keys that are reported present are not stored (Mitzenmacher and Vöcking 1999, "The Asymptotics of
 * Selecting the Shortest of Two, Improved", without that factor). Solved by the classic Runge-Kutta
 * rule in steps of 1/32, each good to better than 1e-6 of the rate; between them the rate is taken
 * as a power of s.
 */
public final class DLeftCurve {

  private static final int STEPS_PER_KEY = 32;
  private static final double STEP = 1.0 / STEPS_PER_KEY;

  /** Where nearly every bucket is saturated. */
  private static final double END = 0.999;

  private final int tables;
  private final double[] hit;
  private final double[] rates;

  /**
   * The curve of some subtables.
   *
   * @param tables number of subtables
   * @param hit the probability that a bucket of i fingerprints holds that of an absent key; 1 for
   *     the last i, which is the most
   */
  public DLeftCurve(int tables, double[] hit) {
    this.tables = tables;
    this.hit = hit.clone();
    double[] curve = new double[hit.length * tables * STEPS_PER_KEY * 2];
    double[][] state = new double[tables][hit.length];
    for (double[] table : state) {
      table[0] = 1;
    }
    int size = 1;
    while (curve[size - 1] < END && size < curve.length) {
      state = step(state);
      curve[size++] = rate(state);
    }
    this.rates = Arrays.copyOf(curve, size);
  }

  /** The rate after this many keys for each bucket of a subtable. */
  public double rate(double keysPerBucket) {
    double at = keysPerBucket * STEPS_PER_KEY;
    if (at <= 1) {
      return at * rates[1];
    }
    int below = (int) Math.min(at, rates.length - 1.0);
    if (below >= rates.length - 1) {
      return 1;
    }
    double share = Math.log(at / below) / Math.log1p(1.0 / below);
    return rates[below] * Math.pow(rates[below + 1] / rates[below], share);
  }

  /** The most keys for each bucket of a subtable with which the rate is not above a target. */
  public double keysPerBucket(double target) {
    if (target <= rates[1]) {
      return target / rates[1] * STEP;
    }
    int above = 2;
    while (above < rates.length && rates[above] <= target) {
      above++;
    }
    if (above == rates.length) {
      return (above - 1) * STEP;
    }
    double share = Math.log(target / rates[above - 1]) / Math.log(rates[above] / rates[above - 1]);
    return (above - 1) * STEP * Math.pow(above / (above - 1.0), share);
  }

  private double[][] step(double[][] state) {
    double[][] first = slope(state);
    double[][] second = slope(moved(state, first, STEP / 2));
    double[][] third = slope(moved(state, second, STEP / 2));
    double[][] fourth = slope(moved(state, third, STEP));
    double[][] next = moved(state, first, STEP / 6);
    next = moved(next, second, STEP / 3);
    next = moved(next, third, STEP / 3);
    return moved(next, fourth, STEP / 6);
  }

  private static double[][] moved(double[][] state, double[][] slope, double by) {
    double[][] moved = new double[state.length][];
    for (int t = 0; t < state.length; t++) {
      moved[t] = state[t].clone();
      for (int i = 1; i < moved[t].length; i++) {
        moved[t][i] += by * slope[t][i];
      }
    }
    return moved;
  }

  private double[][] slope(double[][] state) {
    double stored = 1 - rate(state);
    double[][] slope = new double[tables][hit.length];
    for (int i = 1; i < hit.length; i++) {
      for (int t = 0; t < tables; t++) {
        double chosen = (state[t][i - 1] - state[t][i]) * stored;
        for (int other = 0; other < tables; other++) {
          if (other != t) {
            chosen *= other < t ? state[other][i] : state[other][i - 1];
          }
        }
        slope[t][i] = chosen;
      }
    }
    return slope;
  }

  private double rate(double[][] state) {
    double rate = 0;
    for (double[] table : state) {
      double found = 0;
      for (int i = 1; i < hit.length; i++) {
        double more = i + 1 < hit.length ? table[i + 1] : 0;
        found += (table[i] - more) * hit[i];
      }
      rate += found - rate * found; // keeps the digits of low rates
    }
    return rate;
  }
}
