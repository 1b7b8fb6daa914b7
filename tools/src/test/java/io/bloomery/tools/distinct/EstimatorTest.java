package io.bloomery.tools.distinct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Rates;
import io.bloomery.testkit.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimates are off by as much as the theory says, in both directions. */
class EstimatorTest {

  /** The share of a normal distribution beyond 1, 2 and 3 standard deviations. */
  private static final double[] BEYOND = {0.158655, 0.0227501, 0.0013499};

  /** By how much the fitted quantiles miss these shares, relative to them: far ones by more. */
  private static final double[] MISFIT = {0.1, 0.2, 1.0 / 3};

  private static int coupon(SplittableRandom random) {
    long bits = random.nextLong();
    return Coupon.of((int) bits, Long.numberOfLeadingZeros(bits) + 1);
  }

  /** A sketch of {@code keys} different keys, or of two halves that were merged. */
  private static HllSketch sketch(int lgK, int keys, boolean online, SplittableRandom random) {
    HllSketch sketch = new HllSketch(lgK);
    HllSketch other = new HllSketch(lgK);
    for (int i = 0; i < keys; i++) {
      (online || i % 2 == 0 ? sketch : other).add(coupon(random));
    }
    sketch.merge(other);
    return sketch;
  }

  /**
   * The mean and the standard deviation. That of a sample of N has a standard error of {@code
   * sqrt((κ-1)/4N)}, with a kurtosis κ of 3.2 at 2^8 registers; and the kept estimate has not quite
   * reached the limit at 64 keys for each register, by 2 %.
   */
  @ParameterizedTest
  @CsvSource({"8, true, 0.8326", "8, false, 1.0390"})
  void theStandardErrorIsThatOfTheTheory(int lgK, boolean online, double factor) {
    int samples = 1_000;
    int keys = 64 << lgK;
    SplittableRandom random = Seeds.random(lgK);
    double[] errors = new double[samples];
    for (int i = 0; i < samples; i++) {
      HllSketch sketch = sketch(lgK, keys, online, random);
      assertThat(sketch.isOnline()).isEqualTo(online);
      errors[i] = sketch.estimate() / keys;
    }
    double deviation = factor / Math.sqrt(1 << lgK);
    assertThat(Estimator.standardError(lgK, online)).isCloseTo(deviation, within(1e-4 * deviation));
    Rates.assertMean(errors, 1, 5, 0);
    double measured = Rates.standardError(errors) * Math.sqrt(samples);
    double allowed = 5 * Math.sqrt(2.2 / 4 / samples) + 0.02;
    assertThat(measured / deviation).isCloseTo(1, within(allowed));
  }

  /**
   * Registers alone estimate well where they are empty, and where linear counting gives way to the
   * harmonic mean. The constant takes off 1.079/k everywhere, where at few keys it should be less.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.12, 0.3, 0.6, 1, 2, 3, 5, 9})
  void mergedSketchesHaveNoBiasAtAnyNumberOfKeys(double load) {
    int lgK = 9;
    int keys = (int) (load * (1 << lgK));
    SplittableRandom random = Seeds.random(Math.round(100 * load));
    double[] errors = new double[800];
    for (int i = 0; i < errors.length; i++) {
      HllSketch sketch = sketch(lgK, keys, false, random);
      assertThat(sketch.mode()).isEqualTo(HllSketch.Mode.HLL);
      errors[i] = sketch.estimate() / keys;
    }
    Rates.assertMean(errors, 1, 5, 1.079 / (1 << lgK));
    double measured = Rates.standardError(errors) * Math.sqrt(errors.length);
    // Below that of many keys; a measured one deviates by 1/√2N.
    double allowed = 1 + 5 / Math.sqrt(2 * errors.length);
    assertThat(measured).isLessThan(allowed * Estimator.standardError(lgK, false));
  }

  /**
   * Bounds leave out the shares that they are named after. With few registers the quantiles are a
   * fitted formula: the shares are right within a tenth, a fifth and a third. The sample decides to
   * 5 of its own standard deviations.
   */
  @ParameterizedTest
  @CsvSource({"4, true, 30000", "4, false, 30000", "6, true, 8000", "6, false, 8000"})
  void boundsLeaveOutWhatTheySay(int lgK, boolean online, int samples) {
    assertShares(lgK, online, samples);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "4, true, 400000",
    "4, false, 400000",
    "6, true, 100000",
    "6, false, 100000",
    "8, true, 30000",
    "8, false, 30000",
    "12, true, 2000",
    "12, false, 2000"
  })
  void boundsLeaveOutWhatTheySayInLargeSamples(int lgK, boolean online, int samples) {
    assertShares(lgK, online, samples);
  }

  private static void assertShares(int lgK, boolean online, int samples) {
    int keys = 40 << lgK;
    int[] below = new int[3];
    int[] above = new int[3];
    SplittableRandom random = Seeds.random(lgK);
    for (int i = 0; i < samples; i++) {
      HllSketch sketch = sketch(lgK, keys, online, random);
      for (int sigmas = 1; sigmas <= 3; sigmas++) {
        below[sigmas - 1] += sketch.upperBound(sigmas) < keys ? 1 : 0;
        above[sigmas - 1] += sketch.lowerBound(sigmas) > keys ? 1 : 0;
      }
    }
    for (int i = 0; i < 3; i++) {
      double expected = samples * BEYOND[i];
      double allowed = MISFIT[i] * expected + 5 * Math.sqrt(expected);
      String what =
          "%d sigmas of %s, %s".formatted(i + 1, Arrays.toString(below), Arrays.toString(above));
      assertThat((double) below[i]).as(what).isCloseTo(expected, within(allowed));
      assertThat((double) above[i]).as(what).isCloseTo(expected, within(allowed));
    }
  }

  /** Coupons that keys have in common, by adding up over all values. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7, 1_000, 30_000, 196_608})
  void couponsAreInvertedExactly(int coupons) {
    double keys = Estimator.ofCoupons(coupons);
    double expected = 0;
    for (int value = 1; value <= 62; value++) {
      expected -= 0x1p26 * Math.expm1(keys * Math.log1p(-Math.scalb(0x1p-26, -value)));
    }
    assertThat(expected).isCloseTo(coupons, within(1e-9 * coupons));
    assertThat(keys).isGreaterThanOrEqualTo(coupons);
  }

  @Test
  void registersOfNoKeyAndOfEveryKeyAreEstimated() {
    assertThat(Estimator.ofRegisters(new byte[16])).isZero();
    byte[] full = new byte[16];
    Arrays.fill(full, (byte) 63);
    assertThat(Estimator.ofRegisters(full)).isPositive();
  }
}
