package io.bloomery.frozen;

import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.RibbonLayout;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a ribbon filter: r columns, that is r bits of fingerprint, for most keys, and one
 * column less for a share of them, so that the rate need not be a power of two. The size depends
 * only on the number of keys, not on the keys themselves.
 *
 * @param keyCount distinct keys, 0 … 2^31 - 1
 * @param columns r, 1 … 32
 * @param narrowShare how many of 65536 parts of the table have one column less, 0 … 65535
 */
public record RibbonShape(
    @FieldName("keys") long keyCount,
    @FieldName("columns") int columns,
    @FieldName("narrow share") int narrowShare)
    implements Shape {

  /** The largest number of keys of one filter. */
  public static final long MAX_FILTER_KEYS = Integer.MAX_VALUE - 16;

  private static final int MAX_COLUMNS = RibbonLayout.MAX_COLUMNS;
  private static final int SHARES = RibbonLayout.SHARES;

  public RibbonShape {
    Arguments.inRange("keyCount", keyCount, 0, MAX_FILTER_KEYS);
    Arguments.inRange("columns", columns, 1, MAX_COLUMNS);
    Arguments.inRange("narrowShare", narrowShare, 0, SHARES - 1);
    new RibbonLayout(keyCount, columns, narrowShare);
  }

  /**
   * A shape whose rate is 2^-columns.
   *
   * @param keys distinct keys, 0 … 2^31 - 17
   * @param columns 1 … 32
   * @return the shape
   */
  public static RibbonShape ofColumns(long keys, int columns) {
    return new RibbonShape(keys, columns, 0);
  }

  /**
   * The smallest filter whose rate is at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys, 1 … 2^31 - 17
   * @param falsePositiveRate 2^-32 … 1 (excluded) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RibbonShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.requireKeys(expectedKeys, MAX_FILTER_KEYS);
    Sizing.requireRate(falsePositiveRate, 0x1p-32);
    int columns = Math.max(1, -Math.getExponent(falsePositiveRate));
    double excess = Math.scalb(falsePositiveRate, columns) - 1;
    return new RibbonShape(expectedKeys, columns, (int) (excess * SHARES));
  }

  /**
   * The filter with the lowest rate that fits a given memory.
   *
   * @param expectedKeys distinct keys, 1 … 2^31 - 17
   * @param bits the budget, up to {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static RibbonShape forBudget(long expectedKeys, long bits) {
    Sizing.requireKeys(expectedKeys, MAX_FILTER_KEYS);
    long least = new RibbonShape(expectedKeys, 1, SHARES - 1).sizeInBits();
    Sizing.requireBudget(bits, least);
    // Searches from the widest table to the narrowest for the first that fits.
    int low = 0;
    int high = MAX_COLUMNS * SHARES - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (fits(expectedKeys, middle, bits)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return new RibbonShape(expectedKeys, columns(low), low % SHARES);
  }

  /**
   * The shape of the same rate for another number of keys.
   *
   * @param keys distinct keys, 0 or more
   * @return the shape
   * @throws IllegalArgumentException if there are too many for one filter
   */
  public RibbonShape withKeys(long keys) {
    return new RibbonShape(keys, columns, narrowShare);
  }

  private static int columns(int step) {
    return MAX_COLUMNS - step / SHARES;
  }

  private static boolean fits(long keys, int step, long bits) {
    RibbonLayout layout;
    try {
      layout = new RibbonLayout(keys, columns(step), step % SHARES);
    } catch (ImpossibleSizeException tooLarge) {
      return false;
    }
    return layout.words() * Long.SIZE <= bits;
  }

  @Override
  public long sizeInBits() {
    return layout().words() * Long.SIZE;
  }

  /**
   * The rate of a filter of this shape, for any number of keys.
   *
   * @param keys number of distinct keys
   * @return 2^-columns, doubled for the narrow share, 0 without keys
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return keys == 0 ? 0 : layout().matchRate();
  }

  /**
   * The cache lines that a query of a member reads: its own segment and the next.
   *
   * @return 2 … 9, without the thresholds, which lie close together
   */
  public int cacheLines() {
    return 1 + (2 * columns + 6) / 8;
  }

  private RibbonLayout layout() {
    return new RibbonLayout(keyCount, columns, narrowShare);
  }
}
