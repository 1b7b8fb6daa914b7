package io.bloomery.internal.numeric;

/**
 * The probability that fresh uniform probes all pass, when a bin hit by t earlier throws passes a
 * probe with a given probability that depends on t. It generalizes {@link Occupancy#allHit} from
 * "hit at all" to thresholds and the like.
 *
 * <p>The probes fall on d distinct bins with a known probability, and a binomial number b of the
 * throws falls on these. Given b, the hits of d bins are distributed like d independent Poisson
 * numbers given their sum; so the probability that all d pass a probe is a coefficient of the d-th
 * power of the polynomial of one bin, over the Poisson probability of the sum. All terms are
 * positive. Repeated probes of a bin pass together: an upper bound where they would pass
 * independently, exact where the hits alone decide.
 */
public final class CountCover {

  private CountCover() {}

  /**
   * The probability that every fresh probe passes.
   *
   * @param bins number of bins, at least 1
   * @param balls number of earlier throws, at least 0
   * @param hashesPerKey number of fresh probes, 1 … 255
   * @param pass element t is the probability that a bin with t hits passes a probe; 1 beyond
   * @return the probability
   */
  public static double allPass(long bins, long balls, int hashesPerKey, double... pass) {
    if (balls == 0) {
      return Math.pow(pass[0], hashesPerKey);
    }
    double[] distinct = Occupancy.distinct(bins, hashesPerKey);
    Pmf[] loads = new Pmf[distinct.length];
    int most = 0;
    for (int d = 1; d < distinct.length; d++) {
      loads[d] = Pmf.binomial(balls, (double) d / bins, limit(d, pass.length));
      most = Math.max(most, (int) loads[d].first() + loads[d].size());
    }
    double mean = (double) balls / bins;
    double[] one = new double[most];
    for (int t = 0; t < most; t++) {
      one[t] = Pmf.poissonAt(t, mean) * (t < pass.length ? pass[t] : 1);
    }
    double[] all = one;
    double sum = 0;
    for (int d = 1; d < distinct.length; d++) {
      all = d == 1 ? one : product(all, one);
      double[] power = all;
      double total = d * mean;
      sum += distinct[d] * loads[d].expect(b -> power[(int) b] / Pmf.poissonAt(b, total));
    }
    return Math.min(1, sum);
  }

  private static double[] product(double[] a, double[] b) {
    double[] product = new double[a.length];
    int last = b.length;
    while (last > 0 && b[last - 1] == 0) {
      last--;
    }
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; a[i] != 0 && j < last && i + j < product.length; j++) {
        product[i + j] += a[i] * b[j];
      }
    }
    return product;
  }

  /**
   * The number of throws among d bins from which all have enough hits to within about 2^-57: a
   * bin's mean a then satisfies (a - t)² / 2a ≥ 45 (Chernoff).
   */
  private static long limit(int d, int enough) {
    double mean = enough + 45 + Math.sqrt(90.0 * enough + 2025);
    return (long) Math.ceil(d * mean);
  }

  /**
   * The probability that every fresh probe finds a bin with a number of hits or more.
   *
   * @param bins number of bins, at least 1
   * @param balls number of earlier throws, at least 0
   * @param hashesPerKey number of fresh probes, 1 … 255
   * @param threshold the hits that are enough, at least 1
   * @return the probability
   */
  public static double allAtLeast(long bins, long balls, int hashesPerKey, int threshold) {
    return allPass(bins, balls, hashesPerKey, new double[threshold]);
  }
}
