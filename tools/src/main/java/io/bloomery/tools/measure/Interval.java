package io.bloomery.tools.measure;

/**
 * The 95 % confidence interval of the true rate, by Wilson's score (E. B. Wilson, "Probable
 * Inference, the Law of Succession, and Statistical Inference", 1927).
 *
 * @param low the lower end, 0 or more
 * @param high the upper end, 1 or less
 */
public record Interval(double low, double high) {

  /** The 97.5th percentile of the standard normal distribution. */
  private static final double Z = 1.959963984540054;

  /** The interval for a number of hits in a number of trials, at least one. */
  static Interval of(long hits, long trials) {
    double n = trials;
    double share = hits / n;
    double middle = share + Z * Z / (2 * n);
    double half = Z * Math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
    double whole = 1 + Z * Z / n;
    return new Interval(
        hits == 0 ? 0 : Math.max(0, (middle - half) / whole),
        hits == trials ? 1 : Math.min(1, (middle + half) / whole));
  }

  /** Whether a rate is in the interval. */
  public boolean contains(double rate) {
    return rate >= low && rate <= high;
  }
}
