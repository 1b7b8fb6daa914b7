package io.bloomery.theory;

import static io.bloomery.testkit.Printed.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measured here, of A.2 (optimal k, bits for a rate, keys for a rate, rate for a budget; both
 * tables of the slides): all 11 rows of the slides' table of (1 - 1/x)^-x, and the 29 entries of
 * their table of rates.
 */
class BloomMathTest {

  /** The verified table of the catalogue, A.1; the row (18,3,3) is the article's figure. */
  @ParameterizedTest
  @CsvSource({
    "10,2,3, 0.112098,0.102871,0.091849,0.180747,0.132651",
    "18,3,3, 0.068608,0.065041,0.060916,0.097837,0.074776",
    "32,4,4, 0.026768,0.025165,0.023969,0.037639,0.029325",
    "64,10,4, 0.049142,0.047715,0.046648,0.056057,0.051138",
    "128,16,5, 0.022539,0.021987,0.021679,0.024888,0.023280",
    "256,40,4, 0.047265,0.046912,0.046648,0.048888,0.047715",
    "1024,100,7, 0.007366,0.007320,0.007302,0.007518,0.007425",
  })
  void tableOfSectionA1ToSixDigits(
      long m, long n, int k, double exact, double classic, double e, double gg, double part) {
    assertThat(BloomMath.exactRate(m, n, k)).isCloseTo(exact, within(0.51e-6));
    assertThat(BloomMath.exactRateByRecurrence(m, n, k)).isCloseTo(exact, within(0.51e-6));
    assertThat(BloomMath.classicRate(m, n, k)).isCloseTo(classic, within(0.51e-6));
    assertThat(BloomMath.exponentialRate(m, n, k)).isCloseTo(e, within(0.51e-6));
    assertThat(BloomMath.goelGuptaBound(m, n, k)).isCloseTo(gg, within(0.51e-6));
    assertThat(BloomMath.partitionedRate(m, n, k)).isCloseTo(part, within(0.51e-6));
    if (n * k <= BloomMath.MAX_STIRLING_THROWS) {
      assertThat(BloomMath.exactRateByStirling(m, n, k)).isCloseTo(exact, within(0.51e-6));
    }
  }

  @ParameterizedTest
  @CsvSource({"10,2,3", "1,1,1", "7,3,9", "64,10,4", "128,16,5", "1000,20,20", "512,4,100"})
  void stirlingRecurrenceAndMixtureAgreeTo13Digits(long m, long n, int k) {
    double stirling = BloomMath.exactRateByStirling(m, n, k);
    assertThat(BloomMath.exactRateByRecurrence(m, n, k))
        .isCloseTo(stirling, within(1e-13 * stirling));
    assertThat(BloomMath.exactRate(m, n, k)).isCloseTo(stirling, within(1e-13 * stirling));
  }

  @ParameterizedTest
  @CsvSource({"4096,400,7", "9600,1000,7", "14400,333,30", "3000,3000,4", "16384,200,60"})
  void mixtureEqualsTheRecurrenceForLargerFilters(long m, long n, int k) {
    double recurrence = BloomMath.exactRateByRecurrence(m, n, k);
    assertThat(BloomMath.exactRate(m, n, k)).isCloseTo(recurrence, within(1e-11 * recurrence));
  }

  @ParameterizedTest
  @CsvSource({"1000000,7", "1000000000,7", "10000000000,20"})
  void exactRateOfLargeFiltersIsTheMomentExpansion(long n, int k) {
    // E[Y^k] = μ^k·(1 + C(k,2)·σ²/μ² + O(k⁴/m²)), σ² the exact variance of the occupancy.
    long m = 10 * n;
    double balls = (double) n * k;
    double mean = -Math.expm1(balls * Math.log1p(-1.0 / m));
    double q1 = 1 - mean;
    double q2 = Math.exp(balls * Math.log1p(-2.0 / m));
    double covariance = q1 * q1 * Math.expm1(balls * Math.log1p(-1 / ((m - 1.0) * (m - 1.0))));
    double variance = (q1 - q2) / m + covariance;
    double expected = Math.pow(mean, k) * (1 + k * (k - 1) / 2.0 * variance / (mean * mean));
    double exact = BloomMath.exactRate(m, n, k);
    assertThat(exact).isCloseTo(expected, within(expected * 2e-11));
    double classic = BloomMath.classicRate(m, n, k);
    if (n == 1_000_000) {
      // The difference that the expansion explains.
      assertPrinted(exact / classic - 1, "6.41e-7");
    }
  }

  @Test
  void orderingOfTheFormulas() {
    for (int m = 2; m < 400; m += 13) {
      for (int n = 1; n < 100; n += 9) {
        for (int k = 1; k <= Math.min(m, 13); k += 3) {
          double exact = BloomMath.exactRate(m, n, k);
          double classic = BloomMath.classicRate(m, n, k);
          double slack = 1 - 1e-12;
          assertThat(exact).isGreaterThanOrEqualTo(classic * slack);
          assertThat(classic).isGreaterThanOrEqualTo(BloomMath.exponentialRate(m, n, k) * slack);
          assertThat(BloomMath.goelGuptaBound(m, n, k)).isGreaterThanOrEqualTo(exact * slack);
          assertThat(BloomMath.partitionedRate(m, n, k)).isGreaterThanOrEqualTo(exact * slack);
        }
      }
    }
  }

  @Test
  void partitionedZeroShareIsSmaller_equation12IsRightAsPrinted() {
    // Erratum list E9: m = 32, k = 4, n = 4: .602 > .586.
    assertThat(BloomMath.zeroBitProbability(32, 4, 4)).isCloseTo(0.602, within(5e-4));
    double partitioned = 1 - Math.pow(BloomMath.partitionedRate(32, 4, 4), 0.25);
    assertThat(partitioned).isCloseTo(0.586, within(5e-4));
  }

  @Test
  void partitionedAcceptanceValuesOfM2() {
    assertThat(BloomMath.partitionedRate(64, 10, 4)).isCloseTo(0.051138, within(0.51e-6));
    assertThat(BloomMath.partitionedRate(1022, 100, 7)).isCloseTo(0.007497, within(0.51e-6));
  }

  @Test
  void standardDeviationOfTheFill_ruleR2() {
    // m = 4096, λ = ln 2.
    assertPrinted(4096 * BloomMath.fillStandardDeviation(4096, 2839, 1), "17.73");
  }

  @Test
  void concentrationBoundHoldsForTheExactOccupancy() {
    assertThat(BloomMath.zeroShareTailBound(0, 100, 7)).isEqualTo(1);
    assertThat(BloomMath.zeroShareTailBound(50, 100, 7))
        .isCloseTo(2 * Math.exp(-2 * 2500.0 / 700), within(1e-15));
    // Chebyshev with the true deviation is far below Hoeffding at one standard deviation.
    double sd = 1024 * BloomMath.fillStandardDeviation(1024, 100, 7);
    assertThat(BloomMath.zeroShareTailBound(2 * sd, 100, 7)).isGreaterThan(0.25);
  }

  /** The course slides' table of rates by m/n = 2 … 8 and k = 1 … 5; a dash was not printed. */
  @ParameterizedTest
  @CsvSource({
    "2, 1.386, .393 .400",
    "3, 2.079, .283 .237 .253",
    "4, 2.773, .221 .155 .147 .160",
    "5, 3.466, .181 .109 .092 .092 .101",
    "6, 4.159, .154 .0804 .0609 .0561 .0578",
    "7, 4.852, .133 .0618 .0423 .0359 .0347",
    "8, 5.545, .118 .0489 .0306 .0240 .0217",
  })
  void slidesTable(int bitsPerKey, double optimum, String rates) {
    assertThat(BloomMath.optimalProbes((double) bitsPerKey)).isCloseTo(optimum, within(5.1e-4));
    String[] cells = rates.split(" ", -1);
    for (int k = 1; k <= cells.length; k++) {
      double printed = Double.parseDouble(cells[k - 1]);
      double unit = Math.pow(10, 1 - cells[k - 1].length());
      assertThat(BloomMath.exponentialRate(bitsPerKey * 1_000_000L, 1_000_000, k))
          .as("m/n = %d, k = %d", bitsPerKey, k)
          .isCloseTo(printed, within(0.51 * unit));
    }
  }

  /** The course slides' "useful approximation" table. */
  @ParameterizedTest
  @CsvSource({
    "4,3.160494",
    "16,2.808404",
    "64,2.739827",
    "256,2.723610",
    "1024,2.719610",
    "4096,2.718614",
    "16384,2.718365",
    "65536,2.718303",
    "262144,2.718287",
    "1048576,2.718283",
    "4194304,2.718282",
  })
  void slidesInversePowerTable(double x, double value) {
    assertThat(BloomMath.inversePower(x)).isCloseTo(value, within(0.51e-6));
  }

  @Test
  void bitsPerKeyOfThePapers() {
    assertThat(BloomMath.bitsPerKey(0.01)).isCloseTo(9.585, within(5e-4));
    assertThat(BloomMath.bitsPerKey(0.001) - BloomMath.bitsPerKey(0.01))
        .isCloseTo(4.79, within(5e-3));
    // Erratum E7: the survey's eq. 8 prints m/n ≥ 1/ln 2 = 1.443, which gives a rate of 1/2.
    assertThat(BloomMath.bitsPerKey(0.5)).isCloseTo(1.443, within(5e-4));
    // Erratum E8: a fingerprint for 1 % has ⌈log2(1/ε)⌉ = 7 bits, not 1/ε = 100.
    assertThat(Math.ceil(BloomMath.informationBound(0.01))).isEqualTo(7);
    assertThat(BloomMath.bitsPerKey(1e-3) / BloomMath.informationBound(1e-3))
        .isCloseTo(1.4427, within(5e-5));
    assertThat(BloomMath.bitsForRate(1000, 0.01)).isEqualTo(9586);
    // 0.6185^(m/n) at the optimum; the survey's 9m/13n is within 0.2 % of ln 2.
    assertThat(Math.pow(0.6185, BloomMath.bitsPerKey(0.01))).isCloseTo(0.01, within(1e-5));
    assertThat(9.0 / 13).isCloseTo(BloomMath.optimalProbes(1.0), within(1e-3));
  }

  @Test
  void wholeNumberOfProbesIsTheBestOne() {
    for (long m = 8; m < 4000; m += 61) {
      for (long n : new long[] {1, 7, 50, 333, 2000}) {
        int k = BloomMath.optimalProbes(m, n);
        double rate = BloomMath.classicRate(m, n, k);
        for (int other = 1; other <= 60; other++) {
          assertThat(BloomMath.classicRate(m, n, other)).isGreaterThanOrEqualTo(rate);
        }
        assertThat(BloomMath.rateForBudget(m, n)).isEqualTo(rate);
      }
    }
    assertThat(BloomMath.optimalProbes(10, 1000)).isEqualTo(1);
    assertThat(BloomMath.optimalProbes(8_000, 1_000)).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.1, 0.01, 1e-3, 1e-6})
  void inverseProblemsInvert(double rate) {
    for (long n : new long[] {1, 2, 10, 1000, 1_000_000}) {
      for (int k = 1; k < 25; k += 4) {
        double bits = BloomMath.bitsForRate(n, rate, k);
        if (bits > 2) {
          assertThat(BloomMath.classicRate((long) Math.ceil(bits), n, k))
              .isLessThanOrEqualTo(rate * (1 + 1e-9));
          assertThat(BloomMath.classicRate((long) Math.floor(bits), n, k))
              .isGreaterThanOrEqualTo(rate * (1 - 1e-9));
        }
      }
      long safe = BloomMath.guaranteedBitsForRate(n, rate);
      assertThat(bestGoelGupta(safe, n)).isLessThanOrEqualTo(rate);
      if (safe > 2) {
        assertThat(bestGoelGupta(safe - 1, n)).isGreaterThan(rate);
      }
    }
  }

  private static double bestGoelGupta(long bits, long keys) {
    double best = 1;
    for (int k = 1; k <= 60; k++) {
      best = Math.min(best, BloomMath.goelGuptaBound(bits, keys, k));
    }
    return best;
  }

  @Test
  void keysForRateIsTheLastThatMeetsIt() {
    for (int k = 1; k < 20; k++) {
      long n = BloomMath.keysForRate(100_000, k, 0.01);
      assertThat(BloomMath.exponentialRate(100_000, n, k)).isLessThanOrEqualTo(0.01);
      assertThat(BloomMath.exponentialRate(100_000, n + 1, k)).isGreaterThan(0.01);
    }
  }

  @Test
  void extremesAreFiniteAndRight() {
    assertThat(BloomMath.exactRate(1, 1, 1)).isEqualTo(1);
    assertThat(BloomMath.exactRate(64, 0, 3)).isZero();
    assertThat(BloomMath.classicRate(64, 0, 3)).isZero();
    assertThat(BloomMath.partitionedRate(7, 0, 7)).isZero();
    assertThat(BloomMath.partitionedRate(7, 1, 7)).isEqualTo(1);
    assertThat(BloomMath.exactRate(64, 1L << 53, 255)).isCloseTo(1, within(1e-12));
    assertThat(BloomMath.exactRate(1L << 53, 1, 1)).isCloseTo(0x1p-53, within(1e-29));
    double classic = BloomMath.classicRate(1L << 40, 1L << 36, 7);
    assertThat(BloomMath.exactRate(1L << 40, 1L << 36, 7))
        .isCloseTo(classic, within(1e-11 * classic));
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> BloomMath.exactRate(0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("bits = 0 ");
    assertThatThrownBy(() -> BloomMath.exactRate(1, -1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("keys = -1 ");
    assertThatThrownBy(() -> BloomMath.classicRate(1, 1, 256))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("hashesPerKey = 256 ");
    assertThatThrownBy(() -> BloomMath.exactRateByStirling(64, 101, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("keys = 101 is outside the allowed range 1 … 100");
    assertThatThrownBy(() -> BloomMath.exactRateByRecurrence(1L << 30, 1L << 30, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("keys = ");
    assertThatThrownBy(() -> BloomMath.inversePower(1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x = 1.0 ");
  }
}
