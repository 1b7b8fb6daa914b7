package io.bloomery.security.version;

/**
 * How many of some classes are in a jar, when so many were found in its filter. A class that is not
 * there is found with probability f, so of n classes of which s are there, s + B(n − s, f) are
 * found, B binomial.
 */
final class Count {

  private static final double TAIL = 0.025;

  private Count() {}

  /**
   * The least number that is there with 95 % confidence: the smallest that explains what was found
   * with a probability of 2.5 % or more.
   *
   * @param found how many were found
   * @param all how many were looked up
   * @param f the probability that an absent one is found
   * @return a number from 0 to {@code found}
   */
  static int least(int found, int all, double f) {
    int least = found;
    while (least > 0 && atLeast(found - least + 1, all - least + 1, f) >= TAIL) {
      least--;
    }
    return least;
  }

  /**
   * The most that are there with 95 % confidence: fewer than were found if so many absent ones are
   * hardly ever found none of.
   *
   * @param found how many were found
   * @param all how many were looked up
   * @param f the probability that an absent one is found
   * @return a number from 0 to {@code found}
   */
  static int most(int found, int all, double f) {
    int most = found;
    while (most > 0 && 1 - atLeast(found - most + 1, all - most, f) < TAIL) {
      most--;
    }
    return most;
  }

  /** The probability that at least so many of n absent ones are found. */
  private static double atLeast(int count, int n, double f) {
    if (count <= 0) {
      return 1;
    }
    double below = 0;
    double logarithm = n * Math.log1p(-f); // of the probability of exactly i, beginning with 0
    for (int i = 0; i < count && i <= n; i++) {
      below += Math.exp(logarithm);
      logarithm += Math.log((double) (n - i) / (i + 1)) + Math.log(f) - Math.log1p(-f);
    }
    return count > n ? 0 : Math.max(0, 1 - below);
  }
}
