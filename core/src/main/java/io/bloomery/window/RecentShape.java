package io.bloomery.window;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.LaneCover;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Patterns;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a filter of recent keys: a window of adds or of time, and cache lines of eight words
 * that two, four or eight layers share, each layer a blocked Bloom filter of {@code 8 / layers}
 * words per line. A window spans all layers but one; a key is added to the newest layer and lives
 * for at least one window and at most {@code layers / (layers − 1)} windows.
 *
 * <p>The rate is that of the worst moment, when all layers are full: 1 − (1 − f)^g with f the rate
 * of one of g layers. Three bits of each word identify its round of layers; bits of keys that fall
 * on them are dropped.
 *
 * @param lines number of cache lines of 512 bits, 1 … {@link Shape#MAX_BITS} / 512
 * @param layers 2, 4 or 8
 * @param bitsPerWord bits that a key sets in each of its words, 1 … 16
 * @param window the minimum number of ticks that keys are remembered, 1 … 2^42
 * @param timed whether a tick is a millisecond instead of an add
 */
public record RecentShape(
    @FieldName("lines") long lines,
    @FieldName("generations") int layers,
    @FieldName("bits per word") int bitsPerWord,
    @FieldName("window") long window,
    @FieldName("timed") boolean timed)
    implements Shape, QueryCost {

  private static final int LINE_BITS = 512;

  public RecentShape {
    requireLayers(layers);
    Arguments.inRange("bitsPerWord", bitsPerWord, 1, LaneCover.MAX_LANE_PROBES);
    Arguments.inRange("lines", lines, 1, MAX_BITS / LINE_BITS);
    Arguments.inRange("window", window, 1, Ticks.MAX_WINDOW);
  }

  private static void requireLayers(int layers) {
    Arguments.oneOf("layers", layers, 2, 4, 8);
  }

  /**
   * The smallest shape for a window with as many adds as expected keys, with four layers, or two
   * where a low rate makes them smaller.
   *
   * @param expectedKeys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static RecentShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    RecentShape best = search(expectedKeys, falsePositiveRate, 4);
    RecentShape two = search(expectedKeys, falsePositiveRate, 2);
    if (best == null || (two != null && two.sizeInBits() < best.sizeInBits())) {
      best = two;
    }
    if (best == null) {
      throw Sizing.tooLarge("a filter of recent keys", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /**
   * The smallest shape with this many layers for a window of as many adds as expected keys.
   *
   * @param expectedKeys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param layers 2, 4 or 8: keys may be found for another {@code 1 / (layers - 1)} of the window
   *     after they expire
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static RecentShape forKeys(long expectedKeys, double falsePositiveRate, int layers) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    requireLayers(layers);
    RecentShape shape = search(expectedKeys, falsePositiveRate, layers);
    if (shape == null) {
      throw Sizing.tooLarge(
          "a filter of recent keys in " + layers + " layers", expectedKeys, falsePositiveRate);
    }
    return shape;
  }

  /**
   * The shape with the lowest rate that fits a given memory, for a window with as many adds as
   * expected keys, with four layers, or two where they give a lower rate.
   *
   * @param expectedKeys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param bits the memory, 512 or more; rounded down to whole lines
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RecentShape forBudget(long expectedKeys, long bits) {
    RecentShape four = forBudget(expectedKeys, bits, 4);
    RecentShape two = forBudget(expectedKeys, bits, 2);
    return two.falsePositiveRate(expectedKeys) < four.falsePositiveRate(expectedKeys) ? two : four;
  }

  /**
   * The shape with the lowest rate that fits a given memory, for a window with as many adds as
   * expected keys.
   *
   * @param expectedKeys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param bits the memory, 512 or more; rounded down to whole lines
   * @param layers 2, 4 or 8
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RecentShape forBudget(long expectedKeys, long bits, int layers) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    requireLayers(layers);
    long lines = Sizing.requireBudget(bits, LINE_BITS) / LINE_BITS;
    int best =
        new Sizing.Probes(4, 1, LaneCover.MAX_LANE_PROBES, 2)
            .best(b -> rate(lines, layers, b, expectedKeys));
    return new RecentShape(lines, layers, best, expectedKeys, false);
  }

  /**
   * This size with a window of adds.
   *
   * @param adds the minimum number of adds remembered, 1 … 2^42
   * @return a changed copy
   */
  public RecentShape withWindow(long adds) {
    return new RecentShape(lines, layers, bitsPerWord, adds, false);
  }

  /**
   * This size with a window of time.
   *
   * @param time the minimum time that keys are remembered, up to 2^42 ms; rounded up to whole
   *     milliseconds
   * @return a changed copy
   */
  public RecentShape withWindow(Duration time) {
    return new RecentShape(lines, layers, bitsPerWord, Ticks.millis("window", time), true);
  }

  private static @Nullable RecentShape search(long keys, double rate, int layers) {
    int words = LINE_BITS / LaneCover.LANE_BITS / layers;
    double each = rate / layers;
    int start = (int) Math.round(BloomMath.informationBound(each) / words);
    int most = Math.min(LaneCover.MAX_LANE_PROBES, (Sizing.mostProbes(each, 1) - 1) / words + 2);
    long perLine = (long) (keys * BloomMath.bitsPerKey(each) * 1.4 / LINE_BITS) + 1;
    Sizing.Choice choice =
        Sizing.smallest(
            (lines, bits) -> rate(lines, layers, bits, keys),
            rate,
            perLine,
            MAX_BITS / LINE_BITS,
            new Sizing.Probes(start, 1, most, 2));
    return choice == null
        ? null
        : new RecentShape(choice.size(), layers, choice.hashesPerKey(), keys, false);
  }

  /**
   * Words of a line that a key touches.
   *
   * @return 4, 2 or 1
   */
  public int wordsPerKey() {
    return LINE_BITS / LaneCover.LANE_BITS / layers;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: for a steady stream with that many distinct keys in each window, when all layers are
   * full.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return rate(lines, layers, bitsPerWord, keys);
  }

  @Override
  public long sizeInBits() {
    return lines * LINE_BITS;
  }

  private static double rate(long lines, int layers, int bitsPerWord, long keys) {
    long each = (keys + layers - 2) / (layers - 1);
    int words = LINE_BITS / LaneCover.LANE_BITS / layers;
    double same = 1.0 / LaneCover.PATTERNS * Math.pow(1.0 / LaneCover.LANE_BITS, words);
    double logDiffer = Math.log1p(-same);
    double one =
        Pmf.binomial(each, 1.0 / lines, LaneCover.limit())
            .expect(
                x -> {
                  double anySame = words == 1 ? 0 : -Math.expm1(x * logDiffer);
                  double covered = Math.pow(LaneCover.stamped(bitsPerWord, x), words);
                  return anySame + (1 - anySame) * covered;
                });
    return -Math.expm1(layers * Math.log1p(-Math.min(one, 1)));
  }

  /**
   * {@inheritDoc} Here: log2 of the lines, 10 for the pattern and 6 to rotate it in each word of a
   * slot.
   */
  @Override
  public int hashBits() {
    return HashBits.choice(lines)
        + HashBits.choice(Patterns.COUNT)
        + wordsPerKey() * HashBits.choice(Long.SIZE);
  }

  /** {@inheritDoc} Here: 1, a line of eight words. */
  @Override
  public int memoryAccesses() {
    return 1;
  }
}
