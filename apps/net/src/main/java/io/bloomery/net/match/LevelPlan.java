package io.bloomery.net.match;

import java.util.Arrays;

/**
 * The lengths to which prefixes are expanded, and how memory is divided among their filters.
 *
 * <p>Srinivasan and Varghese 1998, "Faster IP Lookups using Controlled Prefix Expansion", choose a
 * given number of lengths so that expanded prefixes are fewest, by dynamic programming. Here the
 * number is the least for which they are not too many.
 */
final class LevelPlan {

  /** The most bits by which a prefix is expanded: an update changes at most 256 entries. */
  static final int MOST_BITS = 8;

  private static final double LN2_SQUARED = Math.log(2) * Math.log(2);
  private static final double MOST_RATE = 0.5;
  private static final double LEAST_RATE = 1e-9;

  private LevelPlan() {}

  /**
   * The lengths of levels, ascending.
   *
   * @param counts how many prefixes there are of each length
   * @param array the longest length that needs no level
   * @param expansion how many entries there may be per prefix, 1 or more
   */
  static int[] lengths(long[] counts, int array, double expansion) {
    int[] occupied = new int[counts.length];
    int lengths = 0;
    double prefixes = 0;
    for (int length = array + 1; length < counts.length; length++) {
      if (counts[length] > 0) {
        occupied[lengths++] = length;
        prefixes += counts[length];
      }
    }
    occupied = Arrays.copyOf(occupied, lengths);
    if (lengths == 0) {
      return occupied;
    }
    // least[i]: entries of the first i lengths, of which the last is a level
    double[] least = new double[lengths + 1];
    Arrays.fill(least, 1, lengths + 1, Double.POSITIVE_INFINITY);
    int[][] from = new int[lengths + 1][];
    int levels = 0;
    while (!(least[lengths] <= expansion * prefixes)) {
      double[] more = new double[lengths + 1];
      int[] first = new int[lengths + 1];
      Arrays.fill(more, Double.POSITIVE_INFINITY);
      for (int to = 1; to <= lengths; to++) {
        double entries = 0;
        for (int i = to; i > 0 && occupied[to - 1] - occupied[i - 1] <= MOST_BITS; i--) {
          entries +=
              Math.scalb((double) counts[occupied[i - 1]], occupied[to - 1] - occupied[i - 1]);
          if (least[i - 1] + entries < more[to]) {
            more[to] = least[i - 1] + entries;
            first[to] = i - 1;
          }
        }
      }
      least = more;
      from[++levels] = first;
    }
    int[] chosen = new int[levels];
    int to = lengths;
    for (int level = levels; level > 0; level--) {
      chosen[level - 1] = occupied[to - 1];
      to = from[level][to];
    }
    return chosen;
  }

  /**
   * The rates of filters with which lookups probe fewest tables in vain. Of filters with the rates
   * {@code exp(-m·ln²2/n)} the sum is least, for a given sum of m, if each rate is proportional to
   * n. (In proportion to n go the bits of Dharmapurikar, Krishnamurthy and Taylor 2003, sec. 4.1,
   * which makes all rates equal and the sum larger.)
   *
   * @param entries how many entries each filter has, 1 or more
   * @param bits how many bits all filters have per entry
   */
  static double[] rates(long[] entries, double bits) {
    double all = 0;
    double logs = 0;
    for (long each : entries) {
      all += each;
      logs += each * Math.log((double) each);
    }
    double[] rates = new double[entries.length];
    for (int i = 0; i < rates.length; i++) {
      double rate = entries[i] * Math.exp(-bits * LN2_SQUARED - logs / all);
      rates[i] = Math.max(LEAST_RATE, Math.min(MOST_RATE, rate));
    }
    return rates;
  }
}
