package io.bloomery.lookup;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a Bloomier map whose values can change: an immutable map that says which of its k
 * cells a key owns, and a plain value per cell.
 *
 * @param index gives each key one of k values; not a ribbon
 * @param valueBits bits per value, 1…63; ⌊64 / valueBits⌋ values take a word
 */
public record MutableBloomierShape(BloomierShape index, @FieldName("value bits") int valueBits)
    implements Shape {

  /** The most bits of a value. */
  public static final int MAX_VALUE_BITS = 63;

  /** Bits per value that a plan assumes, since needs do not include it. */
  public static final int PLANNED_VALUE_BITS = 8;

  public MutableBloomierShape {
    Objects.requireNonNull(index, "index");
    Arguments.inRange("valueBits", valueBits, 1, MAX_VALUE_BITS);
    if (index.cellsPerKey() != index.values()) {
      throw new IllegalArgumentException(
          "index = " + index + " does not have one value per cell of a key");
    }
  }

  /**
   * The smallest map with three cells per key for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate the probability that any other key gets a value, in (0, 1) and at
   *     least {@code expectedKeys · 2^-57}
   * @param valueBits bits per value, 1…63
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MutableBloomierShape forKeys(
      long expectedKeys, double falsePositiveRate, int valueBits) {
    return forKeys(expectedKeys, falsePositiveRate, valueBits, SolvedCells.Peeled.DEFAULT_PER_KEY);
  }

  /**
   * The smallest map for a number of keys and a rate, with 3 or 4 cells per key.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate the probability that any other key gets a value, in (0, 1) and at
   *     least {@code expectedKeys · 2^-57}
   * @param valueBits bits per value, 1…63
   * @param cellsPerKey 3 or 4
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MutableBloomierShape forKeys(
      long expectedKeys, double falsePositiveRate, int valueBits, int cellsPerKey) {
    SolvedCells.Peeled cells = SolvedCells.Peeled.forKeys(expectedKeys, cellsPerKey);
    return forKeys(expectedKeys, falsePositiveRate, valueBits, cells);
  }

  /** The given cells, with the fewest bits that achieve the rate. */
  static MutableBloomierShape forKeys(
      long expectedKeys, double falsePositiveRate, int valueBits, SolvedCells.Peeled cells) {
    BloomierShape index =
        BloomierShape.forKeys(expectedKeys, falsePositiveRate, cells.cellsPerKey(), cells);
    return new MutableBloomierShape(index, valueBits);
  }

  /**
   * The lowest rate that fits a given memory, with three cells per key.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param bits the budget, at most {@link Shape#MAX_BITS}
   * @param valueBits bits per value, 1…63
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static MutableBloomierShape forBudget(long expectedKeys, long bits, int valueBits) {
    SolvedCells.Peeled cells =
        SolvedCells.Peeled.forKeys(expectedKeys, SolvedCells.Peeled.DEFAULT_PER_KEY);
    Sizing.requireBudget(bits, 1);
    long left = bits - valuesSize(cells.cells(), valueBits);
    return new MutableBloomierShape(
        BloomierShape.forBudget(expectedKeys, Math.max(1, left), cells.cellsPerKey()), valueBits);
  }

  private static long valuesSize(long cells, int valueBits) {
    return Counters.wordsFor(cells, valueBits) * Long.SIZE;
  }

  /** The cells of both tables. */
  SolvedCells.Peeled cells() {
    return (SolvedCells.Peeled) index.solved();
  }

  @Override
  public long sizeInBits() {
    return index.sizeInBits() + valuesSize(index.cells(), valueBits);
  }

  /**
   * {@inheritDoc} Here: the probability that a key that was not put gets a value, k/2^q, or 0
   * without keys.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return index.falsePositiveRate(keys);
  }
}
