package io.bloomery.frequency;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a count-min filter: rows of counters, with one counter per key in each row.
 *
 * <p>The rate is the probability that a key that was never added has a count above 0, exactly (1 −
 * (1 − 1/width)^keys)^rows. How much too high counts are follows from {@link #epsilon} and {@link
 * #delta}: with plain updates a count exceeds the truth by more than epsilon times the total of all
 * amounts with a probability of at most delta (Cormode and Muthukrishnan 2005, "An Improved Data
 * Stream Summary: The Count-Min Sketch and its Applications", sec. 4.1); conservative update never
 * errs more than plain.
 *
 * @param rows counters per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param width counters per row, at least 1; all together within {@link Shape#MAX_BITS}
 * @param counterBits 8, 16, 32 or 64 bits per counter
 * @param conservative whether an addition increases only the counters that must rise (conservative
 *     update): about half of the error, but merged counts err more, adding takes about twice as
 *     long, and one thread adds at a time
 */
public record CountMinShape(
    @FieldName("rows") int rows,
    @FieldName("width") long width,
    @FieldName("counter bits") int counterBits,
    @FieldName("conservative") boolean conservative)
    implements Shape {

  /** The default width of a counter: amounts up to 2^63 - 1. */
  public static final int DEFAULT_COUNTER_BITS = 64;

  public CountMinShape {
    Rows.require(rows, width, counterBits);
  }

  /**
   * A filter with the parameters given in papers, with plain updates and counters of 64 bits.
   *
   * @param rows counters per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @param width counters per row, at least 1
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountMinShape of(int rows, long width) {
    return new CountMinShape(rows, width, DEFAULT_COUNTER_BITS, false);
  }

  /**
   * The smallest filter with plain updates and counters of 64 bits.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate how often a key that was never added may have a count above 0, in (0,
   *     1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountMinShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_COUNTER_BITS);
  }

  /**
   * The smallest filter with plain updates and counters of a given width.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate how often a key that was never added may have a count above 0, in (0,
   *     1) and at least {@code expectedKeys · 2^-57}
   * @param counterBits 8, 16, 32 or 64
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountMinShape forKeys(
      long expectedKeys, double falsePositiveRate, int counterBits) {
    Rows.requireCounterBits(counterBits);
    return of(Rows.forKeys(expectedKeys, falsePositiveRate, 1, counterBits), counterBits);
  }

  /**
   * The filter with the lowest rate that fits a given memory, with plain updates and counters of 64
   * bits.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, from 64 bits to {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountMinShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, DEFAULT_COUNTER_BITS);
  }

  /**
   * The filter with the lowest rate that fits a given memory, with plain updates and counters of a
   * given width.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, from 64 bits to {@link Shape#MAX_BITS}
   * @param counterBits 8, 16, 32 or 64
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountMinShape forBudget(long expectedKeys, long bits, int counterBits) {
    Rows.requireCounterBits(counterBits);
    Sizing.requireBudget(bits, 64);
    return of(Rows.forBudget(expectedKeys, bits / counterBits, 1), counterBits);
  }

  private static CountMinShape of(Rows rows, int counterBits) {
    return new CountMinShape(rows.rows(), rows.width(), counterBits, false);
  }

  /**
   * The filter that keeps an error bound, with plain updates and counters of 64 bits: with {@code
   * forError(0.001, 0.01)} the counts of 1 % of the keys may be too high by more than 0.1 % of the
   * total.
   *
   * @param epsilon the share of the total of all amounts by which a count may be too high, in (0,
   *     1)
   * @param delta the share of keys whose count may be too high by more, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountMinShape forError(double epsilon, double delta) {
    return forError(epsilon, delta, DEFAULT_COUNTER_BITS);
  }

  /**
   * The filter that keeps an error bound, with plain updates: e/epsilon counters in each of
   * ln(1/delta) rows, rounded up.
   *
   * @param epsilon the share of the total of all amounts by which a count may be too high, in (0,
   *     1)
   * @param delta the share of keys whose count may be too high by more, in (0, 1)
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
    if (rows > MAX_HASHES_PER_KEY || width * rows * counterBits > MAX_BITS) {
      throw Arguments.refused(
          Arguments.named("epsilon", epsilon),
          " and ",
          Arguments.named("delta", delta),
          " need more than the limit of ",
          MAX_HASHES_PER_KEY,
          " rows or ",
          MAX_BITS,
          " bits");
    }
    return new CountMinShape(rows, (long) width, counterBits, false);
  }

  /**
   * This size with conservative update.
   *
   * @return a shape of the same rows, width and counters
   */
  public CountMinShape withConservativeUpdate() {
    return new CountMinShape(rows, width, counterBits, true);
  }

  @Override
  public long sizeInBits() {
    return rows * width * counterBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return table().hitRate(keys);
  }

  /** The number of counters per key. */
  Rows table() {
    return new Rows(rows, width);
  }

  /**
   * The largest error of a count as a share of the total, except for a share {@link #delta} of the
   * keys.
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
