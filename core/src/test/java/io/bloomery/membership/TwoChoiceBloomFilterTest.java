package io.bloomery.membership;

import static io.bloomery.testkit.Printed.assertPrinted;
import static io.bloomery.testkit.Printed.assertPrintedSample;
import static io.bloomery.testkit.Rates.assertMean;
import static io.bloomery.testkit.Rates.assertRate;
import static io.bloomery.testkit.Rates.mean;
import static io.bloomery.testkit.Rates.standardError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.CardinalityFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.numeric.TwoChoiceFill;
import io.bloomery.internal.probe.Mix;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue M5.
 *
 * <p>Measured here, of M5 (power of two choices): m/n = 8, 12, 16, 24, 32: 0.02314, 0.003032,
 * 3.93e-4, 7.03e-6, 1.28e-7, that is 1.07, 0.97, 0.86, 0.71, 0.61 of M1.
 *
 * <p>Of M5 (more than two choices): m/n = 32: 0.475 of M1 with 3 groups; of M1's rate with the best
 * k: m/n = 8, 3 groups 1.107; 12, 4 groups 0.901; 16, 3 groups 0.787; 24, 4 groups 0.532; 32, 3 and
 * 8 groups 0.475 and 0.288; bits/key at 0.1 % 14.16, 14.03, 13.96 with 2, 3, 4 groups.
 */
final class TwoChoiceBloomFilterTest {

  private static final int N = 2000;
  private static final int FILTERS = 30;

  private static TwoChoiceBloomFilter filled(long bits, int probes, long[] keys) {
    TwoChoiceBloomFilter filter = TwoChoiceBloomFilter.create(new TwoChoiceShape(bits, probes));
    filter.addHashes(keys, 0, keys.length);
    return filter;
  }

  @Test
  void findsEveryMemberAndKeepsItsRate() {
    // R1 with n = 100 000, R3 with Q = 1 000 000.
    long[] members = Keys.members(100_000);
    TwoChoiceBloomFilter filter = TwoChoiceBloomFilter.create(members.length, 0.01);
    filter.addHashes(members, 0, members.length);
    assertThat(Hits.count(filter, members)).isEqualTo(members.length);
    double f = filter.falsePositiveRate();
    TwoChoiceShape shape = filter.shape();
    double expected = shape.falsePositiveRate(members.length);
    // The choice makes the fill more even than that of independent bits.
    double deviation =
        Rates.rateDeviation((double) shape.bits(), members.length, shape.hashesPerKey());
    assertThat(expected).isBetween(0.0099, 0.01);
    assertThat(f).isCloseTo(expected, within(5 * deviation * expected));
    assertRate(Hits.count(filter, Keys.outsiders(1_000_000)), 1_000_000, f, 5);
  }

  /** The catalogue's rates are of one simulated filter each, so five deviations of one filter. */
  @ParameterizedTest
  @CsvSource({
    "8, 7, 0.0232",
    "12, 10, 0.00303",
    "16, 13, 3.84e-4",
    "24, 19, 6.97e-6",
    "32, 24, 1.22e-7"
  })
  void publishedRates(int bitsPerKey, int probes, String published) {
    double[] rates = new double[FILTERS];
    for (int set = 0; set < FILTERS; set++) {
      long bits = (long) N * bitsPerKey;
      rates[set] = filled(bits, probes, Keys.members(N, set)).falsePositiveRate();
    }
    assertPrintedSample(rates, published, 5);
    assertMean(rates, new TwoChoiceShape((long) N * bitsPerKey, probes).falsePositiveRate(N), 5, 0);
  }

  @ParameterizedTest
  @CsvSource({"8, 7, 1.077", "24, 19, .714", "32, 24, .612"})
  void gainsOnlyWithManyBitsPerKey(int bitsPerKey, int probes, String ofPlain) {
    double[] ratios = new double[FILTERS];
    long bits = (long) N * bitsPerKey;
    double plain = BloomMath.rateForBudget(bits, N);
    for (int set = 0; set < FILTERS; set++) {
      ratios[set] = filled(bits, probes, Keys.members(N, set)).falsePositiveRate() / plain;
    }
    double predicted = new TwoChoiceShape(bits, probes).falsePositiveRate(N) / plain;
    assertPrinted(predicted, ofPlain);
    assertMean(ratios, predicted, 5, 0);
    // R5: five standard errors away from no gain and no loss.
    assertThat(Math.abs(mean(ratios) - 1)).isGreaterThan(5 * standardError(ratios));
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01", "2, 1e-9", "10, 0.01", "10, 0.001", "1000, 0.1", "1000, 0.001"})
  void sizedFiltersKeepTheirPromise(int keys, double rate) {
    TwoChoiceShape shape = TwoChoiceShape.forKeys(keys, rate);
    double expected = shape.falsePositiveRate(keys);
    assertThat(expected).isLessThanOrEqualTo(rate);
    int filters = 400;
    double[] rates = new double[filters];
    for (int set = 0; set < filters; set++) {
      rates[set] =
          filled(shape.bits(), shape.hashesPerKey(), Keys.members(keys, set)).falsePositiveRate();
    }
    assertMean(rates, expected, 5, 0);
    if (keys >= 1000) {
      TwoChoiceShape oneWordLess = new TwoChoiceShape(shape.bits() - 64, shape.hashesPerKey());
      assertThat(oneWordLess.falsePositiveRate(keys)).isGreaterThan(rate);
    }
  }

  /** Three and more groups: R1, R3, and the mean rate of 30 filters with the best k. */
  @ParameterizedTest
  @CsvSource({
    "8, 3, 7, 1.108",
    "12, 4, 11, .902",
    "16, 3, 13, .788",
    "24, 4, 20, .533",
    "32, 3, 25, .475",
    "32, 8, 28, .288"
  })
  void moreGroupsGainMoreWithManyBitsPerKey(int bitsPerKey, int choices, int k, String ofPlain) {
    long bits = (long) N * bitsPerKey;
    TwoChoiceShape shape = TwoChoiceShape.forBudget(N, bits, choices);
    assertThat(shape).isEqualTo(new TwoChoiceShape(bits, k, choices));
    double predicted = shape.falsePositiveRate(N);
    assertPrinted(predicted / BloomMath.rateForBudget(bits, N), ofPlain);
    double[] rates = new double[FILTERS];
    for (int set = 0; set < FILTERS; set++) {
      long[] members = Keys.members(N, set);
      TwoChoiceBloomFilter filter = TwoChoiceBloomFilter.create(shape);
      filter.addHashes(members, 0, N);
      assertThat(Hits.count(filter, members)).isEqualTo(N);
      rates[set] = filter.falsePositiveRate();
    }
    assertMean(rates, predicted, 5, 0);
  }

  @Test
  void outsidersOfThreeGroupsMeetTheRateOfTheFill() {
    TwoChoiceBloomFilter filter = TwoChoiceBloomFilter.create(new TwoChoiceShape(60_000, 5, 3));
    long[] members = Keys.members(10_000);
    filter.addHashes(members, 0, members.length);
    double group = Math.pow(filter.fillRatio(), 5);
    double rate = 1 - Math.pow(1 - group, 3);
    assertThat(filter.falsePositiveRate()).isCloseTo(rate, within(1e-12));
    assertRate(Hits.count(filter, Keys.outsiders(500_000)), 500_000, rate, 5);
    assertThat(filter.hashBits()).isEqualTo(3 * 5 * 16);
    assertThat(filter.memoryAccesses()).isEqualTo(15);
    assertThat(filter.cardinality()).isCloseTo(10_000, within(150.0));
  }

  /**
   * The first of the groups that set the fewest new bits, of 1,000 keys of an array of positions.
   */
  @Test
  void aKeyTakesTheCheapestOfItsGroups() {
    int bits = 997;
    int k = 4;
    for (int choices = 2; choices <= TwoChoiceShape.MAX_CHOICES; choices++) {
      TwoChoiceBloomFilter filter =
          TwoChoiceBloomFilter.create(new TwoChoiceShape(bits, k, choices));
      BitSet model = new BitSet(bits);
      for (long hash : Keys.members(150, choices)) {
        long[] best = null;
        long fewest = Long.MAX_VALUE;
        for (int j = 0; j < choices; j++) {
          long seed = j == 0 ? hash : Mix.stream(hash, -j);
          long[] group = new long[k];
          Arrays.setAll(group, i -> Long.remainderUnsigned(Mix.stream(seed, i), bits));
          long zeros = Arrays.stream(group).filter(at -> !model.get((int) at)).count();
          if (zeros < fewest) {
            fewest = zeros;
            best = group;
          }
        }
        assertThat(filter.addHash(hash)).isEqualTo(fewest > 0);
        Arrays.stream(best).forEach(at -> model.set((int) at));
        assertThat(filter.fillRatio()).isEqualTo((double) model.cardinality() / bits);
      }
    }
  }

  @Test
  void aKeyThatIsThereSetsNothing() {
    long[] members = Keys.members(10_000);
    TwoChoiceBloomFilter filter = filled(160_000, 12, members);
    double before = filter.fillRatio();
    for (long member : members) {
      assertThat(filter.addHash(member)).isFalse();
    }
    assertThat(filter.fillRatio()).isEqualTo(before);
  }

  @Test
  void mergeKeepsTheKeysOfBoth() {
    long[] ours = Keys.members(5000, 1);
    long[] theirs = Keys.members(5000, 2);
    TwoChoiceBloomFilter filter = filled(160_000, 12, ours);
    TwoChoiceBloomFilter before = filter.copy();
    TwoChoiceBloomFilter other = filled(160_000, 12, theirs);
    filter.merge(filter);
    assertThat(filter.fillRatio()).isEqualTo(before.fillRatio());
    filter.merge(other);
    assertThat(Hits.count(filter, ours)).isEqualTo(ours.length);
    assertThat(Hits.count(filter, theirs)).isEqualTo(theirs.length);
    assertThat(before.fillRatio()).isLessThan(filter.fillRatio());
    assertThatThrownBy(
            () -> filter.merge(TwoChoiceBloomFilter.create(new TwoChoiceShape(160_000, 11))))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("hashesPerKey=11");
    TwoChoiceBloomFilter seeded = TwoChoiceBloomFilter.create(filter.shape(), Hasher.xxh3(7));
    assertThat(filter.isCompatible(seeded)).isFalse();
    assertThatThrownBy(() -> filter.merge(seeded))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("seed 7");
  }

  @Test
  void roundTripsThroughItsFrame(@TempDir Path directory) throws IOException {
    TwoChoiceBloomFilter filter = filled(16_001, 5, Keys.members(1000));
    TwoChoiceBloomFilter heap = Reloaded.heap(TwoChoiceBloomFilter.KIND, filter);
    TwoChoiceBloomFilter mapped = Reloaded.mapped(TwoChoiceBloomFilter.KIND, filter, directory);
    assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Hits.count(mapped, Keys.members(1000))).isEqualTo(1000);
    assertThat(Hits.count(mapped, Keys.outsiders(10_000)))
        .isEqualTo(Hits.count(filter, Keys.outsiders(10_000)));
    assertThatThrownBy(() -> mapped.addHash(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
    assertThat(mapped.copy().addHash(Keys.outsiders(1)[0])).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "64, 3, 10",
    "1000, 7, 90",
    "100000, 5, 10000",
    "100000, 12, 5000",
    "100000, 3, 100000"
  })
  void theFillGivesTheNumberOfKeys(long bits, int probes, int keys) {
    // The mean of 50 filters; for few keys, one more or less is the curvature of the integral.
    double[] estimates = new double[50];
    for (int set = 0; set < estimates.length; set++) {
      TwoChoiceBloomFilter filter = filled(bits, probes, Keys.members(keys, set));
      estimates[set] = filter.cardinality();
    }
    assertMean(estimates, keys, 5, keys < 1_000 ? 1.0 / keys : 0);
    TwoChoiceBloomFilter filter = TwoChoiceBloomFilter.create(new TwoChoiceShape(bits, probes));
    assertThat(filter.cardinality()).isZero();
    assertThat(filter.fillRatio()).isZero();
    assertThat(filter).isInstanceOf(CardinalityFilter.class);
  }

  /** The bits of two filters are independent, so the fill of both together is known. */
  @ParameterizedTest
  @CsvSource({"80000, 6, 1.057", "160000, 12, 1.039", "320000, 25, 1.027"})
  void theEstimateOfTwoMergedHalvesIsTooHigh(int bits, int probes, String factor) {
    int keys = 10_000;
    double[] estimates = new double[30];
    double[] predictions = new double[30];
    for (int set = 0; set < estimates.length; set++) {
      TwoChoiceBloomFilter filter = filled(bits, probes, Keys.members(keys / 2, 2 * set));
      TwoChoiceBloomFilter other = filled(bits, probes, Keys.members(keys / 2, 2 * set + 1));
      double zeros = (1 - filter.fillRatio()) * (1 - other.fillRatio());
      filter.merge(other);
      estimates[set] = filter.cardinality() / keys;
      predictions[set] =
          TwoChoiceFill.keysFor(bits, Math.round((1 - zeros) * bits), probes, 2) / keys;
    }
    double predicted = Arrays.stream(predictions).average().orElseThrow();
    assertMean(estimates, predicted, 5, 0.001);
    assertPrintedSample(predictions, factor, 5);
  }

  @Test
  void theEstimateOfTheSameKeysInTwoOrdersIsHalfAgainTooHigh() {
    double[] estimates = new double[20];
    for (int set = 0; set < estimates.length; set++) {
      long[] keys = Keys.members(10_000, set);
      long[] reversed = new long[keys.length];
      Arrays.setAll(reversed, i -> keys[keys.length - 1 - i]);
      TwoChoiceBloomFilter filter = filled(160_000, 12, keys);
      filter.merge(filled(160_000, 12, reversed));
      estimates[set] = filter.cardinality() / keys.length;
    }
    assertMean(estimates, 1.58, 5, 0.005 / 1.58);
  }

  @Test
  void aFullFilterKnowsNoNumber() {
    TwoChoiceBloomFilter filter = filled(64, 3, Keys.members(10_000));
    assertThat(filter.fillRatio()).isEqualTo(1);
    assertThat(filter.cardinality()).isInfinite();
  }

  @Test
  void threadsLoseNoKey() throws Exception {
    assertThat(Racing.lostKeys(() -> TwoChoiceBloomFilter.create(new TwoChoiceShape(1 << 16, 2))))
        .isZero();
  }

  @Test
  void refusesImpossibleShapes() {
    assertThatThrownBy(() -> TwoChoiceBloomFilter.create(new TwoChoiceShape(1, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bits = 1");
    assertThatThrownBy(() -> TwoChoiceBloomFilter.create(new TwoChoiceShape(100, 101)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hashesPerKey = 101");
    for (int choices : new int[] {1, 9}) {
      assertThatThrownBy(() -> new TwoChoiceShape(100, 5, choices))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("choices = " + choices);
      assertThatThrownBy(() -> TwoChoiceShape.forKeys(100, .1, choices))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("choices = " + choices);
    }
    assertThatThrownBy(() -> TwoChoiceBloomFilter.create(-1, 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> TwoChoiceBloomFilter.create(10, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate = 1.0");
  }

  @Test
  void emptyAndOverfilled() {
    assertThat(TwoChoiceBloomFilter.create(new TwoChoiceShape(64, 3)).falsePositiveRate()).isZero();
    assertThat(new TwoChoiceShape(64, 3).falsePositiveRate(0)).isZero();
    assertThat(new TwoChoiceShape(64, 3).falsePositiveRate(1L << 53)).isCloseTo(1, within(1e-6));
  }
}
