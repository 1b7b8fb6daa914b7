package io.bloomery.internal.variant;

/** The cost of testing positions in a table that is half full, where absent keys end it early. */
public final class EarlyExit {

  private static final int GROUP = 3;

  private EarlyExit() {}

  /**
   * The work of testing all positions of a present key among plain bits: the first few overlap with
   * the queries before and after it.
   *
   * @param positions all positions of a key, 1 or more
   * @return in words of a blocked filter
   */
  public static double work(int positions) {
    return Math.max(1, Math.max(0.35 * positions, 0.55 * positions - 1.3));
  }

  /**
   * The mean where three positions are tested before the first branch, as {@code Probes} does.
   *
   * @param positions all positions of a key, 1 or more
   * @return the mean, at most {@code positions}
   */
  public static double byThree(int positions) {
    return positions <= GROUP ? positions : GROUP + Math.scalb(oneByOne(positions - GROUP), -GROUP);
  }

  /**
   * How often lines are fetched where the first three are fetched together.
   *
   * @param positions all positions of a key, 1 or more
   * @return the mean, below 2
   */
  public static double fetchesByThree(int positions) {
    return Math.max(1, byThree(positions) - GROUP + 1);
  }

  /**
   * The mean where each position is tested for itself.
   *
   * @param positions all positions of a key, 1 or more
   * @return the mean, below 2
   */
  public static double oneByOne(int positions) {
    return 2 - Math.scalb(2.0, -positions);
  }
}
