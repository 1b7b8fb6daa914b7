package io.bloomery.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;

/** Assertions about numbers that were printed: half a unit of their last digit is open. */
public final class Printed {

  private Printed() {}

  /**
   * The value must round to what was printed.
   *
   * @param printed a decimal number such as {@code .0484} or {@code 6.01e-5}, with all the digits
   *     that count: {@code 1.50} has three
   */
  public static void assertPrinted(double actual, String printed) {
    BigDecimal number = new BigDecimal(printed.strip());
    // A value half way between two numbers is rounded either way.
    double half = number.ulp().doubleValue() * (0.5 + 1e-9);
    assertThat(Math.abs(actual - number.doubleValue()))
        .as("%s was printed, this is %s", printed, actual)
        .isLessThanOrEqualTo(half);
  }

  /**
   * One more sample, which was printed, must be one of these: within as many of their deviations of
   * their mean as are as improbable as {@code sigmas} known ones, and half a unit.
   */
  public static void assertPrintedSample(double[] samples, String printed, double sigmas) {
    BigDecimal number = new BigDecimal(printed.strip());
    double deviation = Rates.standardError(samples) * Math.sqrt(samples.length + 1.0);
    double allowed =
        Rates.student(sigmas, samples.length) * deviation + number.ulp().doubleValue() / 2;
    assertThat(Math.abs(Rates.mean(samples) - number.doubleValue()))
        .as("%s was printed, the mean is %s", printed, Rates.mean(samples))
        .isLessThanOrEqualTo(allowed);
  }
}
