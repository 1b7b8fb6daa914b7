package io.bloomery.frequency;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a count-min filter: rows of counters, in each of which a key has one.
 *
 * <p>The rate is the probability that a key that was never added has a count above 0, exactly (1 −
 * (1 − 1/width)^keys)^rows. How much too high counts are follows from {@link #epsilon} and {@link
 * #delta}: with plain updates a count exceeds the truth by more than epsilon times the total of all
 * amounts with a probability of at most delta (Cormode and Muthukrishnan 2005, "An Improved Data
 * Stream Summary: The Count-Min Sketch and its Applications", sec. 4.1); conservative update never
 * errs more than plain.
 *
 * @param rows counters per key, 1 … {@link Shape#MAX_PROBES}
 * @param width counters per row, at least 1; all together within {@link Shape#MAX_BITS}
 * @param counterBits 8, 16, 32 or 64 bits per counter
 */
public record CountMinShape(int rows, long width, int counterBits) implements Shape {

  /** The default width of a counter: amounts up to 2^63 - 1. */
  public static final int DEFAULT_COUNTER_BITS = 64;

  /**
   * Checks the fields.
   *
   * @param rows counters per key
   * @param width counters per row
   * @param counterBits bits per counter
   * @throws IllegalArgumentException if a field is outside its range
   */
  public CountMinShape {
    Rows.require(rows, width, counterBits);
  }

  /**
   * The fewest counters that give a key that was never added a count above 0 at most at {@code
   * rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param counterBits 8, 16, 32 or 64
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountMinShape forKeys(long keys, double rate, int counterBits) {
    Rows.requireCounterBits(counterBits);
    Rows rows = Rows.forKeys(keys, rate, 1, counterBits);
    return new CountMinShape(rows.rows(), rows.width(), counterBits);
  }

  /**
   * The shape of the lowest rate in a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, from 64 bits to {@link Shape#MAX_BITS}
   * @param counterBits 8, 16, 32 or 64
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountMinShape forBudget(long keys, long bits, int counterBits) {
    Rows.requireCounterBits(counterBits);
    Sizing.requireBudget(bits, 64);
    Rows rows = Rows.forBudget(keys, bits / counterBits, 1);
    return new CountMinShape(rows.rows(), rows.width(), counterBits);
  }

  /**
   * The shape whose counts exceed the truth by more than {@code epsilon} times the total at most
   * with probability {@code delta}: e/epsilon counters in each of ln(1/delta) rows, rounded up.
   *
   * @param epsilon the share of the total by which a count may be too high, in (0, 1)
   * @param delta how often it may be more, in (0, 1)
   * @param counterBits 8, 16, 32 or 64
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountMinShape forError(double epsilon, double delta, int counterBits) {
    Arguments.rate("epsilon", epsilon);
    Arguments.rate("delta", delta);
    Rows.requireCounterBits(counterBits);
    int rows = (int) Math.max(1, Math.ceil(-Math.log(delta)));
    double width = Math.ceil(Math.E / epsilon);
    if (rows > MAX_PROBES || width * rows * counterBits > MAX_BITS) {
      throw new IllegalArgumentException(
          "epsilon = "
              + epsilon
              + " and delta = "
              + delta
              + " need more than the limit of "
              + MAX_PROBES
              + " rows or "
              + MAX_BITS
              + " bits");
    }
    return new CountMinShape(rows, (long) width, counterBits);
  }

  @Override
  public long sizeInBits() {
    return rows * width * counterBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return new Rows(rows, width).hitRate(keys);
  }

  /**
   * The share of the total by which a count is too high at most, but for a share {@link #delta} of
   * the keys.
   *
   * @return e/width
   */
  public double epsilon() {
    return Math.E / width;
  }

  /**
   * The share of the keys whose count may be too high by more.
   *
   * @return e^-rows
   */
  public double delta() {
    return Math.exp(-rows);
  }
}
