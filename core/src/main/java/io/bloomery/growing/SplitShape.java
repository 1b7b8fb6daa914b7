package io.bloomery.growing;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a split Bloom filter: a fixed number of rows of equal size, of which the hash
 * chooses one for each key, and a standard Bloom filter in each row.
 *
 * <p>Because rows get unequal numbers of keys, the rate is the mean over a binomial load and a
 * little above that of one standard filter of the same size.
 *
 * @param rows s, 1 … {@link #MAX_ROWS}
 * @param rowBits m, the size of a row in bits, 2 … {@link Shape#MAX_BITS}; {@code rows · rowBits}
 *     at most {@link Shape#MAX_BITS}
 * @param probes k, bits that one key sets in its row, 1 … {@link Shape#MAX_PROBES} and at most
 *     {@code rowBits}
 */
public record SplitShape(int rows, long rowBits, int probes) implements Shape {

  /** Rows unless the user says otherwise. */
  public static final int DEFAULT_ROWS = 8;

  /** The most rows. */
  public static final int MAX_ROWS = 4096;

  /**
   * Checks the fields.
   *
   * @param rows s
   * @param rowBits m
   * @param probes k
   * @throws IllegalArgumentException if a field is outside its range
   */
  public SplitShape {
    Arguments.inRange("rows", rows, 1, MAX_ROWS);
    Arguments.inRange("rowBits", rowBits, 2, MAX_BITS / rows);
    Arguments.inRange("probes", probes, 1, (int) Math.min(MAX_PROBES, rowBits));
  }

  /**
   * The smallest filter of a number of rows, in whole 64-bit words a row, whose exact rate at
   * {@code keys} keys is at most {@code rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param rows s, 1 … {@link #MAX_ROWS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SplitShape forKeys(long keys, double rate, int rows) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("rows", rows, 1, MAX_ROWS);
    int most = Sizing.mostProbes(rate, 1);
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rate(rows, words * 64, k, keys),
            rate,
            (long) (keys * BloomMath.bitsPerKey(rate) / rows / 64) + 1,
            MAX_BITS / rows / 64,
            new Sizing.Probes((int) Math.round(BloomMath.informationBound(rate)), 1, most, 2));
    if (choice == null) {
      throw Sizing.tooLarge("a split filter of " + rows + " rows", keys, rate);
    }
    return new SplitShape(rows, choice.size() * 64, choice.probes());
  }

  /**
   * The best filter of a number of rows for a number of keys in a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 bits a row … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param rows s, 1 … {@link #MAX_ROWS}
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SplitShape forBudget(long keys, long bits, int rows) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.inRange("rows", rows, 1, MAX_ROWS);
    long rowBits = Sizing.requireBudget(bits, 64L * rows) / rows / 64 * 64;
    int most = (int) Math.min(MAX_PROBES, rowBits);
    int start = BloomMath.optimalProbes(rowBits * rows, keys);
    int k = new Sizing.Probes(start, 1, most, 2).best(p -> rate(rows, rowBits, p, keys));
    return new SplitShape(rows, rowBits, k);
  }

  /** Σ_x Bin(x; keys, 1/rows) · exact rate of one row with x keys. */
  private static double rate(int rows, long rowBits, int probes, long keys) {
    if (rows == 1 || keys == 0) {
      return BloomMath.exactRate(rowBits, keys, probes);
    }
    double mean = (double) keys / rows;
    double spread = Math.sqrt(mean * (1 - 1.0 / rows));
    long low = (long) Math.max(0, mean - 9 * spread - 9);
    long high = (long) Math.min((double) keys, mean + 9 * spread + 40);
    long step = Math.max(1, (high - low) / 100);
    double sum = 0;
    double weights = 0;
    for (long x = low; x <= high; x += step) {
      double weight = Pmf.binomialAt(x, keys, 1.0 / rows);
      sum += weight * BloomMath.exactRate(rowBits, x, probes);
      weights += weight;
    }
    return sum / weights;
  }

  @Override
  public long sizeInBits() {
    return rows * rowBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return rate(rows, rowBits, probes, Sizing.requireLoad(keys));
  }
}
