package io.bloomery.window;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.LaneCover;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a filter of recent keys: cache lines of eight words that two, four or eight
 * generations share, each generation a blocked Bloom filter of {@code 8 / generations} words per
 * line. A window is all generations but one; a key goes to the newest and lives for a window at
 * least and for {@code generations / (generations − 1)} windows at most.
 *
 * <p>The rate is that of the worst moment, at which all generations are full: 1 − (1 − f)^g with f
 * the rate of one. Three bits of each word tell which round of generations it belongs to; bits of
 * keys that fall on them are dropped.
 *
 * @param lines number of cache lines of 512 bits, 1 … {@link Shape#MAX_BITS} / 512
 * @param generations 2, 4 or 8
 * @param bitsPerWord bits that a key sets in each of its words, 1 … 16
 */
public record RecentShape(long lines, int generations, int bitsPerWord) implements Shape {

  private static final int LINE_BITS = 512;

  /**
   * Checks the fields.
   *
   * @param lines number of cache lines
   * @param generations number of generations
   * @param bitsPerWord bits that a key sets in each of its words
   * @throws IllegalArgumentException if a field is outside its range
   */
  public RecentShape {
    requireGenerations(generations);
    Arguments.inRange("bitsPerWord", bitsPerWord, 1, LaneCover.MAX_LANE_PROBES);
    Arguments.inRange("lines", lines, 1, MAX_BITS / LINE_BITS);
  }

  private static void requireGenerations(int generations) {
    if (generations != 2 && generations != 4 && generations != 8) {
      throw new IllegalArgumentException("generations = " + generations + " is not 2, 4 or 8");
    }
  }

  /**
   * The smallest shape for a window, with four generations down to rates of 0.1 % and as many as
   * take the least memory below.
   *
   * @param keys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static RecentShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    RecentShape best = search(keys, rate, 4);
    RecentShape two = search(keys, rate, 2);
    if (best == null || (two != null && two.sizeInBits() < best.sizeInBits())) {
      best = two;
    }
    if (best == null) {
      throw Sizing.tooLarge("a filter of recent keys", keys, rate);
    }
    return best;
  }

  /**
   * The smallest shape of so many generations.
   *
   * @param keys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param generations 2, 4 or 8
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static RecentShape forKeys(long keys, double rate, int generations) {
    Sizing.requireTarget(keys, rate);
    requireGenerations(generations);
    RecentShape shape = search(keys, rate, generations);
    if (shape == null) {
      throw Sizing.tooLarge("a filter of " + generations + " generations", keys, rate);
    }
    return shape;
  }

  /**
   * The shape of the lowest rate in a memory.
   *
   * @param keys distinct keys of one window, 1 … {@link Shape#MAX_KEYS}
   * @param bits the memory, 512 or more; rounded down to whole lines
   * @param generations 2, 4 or 8
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RecentShape forBudget(long keys, long bits, int generations) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    requireGenerations(generations);
    long lines = Sizing.requireBudget(bits, LINE_BITS) / LINE_BITS;
    int best =
        new Sizing.Probes(4, 1, LaneCover.MAX_LANE_PROBES, 2)
            .best(b -> rate(lines, generations, b, keys));
    return new RecentShape(lines, generations, best);
  }

  private static RecentShape search(long keys, double rate, int generations) {
    int words = LINE_BITS / LaneCover.LANE_BITS / generations;
    double each = rate / generations;
    int start = (int) Math.round(BloomMath.informationBound(each) / words);
    int most = Math.min(LaneCover.MAX_LANE_PROBES, (Sizing.mostProbes(each, 1) - 1) / words + 2);
    long perLine = (long) (keys * BloomMath.bitsPerKey(each) * 1.4 / LINE_BITS) + 1;
    Sizing.Choice choice =
        Sizing.smallest(
            (lines, bits) -> rate(lines, generations, bits, keys),
            rate,
            perLine,
            MAX_BITS / LINE_BITS,
            new Sizing.Probes(start, 1, most, 2));
    return choice == null ? null : new RecentShape(choice.size(), generations, choice.probes());
  }

  /**
   * Words of a line that a key touches.
   *
   * @return 4, 2 or 1
   */
  public int wordsPerKey() {
    return LINE_BITS / LaneCover.LANE_BITS / generations;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here of a steady stream with that many distinct keys in each window, when all generations
   * are full.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return rate(lines, generations, bitsPerWord, keys);
  }

  @Override
  public long sizeInBits() {
    return lines * LINE_BITS;
  }

  private static double rate(long lines, int generations, int bitsPerWord, long keys) {
    long each = (keys + generations - 2) / (generations - 1);
    int words = LINE_BITS / LaneCover.LANE_BITS / generations;
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
    return -Math.expm1(generations * Math.log1p(-Math.min(one, 1)));
  }
}
