package io.bloomery.theory;

import io.bloomery.internal.check.Arguments;
import java.util.SplittableRandom;

/**
 * Balls into bins, with one or several choices: why d-left tables and two-choice filters fill
 * evenly.
 *
 * <p>n balls into n bins reach a load of about ln n/ln ln n with one choice and ln ln n/ln d + O(1)
 * with the best of d; ties to the left (Vöcking, "How Asymmetry Helps Load Balancing") are slightly
 * better. Source: Tarkoma, Rothenberg, Lagerspetz, sec. II-C.4.
 */
public final class BalancedAllocation {

  private BalancedAllocation() {}

  /**
   * Throws balls into {@code choices} subtables of equal size; each ball goes to the least loaded
   * of one random bin per subtable, the leftmost on a tie.
   *
   * @param balls number of balls, at least 0
   * @param choices d, number of subtables, 1 … 64; 1 is plain random placement
   * @param binsPerTable bins of a subtable, at least 1; {@code choices · binsPerTable} at most 2^28
   * @param seed seed of the random numbers; equal seeds give equal loads
   * @return the number of balls in every bin, subtable by subtable
   */
  public static int[] leftmost(long balls, int choices, int binsPerTable, long seed) {
    Arguments.inRange("balls", balls, 0, Integer.MAX_VALUE);
    Arguments.inRange("choices", choices, 1, 64);
    Arguments.inRange("binsPerTable", binsPerTable, 1, (1 << 28) / choices);
    SplittableRandom random = new SplittableRandom(seed);
    int[] loads = new int[choices * binsPerTable];
    for (long ball = 0; ball < balls; ball++) {
      int best = random.nextInt(binsPerTable);
      for (int table = 1; table < choices; table++) {
        int bin = table * binsPerTable + random.nextInt(binsPerTable);
        if (loads[bin] < loads[best]) {
          best = bin;
        }
      }
      loads[best]++;
    }
    return loads;
  }

  /**
   * The leading term of the maximum load of n balls in n bins.
   *
   * @param n number of balls and of bins, at least 16
   * @param choices d, at least 1
   * @return ln n/ln ln n for one choice, ln ln n/ln d for more
   */
  public static double maximumLoad(long n, int choices) {
    Arguments.inRange("n", n, 16, Long.MAX_VALUE);
    Arguments.inRange("choices", choices, 1, Integer.MAX_VALUE);
    double log = Math.log((double) n);
    return choices == 1 ? log / Math.log(log) : Math.log(log) / Math.log(choices);
  }
}
