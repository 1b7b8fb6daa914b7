package io.bloomery.internal.numeric;

import java.util.Arrays;

/**
 * The probability that {@code hashesPerKey} fresh uniform probes all find a bin that t earlier
 * throws have hit: E[(X/bins)^probes], X the number of occupied bins. Probes and throws are with
 * replacement.
 *
 * <p>The probes fall on d distinct bins with a known probability, and {@link Cover} gives the
 * probability that those d bins are hit. Nothing is approximated; the cost does not depend on the
 * number of bins. Not thread-safe.
 */
public final class Occupancy {

  /** Numbers of distinct bins less likely than this, relative to the result, are left out. */
  private static final double NEGLIGIBLE = 1e-18;

  private final double[] distinct;
  private final Cover[] covers;
  private final int limit;
  private double[] values = new double[0];

  /**
   * Starts a table.
   *
   * @param bins number of bins, at least 1
   * @param hashesPerKey number of fresh probes, at least 1
   */
  public Occupancy(int bins, int hashesPerKey) {
    this(bins, hashesPerKey, new Cover[hashesPerKey + 1]);
  }

  /**
   * Starts a table that shares its chains with others of the same number of bins.
   *
   * @param bins number of bins, at least 1
   * @param hashesPerKey number of fresh probes, at least 1
   * @param covers the chains by their number of targets, more than {@code hashesPerKey} elements;
   *     absent ones are added
   */
  public Occupancy(int bins, int hashesPerKey, Cover[] covers) {
    this.distinct = distinct(bins, hashesPerKey);
    this.covers = covers;
    int last = 0;
    for (int d = 1; d < distinct.length; d++) {
      if (distinct[d] > 0) {
        if (covers[d] == null) {
          covers[d] = new Cover(bins, d);
        }
        last = Math.max(last, covers[d].limit());
      }
    }
    this.limit = last;
  }

  /**
   * The probability that every fresh probe finds an occupied bin.
   *
   * @param balls the number of earlier throws
   * @return the probability
   */
  public double after(long balls) {
    if (balls >= limit) {
      return 1;
    }
    int t = (int) balls;
    if (t >= values.length) {
      int known = values.length;
      values = Arrays.copyOf(values, Math.min(limit, Math.max(t + 1, 2 * known)));
      Arrays.fill(values, known, values.length, -1);
    }
    if (values[t] < 0) {
      values[t] = sum(t);
    }
    return values[t];
  }

  private double sum(int balls) {
    double sum = 0;
    for (int d = 1; d < distinct.length; d++) {
      if (distinct[d] > 0) {
        sum += distinct[d] * covers[d].after(balls);
      }
    }
    return Math.min(1, sum);
  }

  /**
   * The same probability for any number of bins and throws, by mixing over the throws that fall on
   * the probed bins: Bin(balls, d/bins) of them, each uniform among the d.
   *
   * @param bins number of bins, at least 1
   * @param balls number of earlier throws, at least 0
   * @param hashesPerKey number of fresh probes, at least 1
   * @return the probability that every fresh probe finds an occupied bin
   */
  public static double allHit(long bins, long balls, int hashesPerKey) {
    return new AllHit(bins, hashesPerKey).after(balls);
  }

  /** {@link #allHit} for many numbers of throws. Not thread-safe. */
  public static final class AllHit {

    private final long bins;
    private final double[] distinct;
    private final Cover[] covers;

    /**
     * Prepares what does not depend on the throws.
     *
     * @param bins number of bins, at least 1
     * @param hashesPerKey number of fresh probes, at least 1
     */
    public AllHit(long bins, int hashesPerKey) {
      this.bins = bins;
      this.distinct = distinct(bins, hashesPerKey);
      this.covers = new Cover[distinct.length];
    }

    /**
     * The probability that every fresh probe finds an occupied bin.
     *
     * @param balls number of earlier throws, at least 0
     * @return the probability
     */
    public double after(long balls) {
      if (balls == 0) {
        return 0;
      }
      double sum = 0;
      double before = 0;
      // Products of two log-concave sequences rise, then fall: a negligible falling term stays
      // negligible.
      for (int d = distinct.length - 1; d > 0; d--) {
        double product = distinct[d] == 0 ? 0 : distinct[d] * covered(balls, d);
        sum += product;
        if (product < before && product < NEGLIGIBLE * sum) {
          break;
        }
        before = product;
      }
      return Math.min(1, sum);
    }

    private double covered(long balls, int targets) {
      if (covers[targets] == null) {
        covers[targets] = new Cover(targets, targets);
      }
      return Occupancy.covered(bins, balls, targets, covers[targets]);
    }
  }

  /**
   * The probability that throws hit all of some given bins.
   *
   * @param bins number of bins, at least 1
   * @param balls number of throws, at least 0
   * @param targets number of given bins, 1 … {@code bins}
   * @return the probability
   */
  public static double covered(long bins, long balls, int targets) {
    return covered(bins, balls, targets, new Cover(targets, targets));
  }

  private static double covered(long bins, long balls, int targets, Cover cover) {
    return Pmf.binomial(balls, (double) targets / bins, cover.limit()).expect(cover::after);
  }

  /**
   * The number of different bins that throws hit.
   *
   * @param bins number of bins, at least 1
   * @param balls number of throws, at least 0
   * @return the probability of each number d of bins, 0 … {@code balls} or {@code bins}
   */
  public static double[] distinct(long bins, int balls) {
    int most = (int) Math.min(bins, balls);
    double[] again = new double[most + 1];
    double[] another = new double[most + 1];
    for (int d = 0; d <= most; d++) {
      again[d] = (double) d / bins;
      another[d] = (double) (bins - d + 1) / bins;
    }
    double[] p = new double[most + 1];
    p[0] = 1;
    int fewest = 0;
    for (int t = 0; t < balls; t++) {
      for (int d = Math.min(t + 1, most); d > fewest; d--) {
        p[d] = p[d] * again[d] + p[d - 1] * another[d];
      }
      p[fewest] *= again[fewest];
      while (fewest < most && p[fewest] < Double.MIN_NORMAL) {
        p[fewest++] = 0;
      }
    }
    return p;
  }
}
