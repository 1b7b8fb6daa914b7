package io.bloomery.growing;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a dynamic Bloom filter: rows of equal size, each a standard Bloom filter of bits or
 * of counters, as many as its keys need.
 *
 * <p>Every row has the rate of its keys, so that the rate of all grows with their number: {@code 1
 * - (1 - f(c))^⌊n/c⌋ · (1 - f(n mod c))} for n keys and c keys a row.
 *
 * @param rowBits m, cells of a row, 2 … {@link Shape#MAX_BITS}
 * @param probes k, cells that one key has in its row, 1 … {@link Shape#MAX_PROBES} and at most
 *     {@code rowBits}
 * @param rowKeys c, keys that a row is for, 1 … {@link Shape#MAX_KEYS}
 * @param counterBits the width of a cell: 1 for bits, from which nothing can be removed, or 2 … 16
 * @param rows s, 1 … {@link #MAX_ROWS}
 */
public record DynamicShape(long rowBits, int probes, long rowKeys, int counterBits, int rows)
    implements Shape {

  /** The most rows. */
  public static final int MAX_ROWS = 4096;

  /** The width of a cell unless another is asked for. */
  public static final int COUNTER_BITS = 4;

  /**
   * Checks the fields.
   *
   * @param rowBits m
   * @param probes k
   * @param rowKeys c
   * @param counterBits the width of a cell
   * @param rows s
   * @throws IllegalArgumentException if a field is outside its range
   */
  public DynamicShape {
    Arguments.inRange("counterBits", counterBits, 1, 16);
    Arguments.inRange("rowBits", rowBits, 2, MAX_BITS / Long.SIZE * (Long.SIZE / counterBits));
    Arguments.inRange("probes", probes, 1, (int) Math.min(MAX_PROBES, rowBits));
    Arguments.inRange("rowKeys", rowKeys, 1, MAX_KEYS);
    Arguments.inRange("rows", rows, 1, MAX_ROWS);
  }

  /**
   * One row, the smallest whose exact rate at {@code keys} keys is at most {@code rate}.
   *
   * @param keys distinct keys a row is for, 1 … {@link Shape#MAX_KEYS}
   * @param rate the rate of a full row, in (0, 1) and at least {@code keys · 2^-57}
   * @param counterBits the width of a cell, 1 … 16
   * @return a shape of one row
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DynamicShape forKeys(long keys, double rate, int counterBits) {
    BloomShape row = BloomShape.forKeys(keys, rate);
    return new DynamicShape(row.bits(), row.probes(), keys, counterBits, 1);
  }

  /**
   * One row, the best for a number of keys in a given memory.
   *
   * @param keys distinct keys a row is for, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget of the row, 64 cells … {@link Shape#MAX_BITS}
   * @param counterBits the width of a cell, 1 … 16
   * @return a shape of one row with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static DynamicShape forBudget(long keys, long bits, int counterBits) {
    Arguments.inRange("counterBits", counterBits, 1, 16);
    long cells = Sizing.requireBudget(bits, 64L * counterBits) / 64 * (64 / counterBits);
    BloomShape row = BloomShape.forBudget(keys, cells);
    return new DynamicShape(row.bits(), row.probes(), keys, counterBits, 1);
  }

  /**
   * The shape with another number of rows.
   *
   * @param count 1 … {@link #MAX_ROWS}
   * @return a changed copy
   */
  public DynamicShape withRows(int count) {
    return new DynamicShape(rowBits, probes, rowKeys, counterBits, count);
  }

  @Override
  public DynamicShape grownTo(long keys) {
    return withRows((int) Math.min(MAX_ROWS + 1L, Math.max(1, (keys + rowKeys - 1) / rowKeys)));
  }

  /**
   * How many cells of a row are in use when it is full: the mean for {@code rowKeys} keys.
   *
   * @return {@code m · (1 - (1 - 1/m)^(k·c))}, rounded up
   */
  public long fullCells() {
    double used = -Math.expm1((double) probes * rowKeys * Math.log1p(-1.0 / rowBits));
    return (long) Math.max(1, Math.ceil(rowBits * used));
  }

  /** {@inheritDoc} A word holds 64 / {@code counterBits} cells, rounded down. */
  @Override
  public long sizeInBits() {
    int perWord = Long.SIZE / counterBits;
    return rows * ((rowBits + perWord - 1) / perWord * Long.SIZE);
  }

  /**
   * {@inheritDoc} Rows are added for keys that the present ones are not for. The formula takes
   * every key for one that changes its row; a few percent do not when there are many rows, and the
   * rate is as much lower.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    long fullRows = keys / rowKeys;
    double none = fullRows * Math.log1p(-BloomMath.exactRate(rowBits, rowKeys, probes));
    none += Math.log1p(-BloomMath.exactRate(rowBits, keys % rowKeys, probes));
    return 0 - Math.expm1(none);
  }
}
