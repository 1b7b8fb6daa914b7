package io.bloomery.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.internal.numeric.FewestWords;
import io.bloomery.internal.numeric.FilterCost;
import io.bloomery.internal.numeric.LaneCover;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.SectorCover;
import io.bloomery.internal.numeric.SectorRates;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.plan.Shape;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.BloomMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Blocked shapes are those that a plain search finds, which evaluates every rate exactly. */
class BlockShapeSearchTest {

  private static final int[] WIDTHS = {64, 128, 256, 512};

  @Test
  void drawnTargets() {
    SplittableRandom random = Seeds.random(1);
    int cases = Effort.of(4000);
    for (int i = 0; i < cases; i++) {
      long keys = (long) Math.pow(2, 36 * random.nextDouble());
      double lowest = Math.log(Sizing.lowestRate(keys));
      double rate =
          i % 4 == 0
              ? Math.exp(lowest * random.nextDouble())
              : Math.exp(Math.max(lowest, -16) * random.nextDouble());
      assertSame(keys, Math.max(Sizing.lowestRate(keys), rate));
    }
  }

  @Test
  void fewKeysAndCommonRates() {
    double[] rates = {0.999, 0.9, 0.5, 0.25, 0.1, 0.05, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9};
    for (double rate : rates) {
      for (long keys = 1; keys <= 32; keys++) {
        assertSame(keys, rate);
      }
      for (long keys = 50; Sizing.lowestRate(2 * keys) <= rate && keys < 1L << 35; keys *= 10) {
        assertSame(keys, rate);
        assertSame(2 * keys, rate);
      }
    }
  }

  private static void assertSame(long keys, double rate) {
    assertThat(tried(() -> BlockShape.forKeys(keys, rate)))
        .as("%d keys, rate %s", keys, rate)
        .isEqualTo(plain(keys, rate));
    for (int width : WIDTHS) {
      for (int words = SectorCover.fewestWords(width); words <= width / 64; words *= 2) {
        int each = words;
        assertThat(tried(() -> BlockShape.forKeys(keys, rate, width, each)))
            .as("%d keys, rate %s, width %d, %d words", keys, rate, width, words)
            .isEqualTo(plain(keys, rate, width, words));
      }
    }
  }

  private static Optional<BlockShape> tried(Supplier<BlockShape> shape) {
    try {
      return Optional.of(shape.get());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<BlockShape> plain(long keys, double rate) {
    FilterCost cost =
        new FilterCost(keys, OptionalDouble.of(rate), Needs.Preference.BALANCED.memoryWeight());
    Optional<BlockShape> best = Optional.empty();
    double lowest = 0;
    for (int width : WIDTHS) {
      List<BlockShape> shapes = new ArrayList<>();
      for (int words = SectorCover.fewestWords(width); words <= width / 64; words *= 2) {
        plain(keys, rate, width, words).ifPresent(shapes::add);
      }
      BlockShape shape =
          FewestWords.choose(shapes, BlockShape::sizeInBits, BlockShape::wordsPerKey);
      if (shape != null) {
        double present = nanos(shape, true);
        double costs =
            cost.of(
                shape.sizeInBits(),
                exact(keys, shape.blocks(), width, shape.wordsPerKey(), shape.bitsPerWord()),
                (present + nanos(shape, false)) / 2,
                2 * present);
        if (best.isEmpty() || costs < lowest) {
          best = Optional.of(shape);
          lowest = costs;
        }
      }
    }
    return best;
  }

  private static double nanos(BlockShape shape, boolean present) {
    return Planner.Machine.BUILT_IN.queryNanos(shape.sizeInBits(), 1, shape.work(present));
  }

  private static Optional<BlockShape> plain(long keys, double rate, int width, int words) {
    int most = Math.min(LaneCover.MAX_LANE_PROBES, (Sizing.mostProbes(rate, 1) - 1) / words + 1);
    Sizing.Choice choice =
        Sizing.smallest(
            (blocks, k) -> exact(keys, blocks, width, words, k),
            rate,
            (long) (keys * BloomMath.bitsPerKey(rate) * 1.1 / width) + 1,
            Shape.MAX_BITS / width,
            new Sizing.Probes(
                (int) Math.round(BloomMath.informationBound(rate) / words), 1, most, 2));
    return Optional.ofNullable(choice)
        .map(found -> new BlockShape(found.size(), width, words, found.hashesPerKey() * words));
  }

  /** The rate, term by term. */
  private static double exact(long keys, long blocks, int width, int words, int bitsPerWord) {
    int sectorWords = width / 64 / words;
    double logDiffer = Math.log1p(-Math.pow(1.0 / 64 / sectorWords, words) / LaneCover.PATTERNS);
    Pmf load = Pmf.binomial(keys, 1.0 / blocks, SectorCover.limit(sectorWords));
    return Math.min(
        1,
        load.expect(
            x -> {
              double same = words == 1 ? 0 : -Math.expm1(x * logDiffer);
              double covered = Math.pow(SectorCover.masked(bitsPerWord, sectorWords, x), words);
              return same + (1 - same) * covered;
            }));
  }

  /** Sums of at most 10^4 terms, each with a few roundings of 2^-53 and a cut of 1e-14. */
  @Test
  void fastRatesAreTheExactOnes() {
    SplittableRandom random = Seeds.random(2);
    for (int i = 0; i < 2000; i++) {
      int width = WIDTHS[random.nextInt(WIDTHS.length)];
      int words = width == 64 ? 1 : 2 << random.nextInt(Integer.numberOfTrailingZeros(width / 64));
      int bits = 1 + random.nextInt(16);
      long keys = (long) Math.pow(2, 36 * random.nextDouble());
      long blocks = 1 + (long) (keys * (0.01 + 3 * random.nextDouble()) * 12 / width);
      double expected = exact(keys, blocks, width, words, bits);
      if (expected > 1e-9) {
        SectorRates rates = new SectorRates(keys, words, width / 64 / words, expected / 2);
        assertThat(rates.at(blocks, bits)).isCloseTo(expected, within(1e-12 * expected));
      }
      SectorRates near = new SectorRates(keys, words, width / 64 / words, expected);
      assertThat(near.at(blocks, bits))
          .isEqualTo(SectorRates.exact(keys, blocks, words, width / 64 / words, bits));
    }
  }
}
