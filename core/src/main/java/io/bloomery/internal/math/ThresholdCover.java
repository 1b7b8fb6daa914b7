package io.bloomery.internal.math;

/**
 * The probability that the bins of fresh uniform probes were each hit a number of times or more by
 * earlier throws: what {@link Occupancy#allHit} is for one hit, for any threshold.
 *
 * <p>The probes fall on d distinct bins with a known probability, and a binomial number b of the
 * throws falls on these. That each of d bins gets t or more of b throws is the sum over the throws
 * j of the last bin, Bin(j; b, 1/d), of the same for d - 1 bins and b - j throws. All terms are
 * positive and none is approximated.
 */
public final class ThresholdCover {

  private ThresholdCover() {}

  /**
   * The probability that every fresh probe finds a bin with enough hits.
   *
   * @param bins number of bins, at least 1
   * @param balls number of earlier throws, at least 0
   * @param probes number of fresh probes, 1 … 255
   * @param threshold the hits that are enough, 1 … 255
   * @return the probability
   */
  public static double allHit(long bins, long balls, int probes, int threshold) {
    double[] distinct = Occupancy.distinct(bins, probes);
    Pmf[] loads = new Pmf[distinct.length];
    int most = 0;
    for (int d = 1; d < distinct.length; d++) {
      loads[d] = Pmf.binomial(balls, (double) d / bins, limit(d, threshold));
      most = Math.max(most, (int) loads[d].first() + loads[d].size());
    }
    double[] enough = new double[most];
    for (int b = threshold; b < most; b++) {
      enough[b] = 1;
    }
    double sum = 0;
    for (int d = 1; d < distinct.length; d++) {
      enough = d == 1 ? enough : oneMore(enough, d, threshold);
      double[] values = enough;
      sum += distinct[d] * loads[d].expect(b -> values[(int) b]);
    }
    return Math.min(1, sum);
  }

  /** For every number of throws: that all of d bins get enough, from the same for d - 1 bins. */
  private static double[] oneMore(double[] fewer, int d, int threshold) {
    double[] values = new double[fewer.length];
    for (int b = d * threshold; b < values.length; b++) {
      Pmf last = Pmf.binomial(b, 1.0 / d, b);
      double sum = 0;
      for (int i = 0; i < last.size(); i++) {
        int j = (int) last.first() + i;
        if (j >= threshold) {
          sum += last.weight(i) * fewer[b - j];
        }
      }
      values[b] = sum;
    }
    return values;
  }

  /**
   * Throws among d bins from which on all have enough to within about 2^-57: a bin's mean a then
   * has (a - t)² / 2a ≥ 45 (Chernoff).
   */
  private static long limit(int d, int threshold) {
    double mean = threshold + 45 + Math.sqrt(90.0 * threshold + 2025);
    return (long) Math.ceil(d * mean);
  }
}
