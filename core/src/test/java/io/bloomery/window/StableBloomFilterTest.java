package io.bloomery.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.SampleFilters;
import io.bloomery.frame.FrameBuilder;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import io.bloomery.theory.SpaceMath;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measured here, of T1 (stable): over 20 filters, zero share and rate at the fixed point are within
 * 5 standard errors of .7691, .01231 for (4095, 3, 10, 1) and of .5784, .0316 for (4096, 4, 20, 3),
 * and so are false negatives after a gap of 50 … 800 adds of the closed form.
 */
final class StableBloomFilterTest {

  /**
   * An empty filter at a place of its own in the sequence of decrements, which depends on the
   * number of adds alone: filters that begin at 0 share it and are not independent.
   */
  private static StableBloomFilter filter(StableShape shape, int place) throws IOException {
    byte[] frame = SampleFilters.bytes(StableBloomFilter.create(shape));
    ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
    int adds = bytes.getInt(12) - 12; // the last field, before the checksum of the header
    bytes.putLong(adds, Keys.hash(place) >>> 2);
    ByteArrayInputStream sealed = new ByteArrayInputStream(FrameBuilder.reseal(frame));
    return (StableBloomFilter) Filters.read(sealed, ReadOptions.defaults().withLimit(frame.length));
  }

  /** The published fixed points: (4096, 3, 10, 1) and (4096, 4, 20, 3), as cells, k, P and bits. */
  @Test
  void fixedPointsOfTheFormula() {
    StableShape first = new StableShape(4095, 1, 3, 10);
    assertThat(first.stableZeroShare()).isCloseTo(0.7691, within(0.00005));
    assertThat(first.stableRate()).isCloseTo(0.01231, within(0.000005));
    StableShape second = new StableShape(4096, 2, 4, 20);
    assertThat(second.stableZeroShare()).isCloseTo(0.5784, within(0.00005));
    assertThat(second.stableRate()).isCloseTo(0.0316, within(0.00005));
    // A cell lives c·N/s adds, not c·s/N.
    assertThat(new StableShape(4096, 2, 4, 10).meanLifetime()).isCloseTo(1228.8, within(1e-9));
  }

  /** f = .02, k = 4, Max = 3: P = 23.5, and 23 would give .0213. */
  @Test
  void decrementsAreRoundedUp() {
    assertThat(StableShape.ofCells(4096, 2, 4, 0.02).decrements()).isEqualTo(24);
    assertThat(new StableShape(4096, 2, 4, 24).stableRate()).isBetween(0.0188, 0.0189);
    assertThat(new StableShape(4096, 2, 4, 23).stableRate()).isCloseTo(0.0213, within(0.00005));
    assertThat(new StableShape(4096, 2, 4, 23).stableRate()).isGreaterThan(0.02);
  }

  /**
   * 20 filters of 20 000 distinct keys: zeros and false positives of the second half, which begins
   * after at least 6 lifetimes of a cell, and the rate stated at the end.
   */
  @ParameterizedTest
  @CsvSource({"4095,1,3,10", "4096,2,4,20", "4096,2,4,10", "8190,3,6,40"})
  void streamsSettleAtTheFixedPoint(long cells, int bits, int k, int p) throws IOException {
    StableShape shape = new StableShape(cells, bits, k, p);
    double[] zeros = new double[20];
    double[] positives = new double[20];
    double[] stated = new double[20];
    for (int run = 0; run < zeros.length; run++) {
      StableBloomFilter filter = filter(shape, run);
      long before = filter.adds();
      long[] keys = Keys.members(20_000, run);
      for (int i = 0; i < keys.length; i++) {
        boolean isNew = filter.addHash(keys[i]);
        if (i >= 10_000) {
          positives[run] += isNew ? 0 : 1e-4;
          zeros[run] += i % 100 == 0 ? 0.01 * filter.zeroShare() : 0;
        }
      }
      stated[run] = filter.falsePositiveRate();
      assertThat(filter.adds()).isEqualTo(before + keys.length);
    }
    Rates.assertMean(zeros, shape.stableZeroShare(), 5, 0);
    Rates.assertMean(positives, shape.stableRate(), 5, 0);
    Rates.assertMean(stated, shape.stableRate(), 5, 0);
  }

  /** The closed form of the way to the fixed point, 200 filters each, 5 standard errors. */
  @ParameterizedTest
  @CsvSource({"50", "200", "1000", "5000"})
  void zerosAfterFinitelyManyKeys(int keys) throws IOException {
    StableShape shape = new StableShape(1024, 2, 4, 20);
    double[] shares = new double[200];
    for (int i = 0; i < shares.length; i++) {
      StableBloomFilter filter = filter(shape, i);
      for (long hash : Keys.members(keys, i)) {
        filter.addHash(hash);
      }
      shares[i] = filter.zeroShare();
    }
    Rates.assertMean(shares, shape.zeroShare(keys), 5, 0);
    assertThat(shape.zeroShare(0)).isEqualTo(1);
    assertThat(shape.zeroShare(1L << 50)).isCloseTo(shape.stableZeroShare(), within(1e-12));
  }

  /**
   * False negatives rise with the gap, as the formula says: 20 filters of 1 000 keys each, as keys
   * share cells and decrements, so that misses come in clusters.
   */
  @Test
  void keysFadeWithTheGap() throws IOException {
    StableShape shape = new StableShape(4096, 2, 4, 20);
    double before = -1;
    for (int gap : new int[] {50, 200, 400, 800}) {
      double[] missed = new double[20];
      for (int run = 0; run < missed.length; run++) {
        StableBloomFilter filter = filter(shape, run);
        long[] keys = Keys.members(1_000 + gap + 2_000, run);
        for (int i = 0; i < keys.length; i++) {
          if (i >= 2_000 + gap && !filter.mightContainHash(keys[i - 1 - gap])) {
            missed[run]++;
          }
          filter.addHash(keys[i]);
        }
      }
      double expected = shape.falseNegativeRate(gap);
      assertThat(expected).isGreaterThan(before);
      before = expected;
      Rates.assertMean(missed, 1_000 * expected, 5, 0);
    }
  }

  /** A.9: on a uniform stream over L symbols no bounded memory errs less. */
  @Test
  void errorsStayAboveTheLowerBound() {
    int alphabet = 1 << 14;
    StableBloomFilter filter = StableBloomFilter.create(StableShape.ofCells(1024, 1, 4, 0.05));
    SplittableRandom random = Seeds.random(9);
    boolean[] seen = new boolean[alphabet];
    int n = 100_000;
    int fresh = 0;
    int falsePositives = 0;
    int falseNegatives = 0;
    for (int i = 0; i < n; i++) {
      int symbol = random.nextInt(alphabet);
      boolean isNew = filter.addHash(Keys.hash(symbol));
      if (seen[symbol]) {
        falseNegatives += isNew ? 1 : 0;
      } else {
        fresh++;
        falsePositives += isNew ? 0 : 1;
      }
      seen[symbol] = true;
    }
    double errors = (double) falsePositives / fresh + (double) falseNegatives / (n - fresh);
    double bound = SpaceMath.streamErrorBound(alphabet, filter.sizeInBits(), n);
    assertThat(bound).isGreaterThan(0.9);
    assertThat(errors).isGreaterThan(bound - 5 * Math.sqrt(0.25 / fresh));
  }

  @Test
  void sizedForALifetimeAndARate() {
    for (long keys : new long[] {1, 2, 10, 1000, 10_000_000}) {
      for (double rate : new double[] {0.3, 0.01, 1e-4, 1e-9}) {
        StableShape shape = StableShape.forLifetime(keys, rate);
        assertThat(shape.stableRate()).isLessThanOrEqualTo(rate);
        assertThat(shape.meanLifetime()).isGreaterThanOrEqualTo((double) keys);
        StableShape window = StableShape.forKeys(keys, rate);
        assertThat(window.stableRate()).isLessThanOrEqualTo(rate);
        assertThat(window.falseNegativeRate(keys)).isLessThanOrEqualTo(rate);
        assertThat(window).isEqualTo(StableShape.forWindow(keys, rate, rate));
      }
    }
    StableShape shape = StableShape.forLifetime(1_000_000, 0.01);
    StableShape budget = StableShape.ofBits(shape.sizeInBits(), 0.01);
    assertThat(budget.meanLifetime()).isBetween(1e6, 1.01e6);
  }

  @Test
  void theSameHistoryGivesTheSameFilter() {
    StableShape shape = new StableShape(4096, 2, 4, 20);
    StableBloomFilter a = StableBloomFilter.create(shape);
    StableBloomFilter b = StableBloomFilter.create(shape);
    for (long hash : Keys.members(5000)) {
      assertThat(a.addHash(hash)).isEqualTo(b.addHash(hash));
    }
    StableBloomFilter copy = a.copy();
    for (long hash : Keys.outsiders(20_000)) {
      assertThat(copy.addHash(hash)).isEqualTo(b.addHash(hash));
    }
  }

  /**
   * Two threads, 20 filters, 50 000 adds each: every add is counted and the fixed point is kept.
   */
  @Test
  void threadsKeepTheFixedPoint() throws IOException {
    StableShape shape = new StableShape(40_960, 2, 4, 20);
    double[] zeros = new double[20];
    for (int run = 0; run < zeros.length; run++) {
      StableBloomFilter filter = filter(shape, run);
      long before = filter.adds();
      int set = 2 * run;
      Race.run(
          2,
          thread -> {
            for (long hash : Keys.members(50_000, set + thread)) {
              filter.addHash(hash);
            }
          });
      assertThat(filter.adds()).isEqualTo(before + 100_000);
      zeros[run] = filter.zeroShare();
    }
    Rates.assertMean(zeros, shape.stableZeroShare(), 5, 0);
  }

  @Test
  void impossibleShapesAreRefused() {
    assertThatThrownBy(() -> new StableShape(10, 2, 3, 1)).hasMessageContaining("multiple");
    assertThatThrownBy(() -> new StableShape(12, 2, 3, 13)).hasMessageContaining("decrements");
    assertThatThrownBy(() -> new StableShape(12, 9, 3, 1)).hasMessageContaining("cellBits");
    assertThatThrownBy(() -> new StableShape(12, 2, 0, 1)).hasMessageContaining("hashesPerKey");
    assertThatThrownBy(() -> StableShape.ofCells(8, 3, 4, 1e-6))
        .hasMessageContaining("decrements of only 8 cells");
    assertThatThrownBy(() -> StableShape.ofBits(64, 1e-12)).hasMessageContaining("bits = 64");
    assertThatThrownBy(() -> StableShape.forWindow(10, 0.1, 1))
        .hasMessageContaining("falseNegativeRate = 1.0");
    assertThatThrownBy(() -> StableBloomFilter.create(-1, 0.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expectedKeys = -1");
  }

  @Test
  void whatIsPlannedIsWhatIsMade() {
    Plan plan =
        Planner.standard().plan(Needs.forKeys(100_000, 0.01).with(Need.WINDOW)).ranked().stream()
            .filter(p -> p.name().equals("stable"))
            .findFirst()
            .orElseThrow();
    StableShape shape = StableShape.forWindow(100_000, 0.01, 0.01);
    assertThat(plan.shape()).isEqualTo(shape);
    assertThat(StableBloomFilter.create(100_000, 0.01).shape()).isEqualTo(shape);
    assertThat(shape.falseNegativeRate(100_000)).isBetween(0.0098, 0.01);
    assertThat(plan.predictedRate()).isCloseTo(0.002727, within(5e-7));
    assertThat(plan.bitsPerKey()).isCloseTo(88.49, within(0.005));
  }
}
