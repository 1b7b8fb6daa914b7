package io.bloomery.theory;

import static io.bloomery.testkit.Printed.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.VariableIncrementCountingFilter;
import io.bloomery.deletable.VariableIncrementShape;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.numeric.CountCover;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountingMathTest {

  private static final double LN2 = Math.log(2);

  private static void assertDigits(double actual, double expected, double relative) {
    assertThat(actual).isCloseTo(expected, within(relative * expected));
  }

  /** Equations 15 and 16 of the survey, and what they bound. */
  @Test
  void publishedOverflows() {
    assertPrinted(CountingMath.halfFullOverflowBound(16), "1.3677e-15");
    assertPrinted(CountingMath.countAtLeastProbability(LN2, 16), "7.07e-17");
    assertPrinted(CountingMath.halfFullOverflowBound(8), "9.5e-6");
    assertPrinted(CountingMath.countAtLeastProbability(LN2, 8), "7.2e-7");
    assertPrinted(CountingMath.halfFullOverflowBound(4), "0.049");
    assertPrinted(CountingMath.countAtLeastProbability(LN2, 4), "0.0056");
  }

  /** Erratum: m·P(c = j) is not a bound of P(some c ≥ j), m·P(c ≥ j) is. */
  @Test
  void theProbabilityOfOneValueBoundsNothing() {
    long m = 1 << 20;
    int k = 7;
    long n = Math.round(m * LN2 / k);
    assertPrinted(CountingMath.countProbability(m, n, k, 16), "6.78e-17");
    assertPrinted(CountingMath.countAtLeastProbability(m, n, k, 16), "7.07e-17");
    assertThat(CountingMath.countProbability(m, n, k, 16))
        .isLessThan(CountingMath.countAtLeastProbability(m, n, k, 16));
    // One counter and two throws: some counter is 1 or more for certain, but is never exactly 1.
    assertThat(CountingMath.countProbability(1, 2, 1, 1)).isZero();
    assertThat(CountingMath.overflowBound(1, 2, 1, 1)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1048576, 103000, 7, 16", "1000, 100, 7, 4", "1000, 100, 7, 1", "64, 1000, 3, 8"})
  void boundsAreOrdered(long m, long n, int k, int j) {
    double exact = CountingMath.overflowBound(m, n, k, j);
    double binomial = CountingMath.binomialOverflowBound(m, n, k, j);
    assertThat(exact).isLessThanOrEqualTo(binomial * (1 + 1e-12));
    assertThat(binomial).isLessThanOrEqualTo(CountingMath.powerOverflowBound(m, n, k, j));
    if ((double) n * k / m <= LN2) {
      assertThat(CountingMath.powerOverflowBound(m, n, k, j))
          .isLessThanOrEqualTo(m * CountingMath.halfFullOverflowBound(j));
    }
  }

  @Test
  void probabilitiesOfCountsSumUp() {
    for (long[] f : new long[][] {{100, 30, 4}, {10, 1000, 3}, {1 << 20, 1 << 17, 6}}) {
      double above = 0;
      for (int j = 900; j >= 0; j--) {
        above += CountingMath.countProbability(f[0], f[1], (int) f[2], j);
        if (j > 0) {
          assertThat(CountingMath.countAtLeastProbability(f[0], f[1], (int) f[2], j))
              .isCloseTo(above, within(1e-12 + 1e-10 * above));
        }
      }
      assertThat(above).isCloseTo(1, within(1e-10));
    }
    assertThat(CountingMath.countProbability(5, 0, 3, 0)).isEqualTo(1);
    assertThat(CountingMath.countAtLeastProbability(5, 0, 3, 1)).isZero();
    assertThat(CountingMath.countAtLeastProbability(7, 1L << 53, 255, 65_536)).isEqualTo(1);
    assertThat(CountingMath.binomialOverflowBound(5, 1, 3, 4)).isZero();
  }

  /** Catalogue D2: the best load of each threshold. */
  @ParameterizedTest
  @CsvSource({
    "1, .6931",
    "2, .9326",
    "3, 1.1635",
    "5, 1.6117",
    "10, 2.696",
    "15, 3.758",
    "20, 4.809",
    "30, 6.893"
  })
  void bestLoads(int threshold, double load) {
    assertThat(CountingMath.optimalThresholdLoad(threshold))
        .isCloseTo(load, within(load > 2 ? 5e-4 : 5e-5));
  }

  /** Threshold 3, m/n = 10: the rate falls with k to its minimum and then rises. */
  @Test
  void theRateHasOneMinimum() {
    long n = 100_000;
    int best = CountingMath.optimalThresholdProbes(10 * n, n, 3);
    assertThat(best).isEqualTo(12);
    for (int k = 1; k < 40; k++) {
      double here = CountingMath.thresholdRate(10 * n, n, k, 3);
      double next = CountingMath.thresholdRate(10 * n, n, k + 1, 3);
      assertThat(next < here).isEqualTo(k < best);
    }
    assertThat(CountingMath.optimalThresholdProbes(10 * n, n, 1)).isEqualTo(7);
  }

  @Test
  void theExactThresholdRateOfOneHitIsTheExactRate() {
    for (int[] f : new int[][] {{10, 2, 3}, {64, 10, 4}, {256, 40, 4}, {1024, 100, 7}}) {
      double exact = BloomMath.exactRate(f[0], f[1], f[2]);
      assertDigits(CountCover.allAtLeast(f[0], (long) f[1] * f[2], f[2], 1), exact, 1e-9);
      assertThat(CountingMath.exactThresholdRate(f[0], f[1], f[2], 1)).isEqualTo(exact);
    }
  }

  /** All outcomes of a few throws into three bins, counted. */
  @ParameterizedTest
  @CsvSource({"4, 2, 2", "6, 2, 2", "7, 3, 2", "8, 2, 3", "8, 1, 5"})
  void theExactThresholdRateCountsOutcomes(int balls, int probes, int threshold) {
    long good = 0;
    long all = (long) Math.pow(3, balls + probes);
    for (long outcome = 0; outcome < all; outcome++) {
      int[] bins = new int[3];
      long rest = outcome;
      for (int i = 0; i < balls; i++, rest /= 3) {
        bins[(int) (rest % 3)]++;
      }
      boolean enough = true;
      for (int i = 0; i < probes; i++, rest /= 3) {
        enough &= bins[(int) (rest % 3)] >= threshold;
      }
      good += enough ? 1 : 0;
    }
    assertDigits(CountCover.allAtLeast(3, balls, probes, threshold), (double) good / all, 1e-9);
  }

  @Test
  void thePublishedThresholdRateIsTheLimitOfTheExactOne() {
    assertDigits(
        CountingMath.exactThresholdRate(1 << 24, 1 << 21, 9, 3),
        CountingMath.thresholdRate(1 << 24, 1 << 21, 9, 3),
        1e-4);
    assertThat(CountingMath.exactThresholdRate(50, 1L << 40, 5, 200)).isCloseTo(1, within(1e-12));
  }

  /** Catalogue D5: n = 2000, m = 16,000, k = 4; equal memory of 32 bits per key. */
  @Test
  void publishedRatesOfVariableIncrements() {
    assertPrinted(CountingMath.variableIncrementRate(16_000, 2_000, 4, 1), "0.02397");
    assertPrinted(CountingMath.variableIncrementRate(16_000, 2_000, 4, 4), "5.65e-4");
    assertPrinted(CountingMath.variableIncrementRate(16_000, 2_000, 4, 8), "1.79e-4");
    assertPrinted(CountingMath.variableIncrementRate(32_000_000, 6_000_000, 6, 4), "0.00254");
    assertPrinted(BloomMath.exponentialRate(8_000_000, 1_000_000, 6), "0.0216");
    // The real rate of a small filter is higher: its counters depend on each other.
    double exact = new VariableIncrementShape(16_000, 6, 4, 4).falsePositiveRate(2_000);
    assertPrinted(exact / CountingMath.variableIncrementRate(16_000, 2_000, 4, 4), "1.0011");
    assertDigits(
        new VariableIncrementShape(1 << 24, 6, 6, 4).falsePositiveRate(3_000_000),
        CountingMath.variableIncrementRate(1 << 24, 3_000_000, 6, 4),
        1e-4);
  }

  /** Increments of one, two and three keys against all keys of base L, counted. */
  @ParameterizedTest
  @CsvSource({"2", "4", "8"})
  void sumsPassAsOftenAsTheFormulaSays(int base) {
    int two = 0;
    for (int a = base; a < 2 * base; a++) {
      for (int b = base; b < 2 * base; b++) {
        for (int v = base; v < 2 * base; v++) {
          two += a + b - v >= base ? 1 : 0;
        }
      }
    }
    double share = two / Math.pow(base, 3);
    assertThat(CountingMath.twoIncrementsPass(base)).isCloseTo(share, within(1e-12));
  }

  @Test
  void shapesKnowSizeAndOverflows() {
    CountingShape shape = CountingShape.forKeys(1_000_000, 0.01, 4);
    assertThat(shape.cells()).isEqualTo(BloomShape.forKeys(1_000_000, 0.01));
    assertThat(shape.sizeInBits()).isEqualTo(4 * shape.cells().bits());
    assertThat(shape.maxCount()).isEqualTo(15);
    assertPrinted(shape.expectedOverflows(1_000_000), "1.49e-9");
    assertThat(CountingShape.of(BloomShape.of(22, 3), 3).sizeInBits()).isEqualTo(128);
    CountingShape budget = CountingShape.forBudget(1_000, 40_000, 4);
    assertThat(budget.cells().bits()).isEqualTo(9_984);
    assertThat(budget.sizeInBits()).isEqualTo(4 * 9_984);
    CountingShape slices = CountingShape.of(BloomShape.of(1000, 5, IndexScheme.PARTITIONED), 4);
    assertThat(slices.thresholdRate(100, 1)).isCloseTo(slices.falsePositiveRate(100), within(1e-9));
    assertThat(shape.thresholdRate(1_000_000, 1)).isEqualTo(shape.falsePositiveRate(1_000_000));
    assertThatThrownBy(() -> shape.thresholdRate(5, 16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("threshold = 16 ");
    assertThatThrownBy(() -> CountingShape.forKeys(10, 0.1, 17))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("counterBits = 17 ");
    assertThatThrownBy(() -> CountingShape.forBudget(10, 255, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits = 255 ");
  }

  @Test
  void thePlannerKnowsCountingFilters() {
    Needs needs = Needs.forKeys(1_000_000, 0.01).with(Need.DELETES);
    Planner planner =
        Planner.of(
            List.of(
                BlockedCountingFilter.KIND,
                OneWordCountingFilter.KIND,
                CountingBloomFilter.KIND,
                VariableIncrementCountingFilter.KIND));
    Plan counting = plan(planner, needs, "counting");
    assertPrinted(counting.bitsPerKey(), "38.37");
    assertThat(counting.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(counting.cacheLines()).isEqualTo(7);
    assertThat(counting.kind().type().getName())
        .isEqualTo("io.bloomery.deletable.CountingBloomFilter");
    Plan wide = plan(planner, needs.with(Need.COUNTS), "counting-16");
    assertThat(wide.bitsPerKey()).isEqualTo(4 * counting.bitsPerKey());
    Plan budget =
        plan(planner, Needs.forBudget(1_000_000, 40_000_000).with(Need.DELETES), "counting");
    assertPrinted(budget.predictedRate(), "0.00819");
    Plan oneWord = plan(planner, needs, "one-word-counting");
    assertThat(oneWord.cacheLines()).isEqualTo(1);
    assertPrinted(oneWord.bitsPerKey(), "43.39");
    assertThat(oneWord.predictedRate()).isBetween(0.0099, 0.01);
    Plan sums = plan(planner, needs, "variable-increment");
    assertThat(sums).isEqualTo(planner.plan(needs).smallestFirst().get(0));
    assertPrinted(sums.bitsPerKey(), "26.38");
    assertThat(sums.predictedRate()).isBetween(0.0099, 0.01);
    assertThat(planner.plan(Needs.forKeys(1_000_000, 0.01)).ranked()).isEmpty();
  }

  private static Plan plan(Planner planner, Needs needs, String kind) {
    List<Plan> plans = planner.plan(needs).ranked();
    return plans.stream().filter(plan -> plan.name().equals(kind)).findFirst().orElseThrow();
  }
}
