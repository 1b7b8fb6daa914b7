package io.bloomery.internal.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PmfTest {

  private static final long NO_CAP = 1L << 40;

  @ParameterizedTest
  @CsvSource({"1,1", "7,3", "40,3", "300,64", "1000,7"})
  void binomialEqualsTheIntegerFormula(int trials, int inverse) {
    Pmf pmf = Pmf.binomial(trials, 1.0 / inverse, NO_CAP);
    BigInteger choose = BigInteger.ONE;
    BigInteger denominator = BigInteger.valueOf(inverse).pow(trials);
    for (int x = 0; x <= trials; x++) {
      BigInteger weight = choose.multiply(BigInteger.valueOf(inverse - 1L).pow(trials - x));
      double expected =
          new BigDecimal(weight)
              .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
              .doubleValue();
      int index = (int) (x - pmf.first());
      if (index >= 0 && index < pmf.size()) {
        assertThat(pmf.weight(index)).isCloseTo(expected, within(expected * 1e-12));
      } else {
        assertThat(expected).isLessThan(1e-40);
      }
      choose = choose.multiply(BigInteger.valueOf(trials - x)).divide(BigInteger.valueOf(x + 1L));
    }
    assertThat(pmf.above()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"10,1e-3", "1000000,1e-7", "1000000000,3e-8", "68719476736,5e-10", "700,0.9"})
  void binomialHasItsMassMeanAndVariance(long trials, double p) {
    Pmf pmf = Pmf.binomial(trials, p, NO_CAP);
    double mean = trials * p;
    assertThat(pmf.expect(x -> 1)).isCloseTo(1, within(1e-12));
    assertThat(pmf.expect(x -> x)).isCloseTo(mean, within(1e-11 * mean));
    double variance = mean * (1 - p);
    assertThat(pmf.expect(x -> (x - mean) * (x - mean)))
        .isCloseTo(variance, within(1e-9 * variance));
  }

  @Test
  void poissonHasItsMassMeanAndVariance() {
    for (double mean : new double[] {1e-6, 0.3, 5.4, 51.2, 2000}) {
      Pmf pmf = Pmf.poisson(mean, NO_CAP);
      assertThat(pmf.expect(x -> 1)).isCloseTo(1, within(1e-12));
      assertThat(pmf.expect(x -> x)).isCloseTo(mean, within(1e-11 * mean));
      assertThat(pmf.expect(x -> (x - mean) * (x - mean))).isCloseTo(mean, within(1e-9 * mean));
    }
  }

  @Test
  void binomialOfManyTrialsTendsToPoisson() {
    Pmf binomial = Pmf.binomial(1L << 50, 5.0 / (1L << 50), NO_CAP);
    Pmf poisson = Pmf.poisson(5, NO_CAP);
    assertThat(binomial.first()).isEqualTo(poisson.first());
    for (int i = 0; i < 40; i++) {
      assertThat(binomial.weight(i)).isCloseTo(poisson.weight(i), within(1e-12));
    }
  }

  @Test
  void massAboveTheCapIsKept() {
    Pmf full = Pmf.binomial(1000, 0.03, NO_CAP);
    Pmf capped = Pmf.binomial(1000, 0.03, 25);
    double above = 0;
    for (int i = 0; i < full.size(); i++) {
      above += full.first() + i > 25 ? full.weight(i) : 0;
    }
    assertThat(capped.above()).isCloseTo(above, within(1e-13));
    assertThat(capped.first() + capped.size() - 1).isEqualTo(25);
    assertThat(Pmf.binomial(1L << 50, 0.5, 3000).above()).isEqualTo(1);
    assertThat(Pmf.binomial(1L << 50, 0.5, 3000).size()).isZero();
  }

  @Test
  void certainOutcomesArePoints() {
    assertThat(Pmf.binomial(5, 1, 10).first()).isEqualTo(5);
    assertThat(Pmf.binomial(5, 1, 4).above()).isEqualTo(1);
    assertThat(Pmf.binomial(0, 0.5, 4).first()).isZero();
    assertThat(Pmf.poisson(0, 4).weight(0)).isEqualTo(1);
  }
}
