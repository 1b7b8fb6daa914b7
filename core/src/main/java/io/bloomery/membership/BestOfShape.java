package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a best-of-N filter: of N Bloom filters with different hash families, the one with
 * the fewest set bits.
 *
 * @param bits size in bits, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code bits}
 * @param families number of candidates N, 1 … 65536
 */
public record BestOfShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("families") int families)
    implements Shape {

  /** The largest number of candidates. */
  public static final int MAX_FAMILIES = 1 << 16;

  private static final int FAMILIES = 8;
  private static final double EXACT_STEPS = 1 << 22;
  private static final int NORMAL_CELLS = 2048;
  private static final double NORMAL_RANGE = 9;

  public BestOfShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("families", families, 1, MAX_FAMILIES);
  }

  /**
   * The smallest best-of-8 filter, in whole 64-bit words, whose rate at {@code expectedKeys} keys
   * is at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BestOfShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    long guess =
        (long) Math.ceil(expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) / Long.SIZE);
    int start = (int) Math.max(1, Math.round(BloomMath.informationBound(falsePositiveRate)));
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) ->
                new BestOfShape(words * Long.SIZE, k, FAMILIES).falsePositiveRate(expectedKeys),
            falsePositiveRate,
            guess,
            MAX_BITS / Long.SIZE,
            new Sizing.Probes(
                start, 1, Math.min(Long.SIZE, Sizing.mostProbes(falsePositiveRate, 1)), 2));
    if (choice == null) {
      throw Sizing.tooLarge("a best-of-8 filter", expectedKeys, falsePositiveRate);
    }
    return new BestOfShape(choice.size() * Long.SIZE, choice.hashesPerKey(), FAMILIES);
  }

  /**
   * {@inheritDoc}
   *
   * @return the bits and the number of the chosen family together
   */
  @Override
  public long sizeInBits() {
    return bits + (Integer.SIZE - Integer.numberOfLeadingZeros(families - 1));
  }

  /**
   * {@inheritDoc}
   *
   * <p>E[(X/m)^k] with X the smallest of N independent numbers of set bits: by the exact occupancy
   * distribution for small filters, by the normal one beyond about four million throws times bits.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    if (keys == 0) {
      return 0;
    }
    double balls = (double) keys * hashesPerKey;
    return balls * Math.min(balls, (double) bits) <= EXACT_STEPS
        ? exact((int) balls)
        : normal(keys);
  }

  private double exact(int balls) {
    int most = (int) Math.min(bits, balls);
    double[] p = new double[most + 1];
    p[0] = 1;
    for (int t = 0; t < balls; t++) {
      for (int x = Math.min(t + 1, most); x > 0; x--) {
        p[x] = (p[x] * x + p[x - 1] * (bits - x + 1)) / bits;
      }
      p[0] = 0;
    }
    double rate = 0;
    double above = 0;
    for (int x = most; x > 0; x--) {
      double from = Math.min(1, above + p[x]);
      rate += Math.pow((double) x / bits, hashesPerKey) * (power(from) - power(above));
      above = from;
    }
    return rate;
  }

  private double normal(long keys) {
    double mean = 1 - BloomMath.zeroBitProbability(bits, keys, hashesPerKey);
    double deviation = BloomMath.fillStandardDeviation(bits, keys, hashesPerKey);
    double width = 2 * NORMAL_RANGE / NORMAL_CELLS;
    double rate = 0;
    double above = 0;
    for (int cell = NORMAL_CELLS; cell > 0; cell--) {
      double z = (cell - 0.5) * width - NORMAL_RANGE;
      double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
      double from = Math.min(1, above + density * width);
      double fill = Math.max(0, Math.min(1, mean + z * deviation));
      rate += Math.pow(fill, hashesPerKey) * (power(from) - power(above));
      above = from;
    }
    return rate;
  }

  private double power(double tail) {
    return Math.pow(tail, families);
  }
}
