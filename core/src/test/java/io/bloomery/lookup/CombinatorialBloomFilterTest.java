package io.bloomery.lookup;

import static io.bloomery.lookup.FilterBankTest.assertIllegal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.LookupFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.Estimates;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Measured here, of P4 (combinatorial): n = 2000, m = 60,000, k = 7, F = 10, w = 3: fill 0.5034,
 * exact 0.9448 of 40,000 (predicted 0.9440), outsiders with an answer 5.5e-5 of 3·10⁶ (that
 * filter's prediction 5.7e-5, mean of all 6.3e-5); no wrong set for a member.
 */
final class CombinatorialBloomFilterTest {

  private static CombinatorialBloomFilter filled(CombinatorialShape shape, int keys, int seed) {
    CombinatorialBloomFilter filter = CombinatorialBloomFilter.create(shape);
    long[] hashes = Keys.members(keys, seed);
    for (int i = 0; i < keys; i++) {
      filter.addHash(hashes[i], i % shape.sets());
    }
    return filter;
  }

  /**
   * 2000 keys of 120 sets in 60 000 bits: 40 000 members of 20 filters, 3·10^6 outsiders of one.
   */
  @Test
  void thePublishedRates() {
    CombinatorialShape shape = new CombinatorialShape(60_000, 7, 10, 3, 120);
    assertThat(1 - shape.ambiguousRate(2_000)).isCloseTo(0.944, within(5e-4));
    double fill = 0;
    double exact = 0;
    int right = 0;
    double[] answers = new double[20];
    for (int i = 0; i < 20; i++) {
      CombinatorialBloomFilter filter = filled(shape, 2_000, i);
      answers[i] = filter.falsePositiveRate();
      fill += filter.fillRatio() / 20;
      exact += (1 - filter.ambiguousRate()) / 20;
      long[] hashes = Keys.members(2_000, i);
      for (int j = 0; j < hashes.length; j++) {
        long only = filter.getOnlyHash(hashes[j]);
        assertThat(only).isIn((long) (j % 120), LookupFilter.ABSENT);
        right += only == j % 120 ? 1 : 0;
      }
    }
    assertThat(fill).isCloseTo(0.503, within(1e-3));
    assertThat(exact).isCloseTo(0.944, within(1e-3));
    Rates.assertRate(right, 40_000, exact, 5);

    CombinatorialBloomFilter filter = filled(shape, 2_000, 7);
    int answered = 0;
    int only = 0;
    for (int round = 0; round < 3; round++) {
      for (long hash : Keys.outsiders(1_000_000, round)) {
        boolean has = filter.mightContainHash(hash);
        answered += has ? 1 : 0;
        only += has && filter.getOnlyHash(hash) != LookupFilter.ABSENT ? 1 : 0;
      }
    }
    double group = Math.pow(filter.fillRatio(), 7);
    double one = 120 * Math.pow(group, 3) * Math.pow(1 - group, 7);
    assertThat(shape.falsePositiveRate(2_000)).isCloseTo(6.33e-5, within(5e-8));
    double published = Math.pow(-Math.expm1(-0.7), 7);
    assertThat(120 * Math.pow(published, 3) * Math.pow(1 - published, 7))
        .isCloseTo(6.2e-5, within(5e-7));
    Rates.assertMean(answers, shape.falsePositiveRate(2_000), 5, 0.01);
    Rates.assertRate(only, 3_000_000, one, 5);
    Rates.assertRate(answered, 3_000_000, filter.falsePositiveRate(), 5);
  }

  /** Conditional rates of 400 small filters; fewer sets than codes, so that some are of none. */
  @ParameterizedTest
  @CsvSource({"200,3,8,3,56,20", "200,3,8,3,5,20", "100,2,12,4,300,10", "300,4,5,1,4,50"})
  void theShapeKnowsTheRates(long bits, int probes, int groups, int weight, int sets, int keys) {
    CombinatorialShape shape = new CombinatorialShape(bits, probes, groups, weight, sets);
    double[] rates = new double[400];
    double[] ambiguous = new double[400];
    long answered = 0;
    for (int i = 0; i < 400; i++) {
      CombinatorialBloomFilter filter = filled(shape, keys, i);
      rates[i] = filter.falsePositiveRate();
      ambiguous[i] = filter.ambiguousRate();
      for (long hash : Keys.outsiders(500, i)) {
        answered += filter.mightContainHash(hash) ? 1 : 0;
      }
    }
    Rates.assertMean(rates, shape.falsePositiveRate(keys), 5, 0.01);
    Rates.assertMean(ambiguous, shape.ambiguousRate(keys), 5, 0.01);
    Rates.assertRate(answered, 200_000, Rates.mean(rates), 5);
  }

  /** 30 histories beside an exact map: the right set is always a candidate. */
  @Test
  void theRightSetIsAlwaysACandidate() {
    Property.check(
        6,
        30,
        draw -> {
          int sets = draw.between(1, 1_000);
          CombinatorialBloomFilter filter =
              CombinatorialBloomFilter.create(
                  CombinatorialShape.forKeys(100, 0.2, sets, draw.between(3, 6)));
          Map<Long, Integer> model = new HashMap<>();
          for (int step = 0; step < 150; step++) {
            model.put(draw.anyLong(), draw.between(0, sets - 1));
          }
          model.forEach(filter::addHash);
          long[] hits = new long[(sets + 63) / 64];
          model.forEach(
              (hash, set) -> {
                int count = filter.setsOfHash(hash, hits);
                assertThat(hits[set / 64] >>> set & 1).isEqualTo(1);
                assertThat(filter.setsOfHash(hash)).hasSize(count).contains(set);
                assertThat(filter.getHash(hash)).isBetween(0L, (long) set);
                assertThat(filter.getOnlyHash(hash)).isEqualTo(count == 1 ? set : -1L);
                assertThat(filter.addHash(hash, set)).isFalse();
              });
        });
  }

  @Test
  void moreThanOneSetIsAmbiguous() {
    CombinatorialBloomFilter filter =
        CombinatorialBloomFilter.create(CombinatorialShape.forKeys(1_000, 1e-6, 100));
    filter.add("key", 30);
    assertThat(filter.getOnly("key")).isEqualTo(30);
    filter.add("key", 77);
    assertThat(filter.getOnly("key")).isEqualTo(LookupFilter.ABSENT);
    assertThat(filter.setsOf("key")).contains(30, 77);
    assertThat(filter.get("none")).isEqualTo(LookupFilter.ABSENT);
  }

  @ParameterizedTest
  @CsvSource({"1,1e-9,50", "10,.01,2", "2000,.01,120", "100000,.001,1000", "1000000,.05,60000"})
  void sizesAreTheSmallest(long keys, double rate, int sets) {
    CombinatorialShape shape = CombinatorialShape.forKeys(keys, rate, sets);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    assertThat(shape.ambiguousRate(keys)).isLessThanOrEqualTo(rate);
    assertThat(shape.groups()).isLessThanOrEqualTo(16 + shape.weight());
    long fewer = (long) (shape.bits() * 0.995) - 1;
    for (int k = 1; k <= Math.min(40, fewer); k++) {
      CombinatorialShape less =
          new CombinatorialShape(fewer, k, shape.groups(), shape.weight(), sets);
      assertThat(Math.max(less.falsePositiveRate(keys), less.ambiguousRate(keys)))
          .isGreaterThan(rate);
    }
    CombinatorialShape budget =
        CombinatorialShape.forBudget(keys, Math.max(64, shape.bits()), sets);
    assertThat(Math.max(budget.falsePositiveRate(keys), budget.ambiguousRate(keys)))
        .isLessThanOrEqualTo(rate);
  }

  @Test
  void theFillGivesTheNumberOfKeys() {
    CombinatorialBloomFilter filter =
        CombinatorialBloomFilter.create(CombinatorialShape.forKeys(10_000, 0.01, 100));
    assertThat(filter.cardinality()).isZero();
    assertThat(filter.fillRatio()).isZero();
    long[] hashes = Keys.members(10_000);
    for (int i = 0; i < hashes.length; i++) {
      filter.addHash(hashes[i], i % 100);
    }
    CombinatorialShape shape = filter.shape();
    int probes = shape.hashesPerKey() * shape.weight();
    double deviation = Estimates.cardinalityStandardDeviation(shape.bits(), probes, 10_000);
    double cardinality = filter.cardinality();
    assertThat(cardinality).isCloseTo(10_000, within(5 * deviation));
    assertThat(filter.fillRatio())
        .isCloseTo(-Math.expm1(-cardinality * probes / shape.bits()), within(1e-12));
    filter.merge(filter);
    assertThat(filter.cardinality()).isEqualTo(cardinality);
  }

  @Test
  void argumentsAreChecked() {
    CombinatorialShape shape = new CombinatorialShape(1_000, 3, 8, 3, 56);
    CombinatorialBloomFilter filter = CombinatorialBloomFilter.create(shape, Hasher.xxh3(4));
    assertIllegal(() -> filter.addHash(1, 56), "set = 56 ");
    assertThatThrownBy(() -> filter.setsOfHash(1, new long[0]))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("hits has 0 words; 56 sets need 1");
    assertIllegal(() -> new CombinatorialShape(1_000, 3, 8, 3, 57), "sets = 57 ");
    assertIllegal(() -> new CombinatorialShape(1, 1, 8, 3, 5), "bits = 1 ");
    assertIllegal(() -> new CombinatorialShape(9, 10, 8, 3, 5), "hashesPerKey = 10 ");
    assertIllegal(() -> new CombinatorialShape(9, 1, 2, 3, 1), "groups = 2 ");
    assertIllegal(() -> new CombinatorialShape(9, 1, 63, 3, 1), "groups = 63 ");
    assertIllegal(() -> new CombinatorialShape(9, 1, 8, 0, 1), "weight = 0 ");
    assertIllegal(() -> CombinatorialShape.forKeys(10, 0.1, 0), "sets = 0 ");
    assertIllegal(() -> CombinatorialShape.forKeys(0, 0.1, 5), "expectedKeys = 0 ");
    assertIllegal(() -> CombinatorialShape.forBudget(0, 1_000, 5), "expectedKeys = 0 ");
    assertThat(filter.toString()).contains("weight=3", "seed 4");
    assertThat(filter.copy().shape()).isEqualTo(shape);
  }

  @Test
  void thePlannerKnowsIt() {
    for (Need need : new Need[] {Need.VALUES, Need.MANY_SETS}) {
      Plan plan =
          Planner.standard().plan(Needs.forKeys(10_000, 0.01).with(need)).ranked().stream()
              .filter(p -> p.name().equals("combinatorial"))
              .findFirst()
              .orElseThrow();
      assertThat(plan.predictedRate()).isLessThanOrEqualTo(0.01);
      assertThat(plan.bitsPerKey()).isCloseTo(43.1, within(0.1));
    }
  }
}
