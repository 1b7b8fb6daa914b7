package io.bloomery.lookup;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a spatial Bloom filter: cells that hold the label of an area.
 *
 * @param cells m, 2 or more
 * @param hashesPerKey k, hashes per key, 1 … 255 and at most the cells
 * @param areas number of areas, 1 … {@link #MAX_AREAS}
 */
public record SpatialShape(
    @FieldName("cells") long cells,
    @FieldName("probes") int hashesPerKey,
    @FieldName("areas") int areas)
    implements Shape {

  /** The most areas. */
  public static final int MAX_AREAS = (1 << 16) - 1;

  /** Number of areas that a plan assumes, since needs do not include it. */
  public static final int PLANNED_AREAS = 255;

  public SpatialShape {
    Arguments.inRange("areas", areas, 1, MAX_AREAS);
    Arguments.inRange("cells", cells, 2, mostCells(areas));
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, cells));
  }

  private static long mostCells(int areas) {
    return MAX_BITS / Long.SIZE * perWord(areas);
  }

  private static int perWord(int areas) {
    return Long.SIZE / cellBits(areas);
  }

  private static int cellBits(int areas) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(areas);
  }

  /**
   * The smallest filter, in units of 64 cells, that reports keys of no area at most at a given
   * rate.
   *
   * @param expectedKeys distinct keys of all areas together, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1)
   * @param areas number of areas, 1 … {@link #MAX_AREAS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static SpatialShape forKeys(long expectedKeys, double falsePositiveRate, int areas) {
    Arguments.inRange("areas", areas, 1, MAX_AREAS);
    BloomShape bloom = BloomShape.forKeys(expectedKeys, falsePositiveRate);
    Sizing.requireAtMost("cells", bloom.bits(), 2, mostCells(areas));
    return new SpatialShape(bloom.bits(), bloom.hashesPerKey(), areas);
  }

  /**
   * The best filter for a number of keys in a given memory.
   *
   * @param expectedKeys distinct keys of all areas together, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget
   * @param areas number of areas, 1 … {@link #MAX_AREAS}
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SpatialShape forBudget(long expectedKeys, long bits, int areas) {
    Arguments.inRange("areas", areas, 1, MAX_AREAS);
    int perWord = perWord(areas);
    long unit = (Long.SIZE + perWord - 1L) / perWord * Long.SIZE;
    long cells = Sizing.requireBudget(bits, unit) / Long.SIZE * perWord;
    BloomShape bloom = BloomShape.forBudget(expectedKeys, cells);
    return new SpatialShape(bloom.bits(), bloom.hashesPerKey(), areas);
  }

  /**
   * The width of a cell.
   *
   * @return bits that hold a label of 0 … areas
   */
  public int cellBits() {
    return cellBits(areas);
  }

  /** {@inheritDoc} Here: whole words of 64 bits, as many cells in each as fit. */
  @Override
  public long sizeInBits() {
    return Counters.wordsFor(cells, cellBits()) * Long.SIZE;
  }

  /** {@inheritDoc} Here: the probability that a key of no area has an answer. */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(cells, keys, hashesPerKey);
  }

  /**
   * The probability that a key of no area is reported in an area: all its cells have that label or
   * a higher one, but not all a higher one.
   *
   * @param area the area, 0 … areas - 1
   * @param keysPerArea distinct keys of each area
   * @return the rate
   */
  public double falsePositiveRate(int area, long... keysPerArea) {
    Arguments.inRange("area", area, 0, areas - 1);
    return from(area, keysPerArea) - from(area + 1, keysPerArea);
  }

  /**
   * The probability that a key of an area is reported in a higher one, because higher areas have
   * labelled all its cells; 0 for the highest.
   *
   * @param area the area, 0 … areas - 1
   * @param keysPerArea distinct keys of each area
   * @return the rate
   */
  public double interSetErrorRate(int area, long... keysPerArea) {
    Arguments.inRange("area", area, 0, areas - 1);
    return from(area + 1, keysPerArea);
  }

  /** The probability that all cells of a key are labelled by an area or higher ones. */
  private double from(int area, long[] keysPerArea) {
    if (keysPerArea.length != areas) {
      throw new IllegalArgumentException(
          "keysPerArea has " + keysPerArea.length + " elements; there are " + areas + " areas");
    }
    long keys = 0;
    for (int i = area; i < areas; i++) {
      keys += Sizing.requireLoad(keysPerArea[i]);
    }
    return keys == 0 ? 0 : falsePositiveRate(keys);
  }
}
