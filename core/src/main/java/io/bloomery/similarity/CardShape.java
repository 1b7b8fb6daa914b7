package io.bloomery.similarity;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of one edge-notched card: the number of positions along its edge, and the number
 * notched for a descriptor.
 *
 * @param notches F, the positions of a card, 1 … 2^20
 * @param notchesPerDescriptor d, the distinct positions of a descriptor, 1 … 64 and at most notches
 */
public record CardShape(
    @FieldName("notches") int notches,
    @FieldName("notches per descriptor") int notchesPerDescriptor)
    implements Shape {

  /** The most positions of a card. */
  public static final int MAX_NOTCHES = 1 << 20;

  /** The most positions of a descriptor. */
  public static final int MAX_PER_DESCRIPTOR = 64;

  public CardShape {
    Arguments.inRange("notches", notches, 1, MAX_NOTCHES);
    Arguments.inRange(
        "notchesPerDescriptor", notchesPerDescriptor, 1, Math.min(notches, MAX_PER_DESCRIPTOR));
  }

  /**
   * Mooers' card: 40 positions, four of them for a descriptor.
   *
   * @return the shape
   */
  public static CardShape zatocard() {
    return new CardShape(40, 4);
  }

  /**
   * The shortest card whose false drops are rare enough.
   *
   * @param descriptors how many descriptors a card has, 1 … 10,000
   * @param falseDropRate the highest acceptable rate of false drops for one descriptor, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range, or no card is long enough
   */
  public static CardShape forCards(int descriptors, double falseDropRate) {
    Arguments.inRange("descriptors", descriptors, 1, 10_000);
    Arguments.rate("falseDropRate", falseDropRate);
    CardShape best = null;
    for (int d = 1; d <= MAX_PER_DESCRIPTOR; d++) {
      int low = d - 1;
      int high = best == null ? MAX_NOTCHES : best.notches - 1;
      if (high < d || new CardShape(high, d).falsePositiveRate(descriptors) > falseDropRate) {
        continue;
      }
      while (high - low > 1) {
        int middle = (low + high) >>> 1;
        if (new CardShape(middle, d).falsePositiveRate(descriptors) > falseDropRate) {
          low = middle;
        } else {
          high = middle;
        }
      }
      best = new CardShape(high, d);
    }
    if (best == null) {
      throw Sizing.tooLarge("a card", descriptors, falseDropRate);
    }
    return best;
  }

  /**
   * The expected share of positions that are notched.
   *
   * @param descriptors how many descriptors the card has, 0 … {@link Shape#MAX_LOAD}
   * @return {@code 1 - (1 - d/F)^descriptors}
   */
  public double fill(long descriptors) {
    Sizing.requireLoad(descriptors);
    double share = (double) notchesPerDescriptor / notches;
    return descriptors == 0 ? 0 : -Math.expm1(descriptors * Math.log1p(-share));
  }

  /**
   * The probability that a card has all of some positions by chance: that it drops falsely.
   *
   * <p>Mooers' rule treats the positions as independent, {@code fill^positions}. The positions of a
   * descriptor are distinct, so the true rate is lower: .0971 instead of .105 for 8 descriptors on
   * 40 positions, .0107 instead of .0140 for 4.
   *
   * @param descriptors how many descriptors the card has, 0 … {@link Shape#MAX_LOAD}
   * @param positions how many distinct positions the query needs, 1 … 64 and at most notches
   * @return the exact rate
   */
  public double falseDropRate(long descriptors, int positions) {
    Sizing.requireLoad(descriptors);
    Arguments.inRange("positions", positions, 1, Math.min(notches, MAX_PER_DESCRIPTOR));
    // How many of the positions are notched grows with each descriptor as a Markov chain.
    double[][] step = new double[positions + 1][positions + 1];
    for (int have = 0; have <= positions; have++) {
      for (int more = 0; have + more <= positions; more++) {
        step[have][have + more] = hits(positions - have, more);
      }
    }
    double[] chances = new double[positions + 1];
    chances[0] = 1;
    for (long left = descriptors; left > 0; left >>>= 1) {
      if ((left & 1) != 0) {
        chances = times(chances, step);
      }
      if (left > 1) {
        double[][] square = new double[positions + 1][];
        for (int i = 0; i <= positions; i++) {
          square[i] = times(step[i], step);
        }
        step = square;
      }
    }
    return Math.min(1, chances[positions]);
  }

  /** The probability that a descriptor has exactly {@code hits} of {@code open} positions. */
  private double hits(int open, int hits) {
    double chance = 1;
    for (int i = 0; i < notchesPerDescriptor; i++) {
      double ways =
          i < hits
              ? (double) (open - i) * (notchesPerDescriptor - i) / (i + 1)
              : notches - open - (double) (i - hits);
      chance *= Math.max(0, ways) / (notches - i);
    }
    return hits > notchesPerDescriptor ? 0 : chance;
  }

  private static double[] times(double[] row, double[][] matrix) {
    double[] product = new double[row.length];
    for (int i = 0; i < row.length; i++) {
      for (int j = i; j < row.length; j++) {
        product[j] += row[i] * matrix[i][j];
      }
    }
    return product;
  }

  /** {@inheritDoc} Here: the rate of false drops of a card for one descriptor. */
  @Override
  public double falsePositiveRate(long keys) {
    return falseDropRate(keys, notchesPerDescriptor);
  }

  /** {@inheritDoc} Here: of one card. */
  @Override
  public long sizeInBits() {
    return notches;
  }
}
