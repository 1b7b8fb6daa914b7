package io.bloomery.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Messages and volumes of filters that are distributed over processes. */
final class DistributedMathTest {

  /** The erratum: with the rate itself as base the break-even point would be negative. */
  @Test
  void breakEvenHasTheInverseRateAsBase() {
    double logarithm = Math.log(16) / Math.log(.01);
    assertThat(logarithm).isCloseTo(-.602, within(5e-4));
    assertThat(16 * 1e6 / logarithm).isNegative();
    assertThat(DistributedMath.breakEvenQueries(16, 1_000_000, .01))
        .isCloseTo(2.66e7, within(.005e7))
        .isCloseTo(-16 * 1e6 / logarithm, within(1e-3));
  }

  /** Where P·n·log2(1/f) bits of replicas are as many as log2 P for each query. */
  @Test
  void breakEvenIsWhereBothSendAsMuch() {
    double queries = DistributedMath.breakEvenQueries(8, 5_000, .001);
    double replicas = 8 * 5_000 * Math.log(1000) / Math.log(2);
    assertThat(queries * 3).isCloseTo(replicas, within(1e-6));
  }

  @Test
  void riceCodesOfGeometricGaps() {
    // Summed over all gaps g ≥ 1: b + 1 + ⌊g / 2^b⌋ with probability p·(1 - p)^(g - 1).
    for (double density : new double[] {.5, .1, .01, .002}) {
      for (int bits = 0; bits < 12; bits++) {
        double mean = 0;
        double squares = 0;
        double probability = density;
        for (int gap = 1; gap < 60 / density; gap++) {
          double length = bits + 1 + (gap >>> bits);
          mean += probability * length;
          squares += probability * length * length;
          probability *= 1 - density;
        }
        assertThat(DistributedMath.riceCodeBits(density, bits)).isCloseTo(mean, within(1e-9));
        assertThat(DistributedMath.riceCodeVariance(density, bits))
            .isCloseTo(squares - mean * mean, within(1e-6));
      }
    }
  }

  @Test
  void theBestWidthIsNoWorseThanItsNeighbours() {
    for (long values : new long[] {1, 10, 1000, 30_000, 65_536}) {
      double density = values / 65_536.0;
      int best = DistributedMath.riceBits(values, 65_536);
      double bits = DistributedMath.riceCodeBits(density, best);
      for (int other = 0; other < 20; other++) {
        assertThat(DistributedMath.riceCodeBits(density, other)).isGreaterThanOrEqualTo(bits);
      }
    }
    assertThat(DistributedMath.riceBits(0, 10)).isZero();
    assertThat(DistributedMath.riceBits(1, 1L << 62)).isEqualTo(56);
  }

  /** Within a tenth of a bit of log2(s·P/n) + 1.5. */
  @Test
  void volumeOfASingleShotFilter() {
    double bits = DistributedMath.singleShotBits(100_000, 6_400_000, 8);
    double each = bits / (100_000 * 7 / 8.0);
    assertThat(each).isCloseTo(Math.log(64 * 8) / Math.log(2) + 1.5, within(.1));
    assertThat(DistributedMath.singleShotBits(1000, 64_000, 1)).isZero();
  }

  @Test
  void falseDuplicates() {
    assertThat(DistributedMath.falseDuplicateRate(100_000, 6_400_000, 1 << 20))
        .isCloseTo(.0155, within(5e-5));
    assertThat(DistributedMath.falseDuplicateRate(100_000, 6_400_000, 8))
        .isCloseTo(.0136, within(5e-5));
    assertThat(DistributedMath.falseDuplicateRate(100_000, 6_400_000, 1)).isZero();
  }

  @Test
  void messagesOfReplication() {
    int[] sizes = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16};
    long[] expected = {0, 2, 4, 8, 10, 12, 14, 24, 32, 64};
    for (int i = 0; i < sizes.length; i++) {
      assertThat(DistributedMath.replicatingMessages(sizes[i])).isEqualTo(expected[i]);
    }
  }

  @Test
  void argumentsAreChecked() {
    assertThatThrownBy(() -> DistributedMath.breakEvenQueries(1, 10, .01))
        .hasMessage("processes = 1 is outside the allowed range 2 … 1048576");
    assertThatThrownBy(() -> DistributedMath.breakEvenQueries(2, 10, 1))
        .hasMessageContaining("falsePositiveRate = 1.0");
    assertThatThrownBy(() -> DistributedMath.riceBits(11, 10)).hasMessageContaining("values = 11");
    assertThatThrownBy(() -> DistributedMath.riceCodeBits(0, 1)).hasMessageContaining("density");
    assertThatThrownBy(() -> DistributedMath.falseDuplicateRate(-1, 10, 2))
        .hasMessageContaining("elements = -1");
  }
}
