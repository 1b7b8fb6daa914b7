package io.bloomery.window;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;
import java.time.Duration;

/**
 * The shape of a decaying Bloom filter: cells that hold the time of their latest key, and count as
 * zero once it has expired.
 *
 * <p>Time is counted in ticks, adds or milliseconds. The cells are divided into {@code granularity}
 * blocks, which age in turn, one at each tick. A cell dies when it has aged {@link #lives()} times,
 * c = ⌈(W−1)/T⌉ + 1, so that it lives for (c−1)T + 1 … cT ticks, at least the window W and less
 * than W + 2T. With granularity 1 that is W exactly.
 *
 * @param cells m, 2 or more
 * @param hashesPerKey k, hashes per key, 1 … 255 and at most the cells
 * @param window W in ticks, 1 … 2^42
 * @param granularity T in ticks, 1 … the window: keys may still be found for up to twice as many
 *     ticks after they expire. 1 is exact and needs the widest cells
 * @param timed whether a tick is a millisecond instead of an add
 */
public record DecayingShape(
    @FieldName("cells") long cells,
    @FieldName("probes") int hashesPerKey,
    @FieldName("window") long window,
    @FieldName("granularity") long granularity,
    @FieldName("timed") boolean timed)
    implements Shape, QueryCost {

  /** The default granularity is the window divided by this. */
  private static final int DEFAULT_PARTS = 128;

  /** Sample points for the mean over the blocks. */
  private static final int SAMPLES = 64;

  public DecayingShape {
    Arguments.inRange("window", window, 1, Ticks.MAX_WINDOW);
    Arguments.inRange("granularity", granularity, 1, window);
    Arguments.inRange("cells", cells, 2, maxCells(window, granularity));
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, cells));
  }

  /**
   * The smallest shape for a window with as many adds as expected keys, with cells of about 8 bits.
   *
   * @param expectedKeys adds that make a window, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a full window, in (0, 1) and at least {@code expectedKeys
   *     · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DecayingShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    return forKeys(expectedKeys, falsePositiveRate, expectedKeys, defaultGranularity(expectedKeys));
  }

  /**
   * The smallest shape for a window of time, with cells of about 8 bits.
   *
   * @param expectedKeys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a full window, in (0, 1) and at least {@code expectedKeys
   *     · 2^-57}
   * @param window how long keys are remembered, up to 2^42 ms; rounded up to whole milliseconds
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DecayingShape forKeys(
      long expectedKeys, double falsePositiveRate, Duration window) {
    long ticks = Ticks.millis("window", window);
    DecayingShape shape =
        forKeys(expectedKeys, falsePositiveRate, ticks, defaultGranularity(ticks));
    return new DecayingShape(shape.cells, shape.hashesPerKey, ticks, shape.granularity, true);
  }

  /**
   * The smallest shape for a window of adds.
   *
   * @param expectedKeys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of a full window, in (0, 1) and at least {@code expectedKeys
   *     · 2^-57}
   * @param window length of the window in adds, 1 … 2^42
   * @param granularity adds between two steps of a cell's age, 1 … the window
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DecayingShape forKeys(
      long expectedKeys, double falsePositiveRate, long window, long granularity) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("window", window, 1, Ticks.MAX_WINDOW);
    Arguments.inRange("granularity", granularity, 1, window);
    long max = maxCells(window, granularity);
    DecayingShape best = null;
    for (int k = 1; k <= Sizing.mostProbes(falsePositiveRate, 1); k++) {
      int hashesPerKey = k;
      long guess = (long) BloomMath.bitsForRate(expectedKeys, falsePositiveRate, k) + k;
      long limit = best == null ? max : best.cells - 1;
      if (guess > limit || k > limit) {
        continue;
      }
      long cells =
          SizeSearch.smallest(
              m ->
                  m < Math.max(2, hashesPerKey)
                      ? 1
                      : rate(m, hashesPerKey, window, granularity, expectedKeys),
              falsePositiveRate,
              guess,
              limit);
      if (cells > 0) {
        best = new DecayingShape(cells, k, window, granularity, false);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a decaying Bloom filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /**
   * The cheapest granularity: 1/128 of the window, for which cells of 8 bits suffice.
   *
   * @param window length of the window in ticks
   * @return T
   */
  public static long defaultGranularity(long window) {
    return Math.max(1, (window + DEFAULT_PARTS - 1) / DEFAULT_PARTS);
  }

  private static long maxCells(long window, long granularity) {
    return MAX_BITS / Long.SIZE * (Long.SIZE / cellBits(window, granularity));
  }

  private static long lives(long window, long granularity) {
    return (window + granularity - 2) / granularity + 1;
  }

  /**
   * Enough states for the lives of a cell, half as many again until it is cleared, and slack for
   * slow threads.
   */
  private static int cellBits(long window, long granularity) {
    long lives = lives(window, granularity);
    return Long.SIZE - Long.numberOfLeadingZeros(lives + lives / 2 + 6);
  }

  /**
   * How often a cell ages before it dies.
   *
   * @return c
   */
  public long lives() {
    return lives(window, granularity);
  }

  /**
   * The width of a cell.
   *
   * @return bits
   */
  public int cellBits() {
    return cellBits(window, granularity);
  }

  @Override
  public long sizeInBits() {
    int perWord = Long.SIZE / cellBits();
    return (cells + perWord - 1) / perWord * Long.SIZE;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: for a steady stream with that many distinct keys in each window.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return rate(cells, hashesPerKey, window, granularity, keys);
  }

  /**
   * The classic rate at the mean fill over the blocks, corrected by the difference to the exact
   * rate.
   */
  private static double rate(
      long cells, int hashesPerKey, long window, long granularity, long keys) {
    if (granularity == 1) {
      return BloomMath.exactRate(cells, keys, hashesPerKey);
    }
    double shortest = (lives(window, granularity) - 1.0) * granularity + 1;
    double logMiss = hashesPerKey * Math.log1p(-1.0 / cells);
    double fill = 0;
    double mean = 0;
    for (int i = 0; i < SAMPLES; i++) {
      double lifetime = shortest + (i + 0.5) / SAMPLES * (granularity - 1.0);
      double alive = keys * lifetime / window;
      mean += alive / SAMPLES;
      fill -= Math.expm1(alive * logMiss) / SAMPLES;
    }
    long present = Math.round(mean);
    double classic = BloomMath.classicRate(cells, present, hashesPerKey);
    double correction =
        classic == 0 ? 1 : BloomMath.exactRate(cells, present, hashesPerKey) / classic;
    return Math.min(1, Math.pow(fill, hashesPerKey) * correction);
  }

  /** {@inheritDoc} Here: k·log2 m. */
  @Override
  public int hashBits() {
    return HashBits.bloom(cells, hashesPerKey);
  }

  /** {@inheritDoc} Here: k cells. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey;
  }
}
