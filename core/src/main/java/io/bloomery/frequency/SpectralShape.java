package io.bloomery.frequency;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a spectral filter: {@code rows · width} counters; a key has one in each row. The
 * recurring minimum also has a second table of half the width and a Bloom filter of marked keys.
 *
 * <p>The rate is the probability that a key that was never added has a count above 0, exactly (1 −
 * (1 − 1/width)^keys)^rows for every method.
 *
 * @param rows counters per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}; 2 or more for the recurring
 *     minimum
 * @param width counters per row, at least 1; everything together within {@link Shape#MAX_BITS}
 * @param counterBits 8, 16, 32 or 64 bits per counter
 * @param method how counters change
 */
public record SpectralShape(
    @FieldName("rows") int rows,
    @FieldName("width") long width,
    @FieldName("counter bits") int counterBits,
    @FieldName("method") Method method)
    implements Shape {

  /** The default width of a counter: up to 2^32 - 1 additions of one key. */
  public static final int DEFAULT_COUNTER_BITS = 32;

  /** Bits that one marked key sets in the filter of marked keys. */
  public static final int MARKER_PROBES = 10;

  private static final int MARKER_BITS_PER_COUNTER = 4;

  /** How counters change. */
  public enum Method {
    /** Every counter of the key is increased; keys can be removed, tables can be added. */
    MINIMUM_SELECTION(1),
    /** Only the lowest counters are increased: half the errors, but nothing can be removed. */
    MINIMAL_INCREASE(2),
    /**
     * A key that has only one lowest counter is counted in a second table too: half the errors, and
     * keys can be removed.
     */
    RECURRING_MINIMUM(3);

    private final int wireId;

    Method(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number stored in files.
     *
     * @return 1, 2 or 3
     */
    public int wireId() {
      return wireId;
    }
  }

  public SpectralShape {
    Objects.requireNonNull(method, "method");
    Rows.require(rows, width, counterBits);
    Arguments.inRange("rows", rows, leastRows(method), MAX_HASHES_PER_KEY);
    if (bits(rows, width, counterBits, method) > MAX_BITS) {
      throw new IllegalArgumentException(
          rows + " rows of width = " + width + " need more than the limit of " + MAX_BITS);
    }
  }

  private static int leastRows(Method method) {
    return method == Method.RECURRING_MINIMUM ? 2 : 1;
  }

  /**
   * The smallest filter with counters of 32 bits, by minimal increase.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate how often a key that was never added may have a count above 0, in (0,
   *     1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SpectralShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, Method.MINIMAL_INCREASE);
  }

  /**
   * The smallest filter of a method with counters of 32 bits.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate how often a key that was never added may have a count above 0, in (0,
   *     1) and at least {@code expectedKeys · 2^-57}
   * @param method how counters change
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SpectralShape forKeys(long expectedKeys, double falsePositiveRate, Method method) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_COUNTER_BITS, method);
  }

  /**
   * The smallest filter of a method and a width of counters.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate how often a key that was never added may have a count above 0, in (0,
   *     1) and at least {@code expectedKeys · 2^-57}
   * @param counterBits 8, 16, 32 or 64
   * @param method how counters change
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SpectralShape forKeys(
      long expectedKeys, double falsePositiveRate, int counterBits, Method method) {
    Rows.requireCounterBits(counterBits);
    Rows rows = Rows.forKeys(expectedKeys, falsePositiveRate, leastRows(method), counterBits);
    if (bits(rows.rows(), rows.width(), counterBits, method) > MAX_BITS) {
      throw Sizing.tooLarge("a spectral filter", expectedKeys, falsePositiveRate);
    }
    return new SpectralShape(rows.rows(), rows.width(), counterBits, method);
  }

  /**
   * The filter with the lowest rate that fits a given memory, with counters of 32 bits.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, up to {@link Shape#MAX_BITS}; at least 64, for the recurring minimum
   *     512
   * @param method how counters change
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SpectralShape forBudget(long expectedKeys, long bits, Method method) {
    return forBudget(expectedKeys, bits, DEFAULT_COUNTER_BITS, method);
  }

  /**
   * The filter with the lowest rate that fits a given memory.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, up to {@link Shape#MAX_BITS}; at least 64, for the recurring minimum
   *     512
   * @param counterBits 8, 16, 32 or 64
   * @param method how counters change
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SpectralShape forBudget(
      long expectedKeys, long bits, int counterBits, Method method) {
    Rows.requireCounterBits(counterBits);
    if (method != Method.RECURRING_MINIMUM) {
      Sizing.requireBudget(bits, 64);
      Rows rows = Rows.forBudget(expectedKeys, bits / counterBits, 1);
      return new SpectralShape(rows.rows(), rows.width(), counterBits, method);
    }
    Sizing.requireBudget(bits, 512);
    long halfBits = 3L * counterBits + 2L * MARKER_BITS_PER_COUNTER;
    int rows = Rows.forBudget(expectedKeys, 2 * bits / halfBits, 2).rows();
    // Half of the width may round up, which takes half a counter more per row.
    long width = (2 * bits - (long) rows * counterBits) / (rows * halfBits);
    return new SpectralShape(rows, Math.max(1, width), counterBits, method);
  }

  private static long bits(int rows, long width, int counterBits, Method method) {
    long primary = rows * width * counterBits;
    return method == Method.RECURRING_MINIMUM
        ? primary + rows * ((width + 1) / 2) * counterBits + markerBits(rows, width)
        : primary;
  }

  private static long markerBits(int rows, long width) {
    return Math.max(64, width * rows * MARKER_BITS_PER_COUNTER);
  }

  @Override
  public long sizeInBits() {
    return bits(rows, width, counterBits, method);
  }

  /**
   * Counters per row of the second table.
   *
   * @return half the width, rounded up; 0 if the method has no second table
   */
  public long secondaryWidth() {
    return method == Method.RECURRING_MINIMUM ? (width + 1) / 2 : 0;
  }

  /**
   * The size of the marked-key filter.
   *
   * @return bits; 0 if the method marks no keys
   */
  public long markerBits() {
    return method == Method.RECURRING_MINIMUM ? markerBits(rows, width) : 0;
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
   * The expected share of keys whose count is too high, by minimum selection; about half of it with
   * the other methods. Cohen and Matias 2003, "Spectral Bloom Filters", sec. 2.2 and 3.
   *
   * @param keys number of distinct keys added, 1 … {@link Shape#MAX_LOAD}
   * @return the rate at one key less, since a key does not collide with itself
   */
  public double errorRate(long keys) {
    Arguments.inRange("keys", keys, 1, MAX_LOAD);
    return falsePositiveRate(keys - 1);
  }
}
