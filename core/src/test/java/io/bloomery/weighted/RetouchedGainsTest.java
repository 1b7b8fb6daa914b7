package io.bloomery.weighted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Catalogue entry W1: what clearing gains and loses. */
final class RetouchedGainsTest {

  private static final int KEYS = 2_000;
  private static final int FILTERS = 24;
  private static final int NAMED = 400;

  /** The filter of the published figures. */
  private static final BloomShape SHAPE = RetouchedBloomFilterTest.SHAPE;

  /** The number of false positives with which random choices give the published gain. */
  private static final int POPULATION = 3_500;

  /** What one algorithm did to each of the filters. */
  private static final class Outcome {
    private final double[] gain = new double[FILTERS];
    private final double[] lost = new double[FILTERS];
    private final double[] decrease = new double[FILTERS];
  }

  private static final Map<RetouchedBloomFilter.Clearing, Outcome> OUTCOMES =
      new EnumMap<>(RetouchedBloomFilter.Clearing.class);

  /** All algorithms name the first 400 of 3,500 false positives of the same 24 filters. */
  @BeforeAll
  static void clearByAllAlgorithms() {
    for (RetouchedBloomFilter.Clearing clearing : RetouchedBloomFilter.Clearing.values()) {
      OUTCOMES.put(clearing, new Outcome());
    }
    for (int i = 0; i < FILTERS; i++) {
      long[] members = Keys.members(KEYS, i);
      RetouchedBloomFilter filter = RetouchedBloomFilterTest.filled(SHAPE, members);
      long[] wrong = RetouchedBloomFilterTest.falsePositives(filter, POPULATION, i);
      long[] named = Arrays.copyOf(wrong, NAMED);
      for (RetouchedBloomFilter.Clearing clearing : RetouchedBloomFilter.Clearing.values()) {
        RetouchedBloomFilter copy = filter.copy();
        assertThat(copy.retouchHashes(named, clearing, members)).isEqualTo(NAMED);
        assertThat(RetouchedBloomFilterTest.present(copy, named)).isZero();
        double lost = 1 - (double) RetouchedBloomFilterTest.present(copy, members) / KEYS;
        assertThat(copy.falseNegativeRate()).isCloseTo(lost, within(1e-12));
        assertThat(copy.clearedBits())
            .isEqualTo(Math.round((filter.fillRatio() - copy.fillRatio()) * SHAPE.bits()));
        Outcome outcome = OUTCOMES.get(clearing);
        outcome.lost[i] = lost;
        outcome.decrease[i] = 1 - copy.falsePositiveRate() / filter.falsePositiveRate();
        outcome.gain[i] =
            (1 - (double) RetouchedBloomFilterTest.present(copy, wrong) / POPULATION) / lost;
      }
    }
  }

  /** χ, the share of false positives removed over that of members lost; one published run each. */
  @ParameterizedTest
  @CsvSource({"RANDOM, 1.42", "MAX_FP, 1.54", "MIN_FN, 2.07", "RATIO, 2.14"})
  void gainsAreAsPublished(RetouchedBloomFilter.Clearing clearing, double published) {
    double[] gains = OUTCOMES.get(clearing).gain;
    double oneRun = Rates.standardError(gains) * Math.sqrt(FILTERS);
    assertThat(Rates.mean(gains)).isCloseTo(published, within(5 * oneRun));
  }

  /** Rule R5 on the same filters. */
  @Test
  void choosingByMembersIsBetterThanChance() {
    assertAbove(
        gains(RetouchedBloomFilter.Clearing.MIN_FN),
        gains(RetouchedBloomFilter.Clearing.RANDOM),
        0.3);
    assertAbove(
        gains(RetouchedBloomFilter.Clearing.RATIO),
        gains(RetouchedBloomFilter.Clearing.MIN_FN),
        -0.1);
    assertAbove(
        OUTCOMES.get(RetouchedBloomFilter.Clearing.MAX_FP).lost,
        OUTCOMES.get(RetouchedBloomFilter.Clearing.RATIO).lost,
        0.03);
    assertAbove(
        OUTCOMES.get(RetouchedBloomFilter.Clearing.RANDOM).lost,
        OUTCOMES.get(RetouchedBloomFilter.Clearing.MAX_FP).lost,
        0.03);
  }

  private static double[] gains(RetouchedBloomFilter.Clearing clearing) {
    return OUTCOMES.get(clearing).gain;
  }

  private static void assertAbove(double[] one, double[] other, double by) {
    double[] differences = new double[one.length];
    Arrays.setAll(differences, i -> one[i] - other[i]);
    assertThat(Rates.mean(differences)).isGreaterThan(by + 4 * Rates.standardError(differences));
  }

  /** The figures of docs/variants.md, which are means of 24 filters themselves. */
  @Test
  void membersLost() {
    assertLost(RetouchedBloomFilter.Clearing.RATIO, 0.127);
    assertLost(RetouchedBloomFilter.Clearing.MIN_FN, 0.143);
    assertLost(RetouchedBloomFilter.Clearing.MAX_FP, 0.170);
    assertLost(RetouchedBloomFilter.Clearing.RANDOM, 0.214);
  }

  private static void assertLost(RetouchedBloomFilter.Clearing clearing, double figure) {
    double[] lost = OUTCOMES.get(clearing).lost;
    double error = Math.sqrt(2) * Rates.standardError(lost);
    assertThat(Rates.mean(lost)).isCloseTo(figure, within(5 * error + 0.0005));
  }

  /**
   * Counters of members instead of their list: the same choices until a member is lost, a few more
   * lost in all, and the loss that the counters expect.
   */
  @ParameterizedTest
  @CsvSource({"RATIO, 0.141", "MIN_FN, 0.165"})
  void countersOfMembersWillDo(RetouchedBloomFilter.Clearing clearing, double figure) {
    double[] lost = new double[FILTERS];
    double[] expected = new double[FILTERS];
    for (int i = 0; i < FILTERS; i++) {
      long[] members = Keys.members(KEYS, i);
      CountingBloomFilter counting = CountingBloomFilter.create(CountingShape.of(SHAPE, 4));
      counting.addHashes(members, 0, KEYS);
      RetouchedBloomFilter filter = RetouchedBloomFilter.of(counting.toBloomFilter());
      long[] named = RetouchedBloomFilterTest.falsePositives(filter, NAMED, i);
      double full = filter.fillRatio();
      assertThat(filter.retouchHashes(named, clearing, counting::counter)).isEqualTo(NAMED);
      assertThat(filter.clearedBits())
          .isEqualTo(Math.round((full - filter.fillRatio()) * SHAPE.bits()));
      assertThat(RetouchedBloomFilterTest.present(filter, named)).isZero();
      lost[i] = 1 - (double) RetouchedBloomFilterTest.present(filter, members) / KEYS;
      expected[i] = filter.falseNegativeRate();
    }
    double error = Math.sqrt(2) * Rates.standardError(lost);
    assertThat(Rates.mean(lost)).isCloseTo(figure, within(5 * error + 0.0005));
    assertThat(Rates.mean(lost)).isGreaterThan(Rates.mean(OUTCOMES.get(clearing).lost));
    assertThat(Rates.mean(lost))
        .isLessThan(Rates.mean(OUTCOMES.get(RetouchedBloomFilter.Clearing.MAX_FP).lost));
    double[] errors = new double[FILTERS];
    Arrays.setAll(errors, i -> lost[i] - expected[i]);
    Rates.assertMean(errors, 0, 5, 0);
  }

  /** Algorithms that ignore members lose the same share of them as of other false positives. */
  @ParameterizedTest
  @EnumSource(names = {"RANDOM", "MAX_FP"})
  void withoutMembersTheTradeIsNeutral(RetouchedBloomFilter.Clearing clearing) {
    Outcome outcome = OUTCOMES.get(clearing);
    double[] differences = new double[FILTERS];
    Arrays.setAll(differences, i -> outcome.decrease[i] - outcome.lost[i]);
    Rates.assertMean(differences, 0, 5, 0);
  }

  /** The rate of false positives given the bits (R3), and what the formula says about members. */
  @ParameterizedTest
  @CsvSource({"0.02, 0.0961", "0.05, 0.2262", "0.10, 0.4095"})
  void randomClearingIsNeutral(double share, double formula) {
    assertThat(1 - Math.pow(1 - share, 5)).isCloseTo(formula, within(5e-5));
    double[] errors = new double[FILTERS];
    for (int i = 0; i < FILTERS; i++) {
      long[] members = Keys.members(KEYS, i);
      RetouchedBloomFilter filter = RetouchedBloomFilterTest.filled(SHAPE, members);
      double before = filter.falsePositiveRate();
      long ones = Math.round(filter.fillRatio() * SHAPE.bits());
      long bits = Math.round(share * ones);
      filter.clearRandomly(bits, Seeds.of(i));
      assertThat(filter.fillRatio()).isEqualTo((double) (ones - bits) / SHAPE.bits());
      assertThat(filter.clearedBits()).isEqualTo(bits);
      double gone = 1 - (double) RetouchedBloomFilterTest.present(filter, members) / KEYS;
      errors[i] = gone - filter.falseNegativeRate();
      // Both lose the same but for the 10 pairs of a member's bits, of which the second is drawn
      // from one bit fewer (s/z of 1/z each) or is the first (1/m each).
      double decrease = 1 - filter.falsePositiveRate() / before;
      assertThat(filter.falseNegativeRate()).isCloseTo(decrease, within(2 * 10 * share / ones));
      assertThat(decrease).isCloseTo(formula, within(5 * 0.5 / ones + 5e-5)); // rounded bits
      if (i == 0) {
        int queries = 1_000_000;
        int hits =
            filter.mightContainHashes(Keys.outsiders(queries), 0, queries, new long[queries / 64]);
        Rates.assertRate(hits, queries, filter.falsePositiveRate(), 5);
      }
    }
    Rates.assertMean(errors, 0, 5, 0);
  }
}
