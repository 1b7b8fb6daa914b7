package io.bloomery.internal.numeric;

import java.util.Arrays;

/**
 * The false-positive rate of a d-left table whose fingerprints get shorter as a bucket fills, by
 * its load, in the limit of many buckets.
 *
 * <p>The state of a bucket is how many fingerprints it holds, j, and how many of them are different
 * at their present length L(j), D. It reports an absent key present with probability h = D /
 * 2^L(j). A key is stored unless one of its buckets reports it; so its fingerprint differs from
 * those of its bucket, and only then all of them are shortened. With y(t, j, D) the share of
 * buckets of subtable t in a state, G(t, j) = Σ y·(1 - h) over the states of j or more
 * fingerprints, and s the number of keys divided by the buckets of a subtable, buckets leave a
 * state at the rate
 *
 * <pre>
 * y(t, j, D) · (1 - h) · Π G(left, j + 1) · Π G(right, j)
 * </pre>
 *
 * <p>for the states of j + 1 fingerprints: D + 1 different values, a random subset of the 2^L(j),
 * shortened to L(j + 1) bits, give E different ones with the probability of D + 1 draws without
 * replacement. (Mitzenmacher and Vöcking 1999, "The Asymptotics of Selecting the Shortest of Two,
 * Improved", where every ball is kept.) Solved by the classic Runge-Kutta rule in steps of 1/32,
 * each good to better than 1e-6 of the rate; between them the rate is taken as a power of s. Steps
 * are made as far as they are asked for.
 *
 * <p>Thread-safe.
 */
public final class DLeftCurve {

  private static final int STEPS_PER_KEY = 32;
  private static final double STEP = 1.0 / STEPS_PER_KEY;

  /** Where nearly every bucket is saturated. */
  private static final double END = 0.999;

  /** Transitions to fewer different values are left out below this probability. */
  private static final double NEGLIGIBLE = 1e-18;

  private final int tables;
  private final int most;
  private final int[] fingerprints; // j of each state; the last state is saturated
  private final double[] hit; // h of each state
  private final double[][] next; // from each state: probabilities of the states of j + 1 …
  private final int[] first; // … from this one on
  private final double[] rates; // by the step; guarded by this
  private int known = 1; // how many of them; guarded by this
  private double[][] shares; // after the last of them; guarded by this

  /**
   * The curve of some subtables.
   *
   * @param tables number of subtables
   * @param lengths element j: the bits of a fingerprint in a bucket of j of them; one more
   *     saturates the bucket. Element 0 counts for nothing
   */
  public DLeftCurve(int tables, int[] lengths) {
    this.tables = tables;
    this.most = lengths.length - 1;
    int states = state(most + 1, 1) + 1;
    fingerprints = new int[states];
    hit = new double[states];
    next = new double[states][];
    first = new int[states];
    for (int j = 0; j <= most; j++) {
      for (int different = Math.min(j, 1); different <= j; different++) {
        int at = state(j, different);
        fingerprints[at] = j;
        hit[at] = j == 0 ? 0 : Math.scalb((double) different, -lengths[j]);
        double[] all =
            j == most
                ? new double[] {1}
                : shortened(different + 1, lengths[Math.max(j, 1)], lengths[j + 1]);
        int from = 0;
        while (all[from] < NEGLIGIBLE) {
          from++;
        }
        first[at] = state(j + 1, 1) + from;
        next[at] = Arrays.copyOfRange(all, from, all.length);
      }
    }
    fingerprints[states - 1] = most + 1;
    hit[states - 1] = 1;
    this.rates = new double[(most + 2) * tables * STEPS_PER_KEY * 2];
    this.shares = new double[tables][states];
    for (double[] table : shares) {
      table[0] = 1;
    }
  }

  /** The number of a state; those of equal j stand side by side. */
  private static int state(int j, int different) {
    return j == 0 ? 0 : j * (j - 1) / 2 + different;
  }

  /**
   * The probabilities that {@code values} different values of {@code from} bits become E different
   * ones of {@code to} bits, by E.
   */
  private static double[] shortened(int values, int from, int to) {
    double[] different = new double[values + 1];
    different[0] = 1;
    double all = Math.scalb(1.0, from);
    double each = Math.scalb(1.0, from - to);
    for (int drawn = 0; drawn < values; drawn++) {
      for (int e = drawn + 1; e > 0; e--) {
        double isNew = Math.max(0, all - (e - 1) * each) / (all - drawn);
        double isOld = Math.max(0, e * each - drawn) / (all - drawn);
        different[e] = different[e] * isOld + different[e - 1] * isNew;
      }
      different[0] = 0;
    }
    return Arrays.copyOfRange(different, 1, values + 1);
  }

  /** Makes one more step; false at the end of the curve. */
  private boolean extend() {
    if (known == rates.length || rates[known - 1] >= END) {
      return false;
    }
    shares = step(shares);
    rates[known++] = rate(shares);
    return true;
  }

  /** The rate after this many keys for each bucket of a subtable. */
  public synchronized double rate(double keysPerBucket) {
    double at = keysPerBucket * STEPS_PER_KEY;
    boolean more = true;
    while (more && known <= at + 1) {
      more = extend();
    }
    if (at <= 1) {
      return at * rates[1];
    }
    if (at >= known - 1) {
      return 1;
    }
    int below = (int) at;
    double share = Math.log(at / below) / Math.log1p(1.0 / below);
    return rates[below] * Math.pow(rates[below + 1] / rates[below], share);
  }

  /** The most keys for each bucket of a subtable with which the rate is not above a target. */
  public synchronized double keysPerBucket(double target) {
    int above = 1;
    while ((above < known || extend()) && rates[above] <= target) {
      above++;
    }
    if (above == 1) {
      return target / rates[1] * STEP;
    }
    if (above == known) {
      return (above - 1) * STEP;
    }
    double share = Math.log(target / rates[above - 1]) / Math.log(rates[above] / rates[above - 1]);
    return (above - 1) * STEP * Math.pow(above / (above - 1.0), share);
  }

  private double[][] step(double[][] shares) {
    double[][] first = slope(shares);
    double[][] second = slope(moved(shares, first, STEP / 2));
    double[][] third = slope(moved(shares, second, STEP / 2));
    double[][] fourth = slope(moved(shares, third, STEP));
    double[][] next = moved(shares, first, STEP / 6);
    next = moved(next, second, STEP / 3);
    next = moved(next, third, STEP / 3);
    return moved(next, fourth, STEP / 6);
  }

  private static double[][] moved(double[][] shares, double[][] slope, double by) {
    double[][] moved = new double[shares.length][];
    for (int t = 0; t < shares.length; t++) {
      moved[t] = shares[t].clone();
      for (int i = 0; i < moved[t].length; i++) {
        moved[t][i] += by * slope[t][i];
      }
    }
    return moved;
  }

  private double[][] slope(double[][] shares) {
    double[][] open = new double[tables][most + 2]; // G
    for (int t = 0; t < tables; t++) {
      for (int i = 0; i < hit.length - 1; i++) {
        open[t][fingerprints[i]] += shares[t][i] * (1 - hit[i]);
      }
      for (int j = most; j >= 0; j--) {
        open[t][j] += open[t][j + 1];
      }
    }
    double[][] slope = new double[tables][hit.length];
    for (int t = 0; t < tables; t++) {
      for (int j = 0; j <= most; j++) {
        double chosen = 1;
        for (int other = 0; other < tables; other++) {
          if (other != t) {
            chosen *= open[other][other < t ? j + 1 : j];
          }
        }
        flow(shares[t], slope[t], j, chosen);
      }
    }
    return slope;
  }

  /** Moves buckets of j fingerprints to states of one more. */
  private void flow(double[] shares, double[] slope, int j, double chosen) {
    for (int i = state(j, Math.min(j, 1)); i <= state(j, j); i++) {
      double flow = shares[i] * (1 - hit[i]) * chosen;
      if (flow > NEGLIGIBLE * NEGLIGIBLE) {
        slope[i] -= flow;
        double[] to = next[i];
        for (int e = 0; e < to.length; e++) {
          slope[first[i] + e] += flow * to[e];
        }
      }
    }
  }

  private double rate(double[][] shares) {
    double rate = 0;
    for (double[] table : shares) {
      double found = 0;
      for (int i = 1; i < hit.length; i++) {
        found += table[i] * hit[i];
      }
      rate += found - rate * found; // keeps the digits of low rates
    }
    return rate;
  }
}
