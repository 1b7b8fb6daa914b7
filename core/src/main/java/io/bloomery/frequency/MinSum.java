package io.bloomery.frequency;

import java.util.Arrays;

/**
 * Solves for counts from sums: each unknown is part of {@code degree} sums, each sum is known up to
 * an interval, and messages along the edges narrow every unknown from both sides in turn (Lu,
 * Montanari, Prabhakar, Dharmapurikar and Kabbani 2008, sec. 4).
 *
 * <p>A sum bounds an unknown by the sum minus what the other unknowns send to it: from above if
 * they send lower bounds, and from below if they send upper bounds. An unknown sends to a sum the
 * best bound that its other sums gave. If no unknown is missing, every bound holds after every
 * round.
 */
final class MinSum {

  private final int degree;
  private final int[] sumOf;
  private final long[] least;
  private final long[] most;
  private final long minimum;
  private final long[] low;
  private final long[] high;
  private int rounds;

  /**
   * Prepares the bounds of round 0.
   *
   * @param degree sums of each unknown
   * @param sumOf the sum of edge e, which belongs to unknown {@code e / degree}
   * @param least lower bounds of the sums
   * @param most upper bounds of the sums; {@code Long.MAX_VALUE} if there is none
   * @param minimum a lower bound of every unknown
   */
  MinSum(int degree, int[] sumOf, long[] least, long[] most, long minimum) {
    this.degree = degree;
    this.sumOf = sumOf;
    this.least = least;
    this.most = most;
    this.minimum = minimum;
    this.low = new long[sumOf.length / degree];
    this.high = new long[low.length];
    Arrays.fill(low, minimum);
    Arrays.fill(high, Long.MAX_VALUE);
  }

  /** Runs until no message changes, up to a maximum number of rounds. */
  void run(int limit) {
    long[] lower = new long[sumOf.length];
    long[] upper = new long[sumOf.length];
    Arrays.fill(lower, minimum);
    Arrays.fill(upper, Long.MAX_VALUE);
    for (int stable = 0; rounds < limit && stable < 2; rounds++) {
      boolean changed =
          rounds % 2 == 0
              ? round(lower, upper, most, high, true)
              : round(upper, lower, least, low, false);
      stable = changed ? 0 : stable + 1;
    }
  }

  /**
   * Runs one round from the messages of one side to those of the other; returns whether any
   * changed.
   */
  private boolean round(long[] sent, long[] next, long[] sums, long[] best, boolean upper) {
    long[] totals = new long[sums.length];
    for (int e = 0; e < sent.length; e++) {
      totals[sumOf[e]] = plus(totals[sumOf[e]], sent[e]);
    }
    long[] bounds = new long[degree];
    boolean changed = false;
    for (int i = 0; i < best.length; i++) {
      int from = i * degree;
      for (int j = 0; j < degree; j++) {
        int sum = sumOf[from + j];
        bounds[j] = rest(sums[sum], totals[sum], sent[from + j]);
      }
      for (int j = 0; j < degree; j++) {
        long message = others(bounds, j, upper);
        changed |= message != next[from + j];
        next[from + j] = message;
      }
      long bound = others(bounds, -1, upper);
      best[i] = upper ? Math.min(best[i], bound) : Math.max(best[i], bound);
    }
    return changed;
  }

  /** The part of a sum that remains for one of its unknowns. */
  private long rest(long sum, long total, long own) {
    if (sum == Long.MAX_VALUE) {
      return sum;
    }
    // An unbounded total gives no bound.
    return total == Long.MAX_VALUE ? minimum : Math.max(minimum, sum - (total - own));
  }

  /** The best of all bounds but one. */
  private static long others(long[] bounds, int except, boolean upper) {
    long best = upper ? Long.MAX_VALUE : Long.MIN_VALUE;
    for (int j = 0; j < bounds.length; j++) {
      if (j != except) {
        best = upper ? Math.min(best, bounds[j]) : Math.max(best, bounds[j]);
      }
    }
    return best;
  }

  private static long plus(long a, long b) {
    long sum = a + b;
    return a == Long.MAX_VALUE || b == Long.MAX_VALUE || sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** The number of sums that contradict the bounds, because unknowns are missing. */
  int unexplained() {
    long[] lowest = new long[least.length];
    long[] highest = new long[least.length];
    for (int e = 0; e < sumOf.length; e++) {
      lowest[sumOf[e]] = plus(lowest[sumOf[e]], low[e / degree]);
      highest[sumOf[e]] = plus(highest[sumOf[e]], high[e / degree]);
    }
    int unexplained = 0;
    for (int sum = 0; sum < least.length; sum++) {
      unexplained += lowest[sum] > most[sum] || highest[sum] < least[sum] ? 1 : 0;
    }
    return unexplained;
  }

  /** The lower bounds. */
  long[] low() {
    return low;
  }

  /** The upper bounds. */
  long[] high() {
    return high;
  }

  /** How many rounds it took. */
  int rounds() {
    return rounds;
  }
}
