package io.bloomery.internal.numeric;

/**
 * The overflow of bins with a fixed number of slots that keep the fingerprints of their lowest
 * quotients, and only a few of each quotient, when keys choose bin and fingerprint at random.
 *
 * @param overflow the expected number of fingerprints, over all bins, for which there is no slot
 * @param variance of that number; as if bins were independent, which is a little too high
 * @param elsewhere the share of absent fingerprints that would have no slot, or whose bin cannot
 *     tell
 */
public record PocketLoad(double overflow, double variance, double elsewhere) {

  /** More keys in a bin than matter unless the bins are fourfold overfull. */
  private static final int MOST_KEYS = 96;

  /** More keys of a quotient than there are in a bin of that many keys. */
  private static final int MOST_OF_QUOTIENT = 24;

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
    double elsewhere = pmf.above();
    for (int i = 0; i < pmf.size(); i++) {
      int inBin = (int) pmf.first() + i;
      overflow += pmf.weight(i) * table.overflow[inBin];
      squares += pmf.weight(i) * table.squares[inBin];
      elsewhere += pmf.weight(i) * table.elsewhere[inBin];
    }
    double variance = Math.max(0, squares - overflow * overflow);
    return new PocketLoad(bins * overflow, bins * variance, Math.min(1, elsewhere));
  }

  /** The expectations for a bin, by the number of its keys. */
  public static final class Table {

    private final double[] overflow = new double[MOST_KEYS + 1];
    private final double[] squares = new double[MOST_KEYS + 1];
    private final double[] elsewhere = new double[MOST_KEYS + 1];

    private final int slots;
    private final int quotients;
    private final int most;
    private final double remainders;
    private final double[] ways;

    /**
     * For bins of a number of slots that hold at most {@code most} fingerprints of each quotient.
     */
    public Table(int slots, int quotients, int most, long remainders) {
      this.slots = slots;
      this.quotients = quotients;
      this.most = most;
      this.remainders = remainders;
      this.ways = new double[MOST_OF_QUOTIENT + 1];
      ways[0] = 1;
      for (int c = 1; c <= MOST_OF_QUOTIENT; c++) {
        // C(remainders, c), over a power of remainders that cancels out.
        ways[c] = ways[c - 1] * Math.max(0, 1 - (c - 1.0) / remainders) / c;
      }
      double[][] ofDistinct = ofDistinct();
      // The probabilities of each number of distinct fingerprints.
      double fingerprints = (double) quotients * remainders;
      double[] distinct = new double[MOST_KEYS + 1];
      distinct[0] = 1;
      for (int keys = 0; keys <= MOST_KEYS; keys++) {
        for (int d = 0; d <= keys; d++) {
          overflow[keys] += distinct[d] * ofDistinct[0][d];
          squares[keys] += distinct[d] * ofDistinct[1][d];
          elsewhere[keys] += distinct[d] * ofDistinct[2][d];
        }
        for (int d = Math.min(keys + 1, MOST_KEYS); d > 0; d--) {
          double old = d / fingerprints;
          double fresh = (fingerprints - d + 1.0) / fingerprints;
          distinct[d] = distinct[d] * old + distinct[d - 1] * fresh;
        }
        distinct[0] = 0;
      }
    }

    /**
     * Overflow, its square and the share of absent fingerprints that are elsewhere, by the number
     * of distinct fingerprints. Quotient after quotient, state {@code [d][k]} covers d distinct
     * fingerprints so far, k of which have a slot: {@code all} holds the number of ways to choose
     * them, {@code beyond} this number times the absent fingerprints of quotients at which all
     * slots are taken. {@code k = slots + 1} means more than there are slots.
     */
    private double[][] ofDistinct() {
      double[][] all = new double[MOST_KEYS + 1][slots + 2];
      double[][] beyond = new double[MOST_KEYS + 1][slots + 2];
      double[] others = new double[0];
      all[0][0] = 1;
      for (int quotient = 0; quotient < quotients; quotient++) {
        double[][] nextAll = new double[MOST_KEYS + 1][slots + 2];
        double[][] nextBeyond = new double[MOST_KEYS + 1][slots + 2];
        for (int d = 0; d <= MOST_KEYS; d++) {
          for (int c = 0; c <= Math.min(MOST_OF_QUOTIENT, MOST_KEYS - d); c++) {
            for (int k = 0; k <= slots + 1; k++) {
              int kept = Math.min(k + Math.min(c, most), slots + 1);
              double chosen = all[d][k] * ways[c];
              nextAll[d + c][kept] += chosen;
              nextBeyond[d + c][kept] += beyond[d][k] * ways[c];
              if (c < most && kept >= slots) {
                nextBeyond[d + c][kept] += chosen * (remainders - c);
              }
            }
          }
        }
        others = sums(all);
        all = nextAll;
        beyond = nextBeyond;
      }
      return expectations(all, beyond, others);
    }

    private static double[] sums(double[][] rows) {
      double[] sums = new double[rows.length];
      for (int i = 0; i < rows.length; i++) {
        for (double each : rows[i]) {
          sums[i] += each;
        }
      }
      return sums;
    }

    /** Computes the expectations from the states of all quotients, and of all but one. */
    private double[][] expectations(double[][] all, double[][] beyond, double[] others) {
      double[] totals = sums(all);
      double[][] expected = new double[3][MOST_KEYS + 1];
      for (int d = 0; d <= MOST_KEYS; d++) {
        for (int k = 0; k <= slots + 1; k++) {
          double more = d - (double) Math.min(k, slots);
          expected[0][d] += all[d][k] * more / totals[d];
          expected[1][d] += all[d][k] * more * more / totals[d];
        }
        double absent = beyond[d][slots + 1];
        for (int c = most; c <= Math.min(d, MOST_OF_QUOTIENT); c++) {
          absent += quotients * others[d - c] * ways[c] * Math.max(0, remainders - c);
        }
        expected[2][d] = absent / totals[d] / (quotients * remainders - d);
      }
      return expected;
    }
  }
}
