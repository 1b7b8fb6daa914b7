package io.bloomery.internal.numeric;

/**
 * The probability that a fresh uniform subset of {@code s} bits of a 64-bit lane is covered by x
 * earlier uniform subsets of the same size: the false-positive probability of one lane of the
 * blocked filter that holds x keys.
 *
 * <p>A Markov chain on the number of the fresh subset's bits that are set: an earlier key hits a
 * hypergeometric number of the missing ones. All terms are positive. The sixteen tables are built
 * once, hold about 80 kB and never change.
 */
public final class LaneCover {

  /** Bits of a lane. */
  public static final int LANE_BITS = 64;

  /** The most bits that a key sets in a lane. */
  public static final int MAX_LANE_PROBES = 16;

  /** Number of patterns that masks are rotations of. */
  public static final int PATTERNS = 1 << 10;

  /** Number of masks from which a lane that sets two or more bits draws. */
  public static final int MASKS = PATTERNS * LANE_BITS;

  /** Bits of a stamped lane that hold its stamp and no key's bits. */
  public static final int STAMP_BITS = 3;

  private static final double[][] TABLES = tables(0);

  /** Built when a stamped lane is first needed. */
  private static final class Stamped {
    private static final double[][] TABLES = tables(STAMP_BITS);
  }

  private LaneCover() {}

  /**
   * Keys from which on every lane is covered with probability 1 to within 2^-57.
   *
   * @return the number of keys
   */
  public static int limit() {
    return TABLES[1].length;
  }

  /**
   * The probability that a fresh subset is covered, for subsets drawn from all of them.
   *
   * @param laneProbes bits that a key sets in the lane, 1 … 16
   * @param keys earlier keys, at least 0
   * @return the probability
   */
  public static double uniform(int laneProbes, long keys) {
    double[] table = TABLES[laneProbes];
    return keys < table.length ? table[(int) keys] : 1;
  }

  /**
   * The probability that a fresh subset is covered, for subsets drawn from {@link #MASKS} masks
   * when they have two or more bits: an earlier key may have had the very same mask.
   *
   * @param laneProbes bits that a key sets in the lane, 1 … 16
   * @param keys earlier keys, at least 0
   * @return the probability
   */
  public static double masked(int laneProbes, long keys) {
    return masked(laneProbes, keys, uniform(laneProbes, keys));
  }

  /**
   * The same for a lane of which {@link #STAMP_BITS} bits hold a stamp: a mask's bits that fall on
   * them need no cover. A lane without a key has no stamp and covers nothing.
   *
   * @param laneProbes bits of a key's mask, 1 … 16
   * @param keys earlier keys, at least 0
   * @return the probability
   */
  public static double stamped(int laneProbes, long keys) {
    double[] table = Stamped.TABLES[laneProbes];
    return masked(laneProbes, keys, keys < table.length ? table[(int) keys] : 1);
  }

  private static double masked(int laneProbes, long keys, double covered) {
    double same = same(laneProbes, (double) keys);
    return same + (1 - same) * covered;
  }

  /**
   * An estimate of the number of keys that set the ones of a lane. No more ones than a key has are
   * those of one key.
   *
   * @param laneProbes bits that a key sets in the lane, 1 … 16
   * @param ones bits that are set, at most {@code width}
   * @param width the bits that may be set, at least 1
   * @return 0 without ones, otherwise 1 or more
   */
  public static double keysByOnes(int laneProbes, int ones, int width) {
    if (ones <= laneProbes) {
      return ones == 0 ? 0 : 1;
    }
    double clear = (width - ones + 0.5) / (width + 0.5); // finite if none is
    return Math.max(1, Math.log(clear) / Math.log1p(-(double) laneProbes / LANE_BITS));
  }

  /**
   * The probability that a fresh mask is that of one of some earlier keys.
   *
   * @param laneProbes bits of a key's mask, 1 … 16
   * @param keys earlier keys in the lane, at least 0
   * @return the probability; 0 if masks have one bit, which is then covered as any other
   */
  public static double same(int laneProbes, double keys) {
    return laneProbes == 1 ? 0 : -Math.expm1(keys * Math.log1p(-1.0 / MASKS));
  }

  private static double[][] tables(int free) {
    double[][] tables = new double[MAX_LANE_PROBES + 1][];
    for (int s = 1; s <= MAX_LANE_PROBES; s++) {
      tables[s] = table(s, free);
    }
    return tables;
  }

  /** Covers by x keys, for lanes of which {@code free} bits need none. */
  private static double[] table(int s, int free) {
    // All but s·(1 − s/64)^x < 2^-57 of the outcomes cover everything.
    int length = (int) Math.ceil((Math.log(s) + 40) * LANE_BITS / s);
    double[] missing = new double[s + 1];
    double[] onFree = hypergeometric(s, free);
    for (int h = 0; h <= Math.min(s, free); h++) {
      missing[s - h] = onFree[h];
    }
    return chain(missing, 1, 0, length);
  }

  /**
   * {@link #masked} for a lane that each of the earlier keys picks at random, for 0 … {@code
   * length} − 1 of them.
   *
   * @param laneProbes bits that a key sets in the lane that it picks, 1 … 16
   * @param pick the probability that a key picks the lane
   * @param length the number of values
   * @return the probabilities
   */
  static double[] picked(int laneProbes, double pick, int length) {
    double[] missing = new double[laneProbes + 1];
    missing[laneProbes] = 1;
    return chain(missing, pick, laneProbes == 1 ? 0 : 1.0 / MASKS, length);
  }

  /**
   * The chain from a distribution of missing bits. A key picks the lane, or changes nothing; if it
   * does, it has the fresh key's mask, or hits a hypergeometric number of the missing bits.
   */
  private static double[] chain(double[] start, double pick, double same, int length) {
    int s = start.length - 1;
    double[][] step = hypergeometric(s);
    double[] values = new double[length];
    double[] missing = start;
    for (int x = 1; x < length; x++) {
      double[] next = new double[s + 1];
      next[0] = missing[0];
      for (int i = 1; i <= s; i++) {
        double picked = missing[i] * pick;
        next[0] += picked * same;
        next[i] += missing[i] - picked;
        for (int h = 0; h <= i; h++) {
          next[i - h] += picked * (1 - same) * step[i][h];
        }
      }
      missing = next;
      values[x] = Math.min(1, missing[0]);
    }
    return values;
  }

  /** Element [i][h]: probability that a uniform s-subset holds exactly h of i given bits. */
  private static double[][] hypergeometric(int s) {
    double[][] p = new double[s + 1][];
    for (int i = 0; i <= s; i++) {
      p[i] = hypergeometric(s, i);
    }
    return p;
  }

  /** Draws the i given bits one at a time: each is in the subset with the remaining share. */
  private static double[] hypergeometric(int s, int i) {
    double[] row = new double[i + 1];
    row[0] = 1;
    for (int drawn = 0; drawn < i; drawn++) {
      double[] next = new double[i + 1];
      for (int h = 0; h <= drawn; h++) {
        double in = (double) (s - h) / (LANE_BITS - drawn);
        next[h + 1] += row[h] * in;
        next[h] += row[h] * (1 - in);
      }
      row = next;
    }
    return row;
  }
}
