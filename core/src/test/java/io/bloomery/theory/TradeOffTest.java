package io.bloomery.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compression (A.7), stream bound (A.9) and balanced allocations (A.6). */
class TradeOffTest {

  /** Mitzenmacher's trade-off, catalogue A.7: sent bits and rate for budgets of 8 and 16. */
  @ParameterizedTest
  @CsvSource({
    "8,8,6,7.982,0.0216,0.5e-4",
    "8,14,2,7.923,0.0177,0.5e-4",
    "8,92,1,7.923,0.0108,0.5e-4",
    "16,16,11,16.000,0.000459,0.5e-6",
    "16,28,4,15.846,0.000314,0.5e-6",
    "16,48,3,15.829,0.000222,0.5e-6",
  })
  void compressionTable(
      double budget, double bitsPerKey, int k, double sent, double rate, double half) {
    assertThat(Compression.compressedBitsPerKey(bitsPerKey, k)).isCloseTo(sent, within(5.1e-4));
    assertThat(Compression.rate(bitsPerKey, k)).isCloseTo(rate, within(1.02 * half));
    assertThat(Compression.rate(bitsPerKey, k)).isGreaterThan(Compression.bestRate(budget));
    double most = Compression.bitsPerKeyForBudget(budget, k);
    assertThat(most).isGreaterThanOrEqualTo(bitsPerKey - 1e-3);
    assertThat(Compression.compressedBitsPerKey(most, k)).isCloseTo(budget, within(1e-9));
  }

  /** Catalogue A.7: what 1 % costs with few probes, uncompressed and sent. */
  @ParameterizedTest
  @CsvSource({"1,99.5,8.04", "2,18.98,8.90", "7,9.59,9.58"})
  void onePercentWithFewProbes(int k, double bitsPerKey, double sent) {
    double m = Compression.bitsPerKey(0.01, k);
    assertThat(m).isCloseTo(bitsPerKey, within(k == 1 ? 0.051 : 0.0051));
    assertThat(Compression.compressedBitsPerKey(m, k)).isCloseTo(sent, within(0.0051));
    assertThat(Compression.rate(m, k)).isCloseTo(0.01, within(1e-12));
  }

  @Test
  void rateTendsToTheLimitForVanishingProbes() {
    double limit = Compression.bestRate(8);
    double previous = 1;
    for (double k : new double[] {4, 1, 0.5, 0.25, 0.1}) {
      double rate = Compression.rate(Compression.bitsPerKeyForBudget(8, k), k);
      assertThat(rate).isBetween(limit, previous);
      previous = rate;
    }
    // For few set bits H(p) is p·log2(e/p), so that the rate is the limit times e^k.
    assertThat(previous).isCloseTo(limit * Math.exp(0.1), within(1e-12 * limit));
    assertThat(Compression.binaryEntropy(0.5)).isEqualTo(1);
    assertThat(Compression.binaryEntropy(0)).isZero();
    assertThat(Compression.binaryEntropy(1)).isZero();
  }

  /** Catalogue A.9 for L = 2^26 and m = 10^6. */
  @ParameterizedTest
  @CsvSource({"2000000,0.496", "10000000,0.893", "1000000000,0.985"})
  void streamLowerBound(long n, double bound) {
    assertThat(SpaceMath.streamErrorBound(1 << 26, 1_000_000, n)).isCloseTo(bound, within(5.1e-4));
  }

  @Test
  void streamLowerBoundLimitsAndWindows() {
    double limit = SpaceMath.streamErrorLimit(1 << 26, 1_000_000);
    assertThat(SpaceMath.streamErrorBound(1 << 26, 1_000_000, Long.MAX_VALUE))
        .isCloseTo(limit, within(1e-12));
    assertThat(limit).isCloseTo(Math.exp(-1e6 / (1 << 26)), within(1e-9));
    assertThat(SpaceMath.streamErrorBound(1 << 26, 1000, 1000)).isZero();
    assertThat(SpaceMath.streamErrorBound(1 << 26, 1000, 10)).isZero();
    // A huge alphabet: the naive formula would cancel to 0/0.
    assertThat(SpaceMath.streamErrorBound(Long.MAX_VALUE, 1000, 2000)).isCloseTo(0.5, within(1e-9));
    assertThatThrownBy(() -> SpaceMath.streamErrorBound(1, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("alphabet = 1 ");
  }

  @Test
  void dLeftLoadsOfSectionA6() {
    // Catalogue A.6: 4 subtables × 2048 buckets, 49 152 balls (mean 6): maximum 7, never above 8.
    for (int seed = 0; seed < 20; seed++) {
      int[] loads = BalancedAllocation.leftmost(49_152, 4, 2048, Seeds.of(seed));
      assertThat(Arrays.stream(loads).sum()).isEqualTo(49_152);
      assertThat(Arrays.stream(loads).max().getAsInt()).isBetween(7, 8);
    }
    // One choice: by the binomial loads, independent or less, 13 or fewer and more than 28 have
    // probabilities below 1.2e-13 and 1.1e-7.
    int[] plain = BalancedAllocation.leftmost(49_152, 1, 8192, Seeds.of(1));
    assertThat(Arrays.stream(plain).max().getAsInt()).isBetween(14, 28);
    assertThat(BalancedAllocation.leftmost(1000, 2, 100, 9))
        .isEqualTo(BalancedAllocation.leftmost(1000, 2, 100, 9));
  }

  @Test
  void maximumLoadOfOneAndOfTwoChoices() {
    assertThat(BalancedAllocation.maximumLoad(1 << 20, 1))
        .isCloseTo(Math.log(1 << 20) / Math.log(Math.log(1 << 20)), within(1e-12));
    assertThat(BalancedAllocation.maximumLoad(1 << 20, 2))
        .isCloseTo(Math.log(Math.log(1 << 20)) / Math.log(2), within(1e-12));
  }
}
