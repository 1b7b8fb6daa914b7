package io.bloomery.internal.numeric;

import java.util.function.LongToDoubleFunction;

/**
 * The part of a binomial or Poisson distribution that matters: the probabilities of consecutive
 * values around the mode, down to 1e-40, and the mass above a cap.
 *
 * <p>The probability at the mode comes from Loader's saddle-point form ("Fast and Accurate
 * Computation of Binomial Probabilities", 2000), its neighbours from the ratio of consecutive
 * terms; every value has a relative error below about 1e-13 for up to 2^60 trials. The cost is the
 * width of the window, about 27 standard deviations, for any number of trials.
 */
public final class Pmf {

  private static final double NEGLIGIBLE = 1e-40;

  /** Largest width of a window; a cap of more values is refused. */
  private static final int MAX_WIDTH = 1 << 26;

  /** Errors of Stirling's formula for ln x!, x = 0 … 15; beyond, a series is exact enough. */
  private static final double[] STIRLING_ERROR = stirlingErrors();

  private final long first;
  private final double[] weights;
  private final double above;

  private Pmf(long first, double[] weights, double above) {
    this.first = first;
    this.weights = weights;
    this.above = above;
  }

  /**
   * The number of successes in {@code trials} independent trials.
   *
   * @param trials number of trials, at least 0
   * @param p probability of success of one trial, 0 … 1
   * @param cap values above it are lumped into {@link #above()}
   * @return the window of the distribution
   */
  public static Pmf binomial(long trials, double p, long cap) {
    if (p <= 0 || trials == 0) {
      return point(0, cap);
    }
    if (p >= 1) {
      return point(trials, cap);
    }
    long mode = Math.min(trials, (long) ((trials + 1.0) * p));
    double odds = p / (1 - p);
    return window(
        mode,
        Math.min(cap, trials),
        cap < trials,
        x -> binomialAt(x, trials, p),
        x -> (trials - x) / (x + 1.0) * odds);
  }

  /**
   * The number of events of a Poisson process.
   *
   * @param mean the expected number of events, at least 0
   * @param cap values above it are lumped into {@link #above()}
   * @return the window of the distribution
   */
  public static Pmf poisson(double mean, long cap) {
    if (mean <= 0) {
      return point(0, cap);
    }
    return window((long) mean, cap, true, x -> poissonAt(x, mean), x -> mean / (x + 1.0));
  }

  /**
   * The smallest value with a stored probability.
   *
   * @return the value of index 0 of {@link #weight(int)}
   */
  public long first() {
    return first;
  }

  /**
   * The number of stored probabilities.
   *
   * @return the width of the window
   */
  public int size() {
    return weights.length;
  }

  /**
   * The probability of the value {@code first() + index}.
   *
   * @param index 0 … {@code size() - 1}
   * @return the probability
   */
  public double weight(int index) {
    return weights[index];
  }

  /**
   * The probability of all values above the cap.
   *
   * @return the mass, 0 … 1
   */
  public double above() {
    return above;
  }

  /**
   * The expectation of a function that is 1 above the cap.
   *
   * @param function the function of the value
   * @return its expectation
   */
  public double expect(LongToDoubleFunction function) {
    double sum = above;
    for (int i = 0; i < weights.length; i++) {
      sum += weights[i] * function.applyAsDouble(first + i);
    }
    return sum;
  }

  private static Pmf point(long value, long cap) {
    return value > cap ? new Pmf(0, new double[0], 1) : new Pmf(value, new double[] {1}, 0);
  }

  private static Pmf window(
      long mode,
      long last,
      boolean capped,
      LongToDoubleFunction at,
      LongToDoubleFunction ratioToNext) {
    long start = Math.min(mode, last);
    double peak = at.applyAsDouble(start);
    if (peak < NEGLIGIBLE) {
      return new Pmf(0, new double[0], 1);
    }
    long low = start;
    for (double w = peak; low > 0; low--) {
      w /= ratioToNext.applyAsDouble(low - 1);
      if (w < NEGLIGIBLE) {
        break;
      }
    }
    long high = start;
    for (double w = peak; high < last; high++) {
      w *= ratioToNext.applyAsDouble(high);
      if (w < NEGLIGIBLE) {
        break;
      }
    }
    if (high - low >= MAX_WIDTH) {
      throw new IllegalArgumentException("window of " + (high - low) + " values; set a cap");
    }
    double[] weights = new double[(int) (high - low) + 1];
    int middle = (int) (start - low);
    weights[middle] = peak;
    double sum = peak;
    for (int i = middle; i > 0; i--) {
      weights[i - 1] = weights[i] / ratioToNext.applyAsDouble(low + i - 1);
      sum += weights[i - 1];
    }
    for (int i = middle; i < weights.length - 1; i++) {
      weights[i + 1] = weights[i] * ratioToNext.applyAsDouble(low + i);
      sum += weights[i + 1];
    }
    return new Pmf(low, weights, capped && high == last ? Math.max(0, 1 - sum) : 0);
  }

  /** The probability of exactly {@code x} successes. */
  public static double binomialAt(long x, long trials, double p) {
    double n = trials;
    if (x == 0) {
      return Math.exp(n * Math.log1p(-p));
    }
    if (x == trials) {
      return Math.exp(n * Math.log(p));
    }
    double rest = trials - x;
    double exponent =
        stirlingError(trials)
            - stirlingError(x)
            - stirlingError(trials - x)
            - deviance((double) x, n * p)
            - deviance(rest, n * (1 - p));
    return Math.exp(exponent) * Math.sqrt(n / (2 * Math.PI * x * rest));
  }

  static double poissonAt(long x, double mean) {
    if (x == 0) {
      return Math.exp(-mean);
    }
    return Math.exp(-stirlingError(x) - deviance((double) x, mean)) / Math.sqrt(2 * Math.PI * x);
  }

  /** The deviance x·ln(x/mean) + mean − x, without cancellation when x is near the mean. */
  private static double deviance(double x, double mean) {
    double difference = x - mean;
    if (Math.abs(difference) >= 0.1 * (x + mean)) {
      return x * Math.log(x / mean) - difference;
    }
    double v = difference / (x + mean);
    double sum = difference * v;
    double term = 2 * x * v;
    for (int j = 1; ; j++) {
      term *= v * v;
      double next = sum + term / (2 * j + 1);
      if (next == sum) {
        return sum;
      }
      sum = next;
    }
  }

  /** The error ln x! − [½·ln(2πx) + x·ln x − x] of Stirling's formula. */
  private static double stirlingError(long x) {
    if (x < STIRLING_ERROR.length) {
      return STIRLING_ERROR[(int) x];
    }
    double n = x;
    double square = n * n;
    double s = 1.0 / 1188 / square;
    s = (1.0 / 1680 - s) / square;
    s = (1.0 / 1260 - s) / square;
    s = (1.0 / 360 - s) / square;
    return (1.0 / 12 - s) / n;
  }

  private static double[] stirlingErrors() {
    double[] errors = new double[16];
    double logFactorial = 0;
    for (int x = 1; x < errors.length; x++) {
      logFactorial += Math.log(x);
      errors[x] = logFactorial - 0.5 * Math.log(2 * Math.PI * x) - x * Math.log(x) + x;
    }
    return errors;
  }
}
