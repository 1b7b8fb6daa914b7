package io.bloomery.internal.numeric;

import java.util.Arrays;

/**
 * The probability that all of {@code targets} given bins, out of {@code bins}, are hit by t uniform
 * throws, for any t.
 *
 * <p>A Markov chain on the number of targets hit: one throw hits one of the i missing targets with
 * probability i/bins. All terms are positive, so tiny probabilities keep their relative precision,
 * which the inclusion-exclusion sum does not. Not thread-safe: the table grows as it is read.
 */
public final class Cover {

  /** Smaller values do not affect the other probabilities. */
  private static final double NOTHING = 1e-290;

  private final int targets;
  private final double[] hit;
  private final double[] stay;
  private final double[] move;
  private int fewest;
  private final int limit;
  private double[] values = new double[64];
  private int known;

  /**
   * Starts a table.
   *
   * @param bins number of bins, at least {@code targets}
   * @param targets number of bins that must be hit, at least 1
   */
  public Cover(long bins, int targets) {
    this.targets = targets;
    this.hit = new double[targets + 1];
    this.hit[0] = 1;
    this.stay = new double[targets + 1];
    this.move = new double[targets + 1];
    for (int i = 0; i <= targets; i++) {
      double missing = targets - i;
      stay[i] = 1 - missing / bins;
      move[i] = (missing + 1) / bins;
    }
    // All but a share of targets·(1 − 1/bins)^t < 2^-60 of the outcomes cover everything.
    double needed = Math.ceil((Math.log(targets) + 42) * bins);
    this.limit = (int) Math.min(1 << 26, needed);
  }

  /**
   * The number of throws from which the probability is 1 to within 2^-60.
   *
   * @return the number of throws
   */
  public int limit() {
    return limit;
  }

  /**
   * The probability that all targets are hit.
   *
   * @param balls the number of throws, at least 0
   * @return the probability, 1 from {@link #limit()} on
   */
  public double after(long balls) {
    if (balls >= limit) {
      return 1;
    }
    int t = (int) balls;
    if (t > known) {
      grow(t);
    }
    return values[t];
  }

  private void grow(int t) {
    if (t >= values.length) {
      values = Arrays.copyOf(values, Math.max(t + 1, Math.min(limit, 2 * values.length)));
    }
    while (known < t) {
      known++;
      int most = Math.min(targets, known);
      for (int i = most; i > fewest; i--) {
        hit[i] = hit[i] * stay[i] + hit[i - 1] * move[i];
      }
      hit[fewest] *= stay[fewest];
      while (fewest < most && hit[fewest] < NOTHING) {
        hit[fewest++] = 0;
      }
      values[known] = hit[targets];
    }
  }
}
