package io.bloomery.membership;

import static io.bloomery.testkit.Rates.assertMean;
import static io.bloomery.testkit.Rates.assertRate;
import static io.bloomery.testkit.Rates.mean;
import static io.bloomery.testkit.Rates.standardError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Rates;
import io.bloomery.theory.BloomMath;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue M7.
 *
 * <p>Measured here, of M7 (best of N): n = 40, m = 256, k = 5: first family 0.0470, best of 8
 * 0.0368 (exact 0.0477, 0.0371).
 */
final class BestOfFilterTest {

  private static double[] rates(BestOfShape shape, int keys, int trials) {
    double[] rates = new double[trials];
    for (int set = 0; set < trials; set++) {
      rates[set] =
          BestOfFilter.ofHashes(Keys.members(keys, set), shape, Hasher.xxh3()).falsePositiveRate();
    }
    return rates;
  }

  @Test
  void publishedGain() {
    // n = 40, m = 256, k = 5, N = 8 over 500 trials: 0.0489 of the first, 0.0384 of the best.
    double[] first = rates(new BestOfShape(256, 5, 1), 40, 500);
    double[] best = rates(new BestOfShape(256, 5, 8), 40, 500);
    double exact = BloomMath.exactRate(256, 40, 5);
    double exactBest = new BestOfShape(256, 5, 8).falsePositiveRate(40);
    // A mean of as many filters, within five standard errors and the rounding. The second is 3.5 %
    // above the exact value, seven standard errors, so that something else must have been measured.
    assertThat(exact).isCloseTo(0.0489, within(5 * standardError(first) + 5e-5));
    assertThat(exactBest).isCloseTo(0.0371, within(5e-5));
    assertMean(first, exact, 5, 0);
    assertMean(best, exactBest, 5, 0);
    // R5.
    assertThat(mean(first) - mean(best))
        .isGreaterThan(4 * Math.hypot(standardError(first), standardError(best)));
  }

  @Test
  void largeFiltersGainNothing() {
    // m = 2^16: the best of 8 is 1.4236 deviations of the fill below the mean, on average, and the
    // mean of its square is 2.4, 1.4 more than that of one.
    double one = new BestOfShape(1 << 16, 7, 1).falsePositiveRate(6500);
    double eight = new BestOfShape(1 << 16, 7, 8).falsePositiveRate(6500);
    assertThat(one).isCloseTo(BloomMath.exactRate(1 << 16, 6500, 7), within(1e-4 * one));
    double deviation = Rates.rateDeviation(1 << 16, 6500, 7);
    assertThat(eight / one)
        .isCloseTo(1 - 1.4236 * deviation + 0.6 * deviation * deviation, within(5e-5));
    assertMean(rates(new BestOfShape(1 << 16, 7, 8), 6500, 20), eight, 5, 0);
  }

  @Test
  void exactAndNormalFormulasMeet() {
    // 1 900 throws on 4 096 bits are counted exactly, 2 100 by the normal distribution.
    BestOfShape shape = new BestOfShape(4096, 5, 8);
    double below = shape.falsePositiveRate(409);
    double above = shape.falsePositiveRate(410);
    double plainGrowth = BloomMath.exactRate(4096, 410, 5) / BloomMath.exactRate(4096, 409, 5);
    assertThat(above / below).isCloseTo(plainGrowth, within(0.002));
  }

  @Test
  void findsEveryMemberAndKeepsItsRate() {
    // R1 with n = 10 000, R3 with Q = 1 000 000.
    long[] members = Keys.members(10_000);
    BestOfFilter filter = BestOfFilter.ofHashes(members, 0.01);
    assertThat(Hits.count(filter, members)).isEqualTo(members.length);
    double f = filter.falsePositiveRate();
    double expected = filter.shape().falsePositiveRate(10_000);
    // The deviation of the least of eight normal values is .61 of theirs.
    double deviation =
        0.61
            * Rates.rateDeviation(
                (double) filter.shape().bits(), 10_000, filter.shape().hashesPerKey());
    assertThat(expected).isBetween(0.0099, 0.01);
    assertThat(f).isCloseTo(expected, within(5 * deviation * expected));
    assertRate(Hits.count(filter, Keys.outsiders(1_000_000)), 1_000_000, f, 5);
  }

  @Test
  void outsidersDecideWhenGiven() {
    // 40 keys, 500 known outsiders, 300 trials: fewer of them match than with fewest ones (R5),
    // while strangers match as often as the fill says.
    BestOfShape shape = new BestOfShape(256, 5, 8);
    int trials = 300;
    double[] difference = new double[trials];
    for (int set = 0; set < trials; set++) {
      long[] members = Keys.members(40, set);
      long[] known = Keys.outsiders(500, set);
      BestOfFilter aware = BestOfFilter.ofHashes(members, known, shape, Hasher.xxh3());
      BestOfFilter blind = BestOfFilter.ofHashes(members, shape, Hasher.xxh3());
      assertThat(Hits.count(aware, members)).isEqualTo(40);
      assertThat(Hits.count(aware, known)).isLessThanOrEqualTo(Hits.count(blind, known));
      difference[set] = Hits.count(blind, known) - Hits.count(aware, known);
    }
    assertThat(mean(difference)).isGreaterThan(4 * standardError(difference));
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01", "2, 1e-9", "10, 0.01", "100, 0.001"})
  void sizedFiltersKeepTheirPromise(int keys, double rate) {
    BestOfShape shape = BestOfShape.forKeys(keys, rate);
    double expected = shape.falsePositiveRate(keys);
    assertThat(expected).isLessThanOrEqualTo(rate);
    assertMean(rates(shape, keys, 300), expected, 5, 0);
  }

  @Test
  void roundTripsThroughItsFrame(@TempDir Path directory) throws IOException {
    BestOfFilter filter = null;
    long[] members = {};
    for (int set = 0; filter == null || filter.family() == 0; set++) { // 1 in 20 is best with 0
      members = Keys.members(50, set);
      filter = BestOfFilter.ofHashes(members, new BestOfShape(300, 4, 20), Hasher.xxh3());
    }
    BestOfFilter heap = Reloaded.heap(BestOfFilter.KIND, filter);
    BestOfFilter mapped = Reloaded.mapped(BestOfFilter.KIND, filter, directory);
    assertThat(heap.family()).isEqualTo(filter.family()).isPositive();
    assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(filter));
    assertThat(Hits.count(mapped, members)).isEqualTo(50);
    assertThat(filter.sizeInBits()).isEqualTo(305);
  }

  @Test
  void refusesImpossibleShapes() {
    assertThatThrownBy(() -> new BestOfShape(64, 3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("families = 0");
    assertThat(BestOfFilter.ofHashes(new long[0], 0.1).mightContainHash(5)).isFalse();
    assertThat(new BestOfShape(64, 3, 2).falsePositiveRate(0)).isZero();
  }
}
