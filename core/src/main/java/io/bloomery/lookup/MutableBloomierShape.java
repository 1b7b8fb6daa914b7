package io.bloomery.lookup;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.PeeledCells;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a Bloomier map whose values can change: an immutable one that says which of its k
 * cells a key owns, and a plain value for each cell.
 *
 * @param index gives each key one of k values; peeled
 * @param valueBits bits of a value, 1…63; ⌊64 / valueBits⌋ values take a word
 */
public record MutableBloomierShape(BloomierShape index, int valueBits) implements Shape {

  /** The most bits of a value. */
  public static final int MAX_VALUE_BITS = 63;

  /**
   * Checks the fields.
   *
   * @param index gives each key one of k values
   * @param valueBits bits of a value
   * @throws IllegalArgumentException if a field is outside its range
   */
  public MutableBloomierShape {
    Objects.requireNonNull(index, "index");
    Arguments.inRange("valueBits", valueBits, 1, MAX_VALUE_BITS);
    if (!(index.cells() instanceof PeeledCells cells) || cells.perKey() != index.values()) {
      throw new IllegalArgumentException(
          "index = " + index + " does not tell cells of a key apart");
    }
  }

  /**
   * The smallest map with k = 3 whose rate is at most {@code rate}.
   *
   * @param keys different keys, 1 … 2^27
   * @param valueBits bits of a value, 1…63
   * @param rate the chance that an outsider gets a value, in (0, 1) and at least {@code keys ·
   *     2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static MutableBloomierShape forKeys(long keys, int valueBits, double rate) {
    PeeledCells cells = PeeledCells.forKeys(keys, PeeledCells.DEFAULT_PER_KEY);
    return new MutableBloomierShape(
        BloomierShape.forKeys(keys, cells.perKey(), rate, cells), valueBits);
  }

  /**
   * The lowest rate that fits a given memory, with k = 3.
   *
   * @param keys different keys, 1 … 2^27
   * @param valueBits bits of a value, 1…63
   * @param bits the budget, at most {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static MutableBloomierShape forBudget(long keys, int valueBits, long bits) {
    PeeledCells cells = PeeledCells.forKeys(keys, PeeledCells.DEFAULT_PER_KEY);
    Sizing.requireBudget(bits, 1);
    long left = bits - valuesSize(cells, valueBits);
    return new MutableBloomierShape(
        BloomierShape.forBudget(keys, cells.perKey(), Math.max(1, left)), valueBits);
  }

  private static long valuesSize(PeeledCells cells, int valueBits) {
    return Counters.wordsFor(cells.count(), valueBits) * Long.SIZE;
  }

  /**
   * The cells of both tables.
   *
   * @return the cells
   */
  public PeeledCells cells() {
    return (PeeledCells) index.cells();
  }

  @Override
  public long sizeInBits() {
    return index.sizeInBits() + valuesSize(cells(), valueBits);
  }

  /**
   * The chance that an outsider gets a value.
   *
   * @param keys number of different keys
   * @return k/2^q, or 0 without keys
   */
  @Override
  public double falsePositiveRate(long keys) {
    return index.falsePositiveRate(keys);
  }
}
