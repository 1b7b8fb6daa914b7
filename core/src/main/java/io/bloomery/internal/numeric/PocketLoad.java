package io.bloomery.internal.numeric;

/**
 * What overflows from bins of a fixed number of slots that keep their lowest fingerprints, when
 * keys choose bin and fingerprint at random.
 *
 * @param overflow the expected number of fingerprints, over all bins, for which there is no slot
 * @param variance of that number; as if bins were independent, which is a little too high
 * @param beyond the share of absent fingerprints that lie above the last one of a bin that has
 *     overflowed
 */
public record PocketLoad(double overflow, double variance, double beyond) {

  /** More keys in a bin than matter unless the bins are overfull ten times. */
  private static final int MOST_KEYS = 256;

  /**
   * The load of some bins.
   *
   * @param keys number of distinct keys
   * @param bins number of bins
   * @param table the slots and fingerprints of a bin
   * @return the load
   */
  public static PocketLoad of(long keys, long bins, Table table) {
    Pmf pmf = Pmf.binomial(keys, 1.0 / bins, MOST_KEYS);
    double mean = (double) keys / bins;
    double overflow = pmf.above() * mean;
    double squares = overflow * mean;
    double beyond = pmf.above();
    for (int i = 0; i < pmf.size(); i++) {
      int inBin = (int) pmf.first() + i;
      overflow += pmf.weight(i) * table.overflow[inBin];
      squares += pmf.weight(i) * table.squares[inBin];
      beyond += pmf.weight(i) * table.beyond[inBin];
    }
    double variance = Math.max(0, squares - overflow * overflow);
    return new PocketLoad(bins * overflow, bins * variance, Math.min(1, beyond));
  }

  /** The expectations for a bin, by the number of its keys. */
  public static final class Table {

    private final double[] overflow = new double[MOST_KEYS + 1];
    private final double[] squares = new double[MOST_KEYS + 1];
    private final double[] beyond = new double[MOST_KEYS + 1];

    /** For bins of so many slots, and so many fingerprints to choose from. */
    public Table(int slots, long fingerprints) {
      // The probabilities of each number of distinct fingerprints.
      double[] distinct = new double[MOST_KEYS + 1];
      distinct[0] = 1;
      for (int keys = 0; keys <= MOST_KEYS; keys++) {
        for (int d = slots + 1; d <= keys; d++) {
          int more = d - slots;
          overflow[keys] += distinct[d] * more;
          squares[keys] += distinct[d] * more * more;
          // An absent fingerprint is as likely between any two neighbours, or before or behind all.
          beyond[keys] += distinct[d] * (more + 1) / (d + 1);
        }
        for (int d = Math.min(keys + 1, MOST_KEYS); d > 0; d--) {
          double old = (double) d / fingerprints;
          double fresh = (fingerprints - d + 1.0) / fingerprints;
          distinct[d] = distinct[d] * old + distinct[d - 1] * fresh;
        }
        distinct[0] = 0;
      }
    }
  }
}
