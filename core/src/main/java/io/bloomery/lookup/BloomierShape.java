package io.bloomery.lookup;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Shape;

/**
 * The shape of a Bloomier map: solved cells of q bits, which give each key one of |R| values, and
 * any other key an arbitrary number of q bits.
 *
 * @param values |R|, number of values, 1 … 2^32 and at most 2^q
 * @param cellBits q, bits per cell, 1…64; at most 32 in a ribbon
 * @param layout the layout of a key's cells: 1, one in each of k equal parts; 2, one in each of k
 *     neighbouring segments (binary fuse filter, Graf and Lemire 2022); 3, in a ribbon
 * @param cells all cells, 3 … 2^30: a multiple of k, or k or more segments; for a ribbon, its keys,
 *     1 … 2^27, each of which takes about 1.01 cells
 * @param cellsPerKey k, 3 or 4; 0 in a ribbon
 * @param segmentLog binary logarithm of the cells of a segment, 0…18; 0 without segments
 */
public record BloomierShape(
    @FieldName("values") long values,
    @FieldName("cell bits") int cellBits,
    @FieldName("layout") int layout,
    @FieldName("cells") long cells,
    @FieldName("cells per key") int cellsPerKey,
    @FieldName("segment log") int segmentLog)
    implements Shape {

  /** The most values, 2^32. */
  public static final long MAX_VALUES = 1L << 32;

  /** Number of values that a plan assumes, since needs do not include it. */
  public static final int PLANNED_VALUES = 256;

  public BloomierShape {
    Arguments.inRange("layout", layout, 1, SolvedCells.Ribbon.WIRE_ID);
    boolean ribbon = layout == SolvedCells.Ribbon.WIRE_ID;
    Arguments.inRange("cellBits", cellBits, 1, ribbon ? RibbonLayout.MAX_COLUMNS : Long.SIZE);
    Arguments.inRange("values", values, 1, mostValues(cellBits));
    if (ribbon) {
      Arguments.inRange("cells", cells, 1, SolvedCells.Peeled.MAX_KEYS);
      Arguments.inRange("cellsPerKey", cellsPerKey, 0, 0);
      Arguments.inRange("segmentLog", segmentLog, 0, 0);
    }
    SolvedCells solved = solved(layout, cells, cellsPerKey, segmentLog);
    Arguments.inRange("sizeInBits", solved.sizeInBits(cellBits), 1, MAX_BITS);
  }

  private static SolvedCells solved(int layout, long cells, int cellsPerKey, int segmentLog) {
    return layout == SolvedCells.Ribbon.WIRE_ID
        ? new SolvedCells.Ribbon(cells)
        : new SolvedCells.Peeled(layout, cells, cellsPerKey, segmentLog);
  }

  /** The shape of given cells. */
  static BloomierShape of(SolvedCells solved, int cellBits, long values) {
    return solved instanceof SolvedCells.Peeled peeled
        ? new BloomierShape(
            values,
            cellBits,
            peeled.layout().wireId(),
            peeled.cells(),
            peeled.cellsPerKey(),
            peeled.segmentLog())
        : new BloomierShape(
            values,
            cellBits,
            SolvedCells.Ribbon.WIRE_ID,
            ((SolvedCells.Ribbon) solved).keys(),
            0,
            0);
  }

  /** The cells that the numbers describe. */
  SolvedCells solved() {
    return solved(layout, cells, cellsPerKey, segmentLog);
  }

  /** This shape for a number of keys, by which a ribbon is sized. */
  BloomierShape holding(long keys) {
    return layout == SolvedCells.Ribbon.WIRE_ID
        ? of(new SolvedCells.Ribbon(Math.max(1, keys)), cellBits, values)
        : this;
  }

  private static long mostValues(int cellBits) {
    return cellBits < 32 ? 1L << cellBits : MAX_VALUES;
  }

  /**
   * The smallest map with three cells per key for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate the probability that any other key gets a value, in (0, 1) and at
   *     least {@code expectedKeys · 2^-57}
   * @param values number of values, 1 … 2^32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierShape forKeys(long expectedKeys, double falsePositiveRate, long values) {
    return forKeys(expectedKeys, falsePositiveRate, values, SolvedCells.Peeled.DEFAULT_PER_KEY);
  }

  /**
   * The smallest map for a number of keys and a rate, with 3 or 4 cells per key: q =
   * ⌈log2(|R|/rate)⌉. Four take 5 % less space from a million keys, and one more read per query.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate the probability that any other key gets a value, in (0, 1), at least
   *     {@code expectedKeys · 2^-57} and at least {@code values · 2^-64}
   * @param values number of values, 1 … 2^32
   * @param cellsPerKey 3 or 4
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierShape forKeys(
      long expectedKeys, double falsePositiveRate, long values, int cellsPerKey) {
    SolvedCells cells = SolvedCells.Peeled.forKeys(expectedKeys, cellsPerKey);
    return forKeys(expectedKeys, falsePositiveRate, values, cells);
  }

  /**
   * The smallest ribbon for a number of keys and a rate: 1.01·q bits per key instead of 1.13·q with
   * three cells per key, slower to build and to query.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate the probability that any other key gets a value, in (0, 1), at least
   *     {@code expectedKeys · 2^-57} and at least {@code values · 2^-32}
   * @param values number of values, 1 … 2^32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierShape forRibbon(long expectedKeys, double falsePositiveRate, long values) {
    Sizing.requireKeys(expectedKeys, SolvedCells.Peeled.MAX_KEYS);
    return forKeys(expectedKeys, falsePositiveRate, values, new SolvedCells.Ribbon(expectedKeys));
  }

  /** Given cells of as few bits as a rate allows. */
  static BloomierShape forKeys(
      long expectedKeys, double falsePositiveRate, long values, SolvedCells cells) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("values", values, 1, MAX_VALUES);
    int most = cells instanceof SolvedCells.Ribbon ? RibbonLayout.MAX_COLUMNS : Long.SIZE;
    double lowest = Math.scalb((double) values, -most);
    Sizing.requireRate(falsePositiveRate, lowest);
    int bits = 1;
    while (Math.scalb((double) values, -bits) > falsePositiveRate) {
      bits++;
    }
    return of(cells, bits, values);
  }

  /**
   * The widest cells that fit a given memory, with three cells per key.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param bits the budget, at most {@link Shape#MAX_BITS}
   * @param values number of values, 1 … 2^32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static BloomierShape forBudget(long expectedKeys, long bits, long values) {
    SolvedCells.Peeled cells =
        SolvedCells.Peeled.forKeys(expectedKeys, SolvedCells.Peeled.DEFAULT_PER_KEY);
    Sizing.requireBudget(bits, cells.sizeInBits(1));
    int width = (int) Math.min(Long.SIZE, bits / cells.cells());
    Sizing.requireAtMost("values", values, 1, mostValues(width));
    return of(cells, width, values);
  }

  @Override
  public long sizeInBits() {
    return solved().sizeInBits(cellBits);
  }

  /**
   * {@inheritDoc} Here: the probability that a key that was not put gets a value, |R|/2^q, or 0
   * without keys.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return Sizing.requireLoad(keys) == 0 ? 0 : Math.scalb((double) values, -cellBits);
  }
}
