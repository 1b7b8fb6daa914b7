package io.bloomery.theory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Catalogue entry W2: published figures, and an exact chain beside the formulas. */
final class GeneralizedMathTest {

  /** Rates as published; that of false negatives is the mean over all n keys. */
  @ParameterizedTest
  @CsvSource({
    "256, 3, 3, 64, 1, 0.0140, 0.730",
    "512, 2, 4, 40, 0.5, 0.0195, 0.400",
    "256, 1, 4, 40, 1, 0.0207, 0.388",
  })
  void publishedFigures(int m, int k0, int k1, int n, double start, double rate, double lost) {
    assertThat(GeneralizedMath.publishedRate(m, k0, k1, n, start)).isCloseTo(rate, within(5e-5));
    double sum = 0;
    for (int age = 0; age < n; age++) {
      sum += GeneralizedMath.falseNegativeRate(m, k0, k1, age);
    }
    assertThat(sum / n).isCloseTo(lost, within(5e-4));
  }

  @Test
  void publishedBound() {
    assertThat(GeneralizedMath.publishedBound(256, 3, 3)).isCloseTo(0.0163, within(5e-5));
    assertThat(GeneralizedMath.bound(1L << 30, 3, 3)).isCloseTo(1 / 64.0, within(1e-8));
    assertThat(GeneralizedMath.publishedBound(1L << 30, 3, 3)).isCloseTo(1 / 64.0, within(1e-8));
  }

  /** No number of zeros gives a higher rate, and one gives this. */
  @ParameterizedTest
  @CsvSource({
    "256, 3, 3",
    "64, 1, 5",
    "40, 4, 1",
    "7, 2, 3",
    "500, 0, 4",
    "1000, 9, 20",
    "2, 1, 1"
  })
  void theBoundIsTheMaximum(int m, int k0, int k1) {
    double highest = 0;
    for (int zeros = 0; zeros <= m; zeros++) {
      highest = Math.max(highest, GeneralizedMath.rateAt(m, k0, k1, zeros));
    }
    assertThat(GeneralizedMath.bound(m, k0, k1)).isEqualTo(highest);
    assertThat(GeneralizedMath.publishedBound(m, k0, k1)).isLessThan(highest * (1 + 1e-12));
  }

  /**
   * Expected rates by an exact chain. Seen from the last key back, the first key to touch a bit
   * decides it: the chain has the bits of a key that no other key has touched yet.
   */
  @ParameterizedTest
  @CsvSource({
    "256, 3, 3, 64, 1",
    "256, 3, 3, 64, 0",
    "256, 1, 4, 40, 1",
    "256, 1, 4, 40, 0",
    "64, 3, 2, 100, 0",
    "32, 2, 2, 10, 1",
    "100, 0, 4, 15, 1",
    "512, 2, 4, 1, 0",
  })
  void formulasAndExactChain(int m, int k0, int k1, int n, double start) {
    Chain chain = new Chain(m, k0, k1);
    double rate = chain.expect(n, start, 1 - start);
    assertThat(GeneralizedMath.rate(m, k0, k1, n, start)).isCloseTo(rate, within(1e-4 * rate));
    double lost = 1 - chain.expect(n, 1, 1);
    double tolerance = m >= 256 ? 2e-3 : 6e-3;
    assertThat(GeneralizedMath.falseNegativeRate(m, k0, k1, n))
        .isCloseTo(lost, within(tolerance * lost + 1e-12));
  }

  /** Below 64 bits the rate is that of the chain itself, from zeros and from ones. */
  @ParameterizedTest
  @CsvSource({
    "2, 1, 1, 1",
    "2, 1, 1, 5",
    "3, 1, 2, 2",
    "5, 2, 2, 0",
    "7, 3, 4, 9",
    "32, 8, 8, 3",
    "63, 2, 3, 12"
  })
  void theRateOfTinyFiltersIsExact(int m, int k0, int k1, int n) {
    Chain chain = new Chain(m, k0, k1);
    for (double start : new double[] {0, 1}) {
      assertThat(GeneralizedMath.rate(m, k0, k1, n, start))
          .isCloseTo(chain.expect(n, start, 1 - start), within(1e-12));
    }
    double limit = GeneralizedMath.rate(m, k0, k1, 1L << 53, 1);
    assertThat(limit).isCloseTo(chain.expect(2_000, 1, 0), within(1e-9));
    // From a share of zeros that is no whole number of bits: between the two whole numbers.
    double between = GeneralizedMath.rate(m, k0, k1, n, 0.5 / m);
    double none = GeneralizedMath.rate(m, k0, k1, n, 0);
    assertThat(between)
        .isCloseTo((none + GeneralizedMath.rate(m, k0, k1, n, 1.0 / m)) / 2, within(1e-12));
  }

  /** The positions of a key that no later key has touched: resets by sets. */
  private static final class Chain {
    private final int m;
    private final int k0;
    private final int k1;

    Chain(int m, int k0, int k1) {
      this.m = m;
      this.k0 = k0;
      this.k1 = k1;
    }

    /**
     * The probability that all positions of a key are right after n others, if one that no key has
     * touched is right with the given probabilities.
     */
    double expect(int n, double untouchedReset, double untouchedSet) {
      double[][] right = new double[k0 + 1][k1 + 1];
      for (int a = 0; a <= k0; a++) {
        for (int b = 0; b <= k1; b++) {
          right[a][b] = Math.pow(untouchedReset, a) * Math.pow(untouchedSet, b);
        }
      }
      for (int i = 0; i < n; i++) {
        double[][] before = new double[k0 + 1][k1 + 1];
        for (int a = 0; a <= k0; a++) {
          for (int b = 0; b <= k1; b++) {
            before[a][b] = step(right, a, b);
          }
        }
        right = before;
      }
      double sum = 0;
      double[] resets = different(k0, 0);
      for (int a = 0; a <= k0; a++) {
        double[] sets = different(k1, a);
        for (int b = 0; b <= k1; b++) {
          sum += resets[a] * sets[b] * right[a][b];
        }
      }
      return sum;
    }

    private double step(double[][] right, int a, int b) {
      double sum = 0;
      for (int c = 0; c <= a; c++) {
        for (int d = 0; d <= b; d++) {
          double resets = choose(a, c) * hits(k0, c + b, a - c);
          double sets = choose(b, d) * hits(k1, c + d, b - d);
          sum += resets * sets * right[c][d];
        }
      }
      return sum;
    }

    /** The probability that throws leave out some bits and hit all of some others. */
    private double hits(int throwsAt, int leftOut, int hit) {
      double sum = 0;
      for (int i = 0; i <= hit; i++) {
        double sign = i % 2 == 0 ? 1 : -1;
        sum += sign * choose(hit, i) * Math.pow(1 - (leftOut + i) / (double) m, throwsAt);
      }
      return sum;
    }

    /** How many distinct bits throws hit, besides some that are not counted. */
    private double[] different(int throwsAt, int taken) {
      double[] p = new double[throwsAt + 1];
      p[0] = 1;
      for (int i = 0; i < throwsAt; i++) {
        for (int d = throwsAt; d >= 0; d--) {
          p[d] = p[d] * (taken + d) / m + (d > 0 ? p[d - 1] * (m - taken - d + 1) / m : 0);
        }
      }
      return p;
    }

    private static double choose(int n, int k) {
      double result = 1;
      for (int i = 0; i < k; i++) {
        result = result * (n - i) / (i + 1);
      }
      return result;
    }
  }

  /** Any start leads to the same share of zeros, and the latest key is never lost. */
  @Test
  void limits() {
    double reset = GeneralizedMath.resetProbability(1_000, 2);
    double set = GeneralizedMath.setProbability(1_000, 2, 3);
    for (double start : new double[] {0, 0.3, 1}) {
      assertThat(GeneralizedMath.zeroShare(1_000, 2, 3, 0, start)).isCloseTo(start, within(1e-15));
      assertThat(GeneralizedMath.zeroShare(1_000, 2, 3, 1L << 53, start))
          .isCloseTo(reset / (reset + set), within(1e-12));
      assertThat(GeneralizedMath.rate(1_000, 2, 3, 1L << 53, start))
          .isCloseTo(GeneralizedMath.rate(1_000, 2, 3, 100_000, 0), within(1e-12));
    }
    assertThat(GeneralizedMath.falseNegativeRate(1_000, 2, 3, 0)).isZero();
    assertThat(GeneralizedMath.falseNegativeRate(1_000, 0, 3, 1L << 53)).isZero();
    assertThat(GeneralizedMath.rate(1L << 40, 3, 4, 1L << 37, 0))
        .isCloseTo(GeneralizedMath.rate(1 << 22, 3, 4, 1 << 19, 0), within(1e-6));
    assertThat(GeneralizedMath.rate((1L << 22) + 1, 3, 4, 400_000, 1))
        .isCloseTo(GeneralizedMath.rate(1L << 22, 3, 4, 400_000, 1), within(1e-7));
  }

  /** With no resets and a start of zeros it is a Bloom filter. */
  @Test
  void withoutResetsItIsABloomFilter() {
    for (long keys : new long[] {1, 50, 300}) {
      double exact = BloomMath.exactRate(1_000, keys, 4);
      assertThat(GeneralizedMath.rate(1_000, 0, 4, keys, 1)).isCloseTo(exact, within(5e-4 * exact));
    }
    assertThat(GeneralizedMath.bound(1_000, 0, 4)).isEqualTo(1);
  }

  @Test
  void rangesAreNamed() {
    assertThatThrownBy(() -> GeneralizedMath.zeroShare(1, 2, 3, 1, 0))
        .hasMessageContaining("bits = 1");
    assertThatThrownBy(() -> GeneralizedMath.zeroShare(9, -1, 3, 1, 0))
        .hasMessageContaining("resetHashes = -1");
    assertThatThrownBy(() -> GeneralizedMath.zeroShare(9, 2, 0, 1, 0))
        .hasMessageContaining("setHashes = 0");
    assertThatThrownBy(() -> GeneralizedMath.zeroShare(9, 2, 3, -1, 0))
        .hasMessageContaining("keys = -1");
    assertThatThrownBy(() -> GeneralizedMath.zeroShare(9, 2, 3, 1, 1.5))
        .hasMessageContaining("startZeros = 1.5");
    assertThatThrownBy(() -> GeneralizedMath.rateAt(9, 2, 3, 10))
        .hasMessageContaining("zeros = 10");
    assertThatThrownBy(() -> GeneralizedMath.falseNegativeRate(9, 2, 3, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
