package io.bloomery.internal.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Every range error names the argument, its value and what is allowed, in the same words. */
class ArgumentsTest {

  @Test
  void whatIsAllowedIsReturned() {
    assertThat(Arguments.inRange("bits", 5L, 5, 5)).isEqualTo(5);
    assertThat(Arguments.inRange("bits", 5, 1, 5)).isEqualTo(5);
    assertThat(Arguments.inRange("share", 0.5, 0, 0.5)).isEqualTo(0.5);
    assertThat(Arguments.rate("rate", 0.5)).isEqualTo(0.5);
    assertThat(Arguments.positive("x", 1e-9)).isEqualTo(1e-9);
    assertThat(Arguments.above("x", 1.5, 1)).isEqualTo(1.5);
    assertThat(Arguments.oneOf("bits", 8, 4, 8)).isEqualTo(8);
    assertThat(Arguments.multipleOf("bits", 12, "probes", 3)).isEqualTo(12);
    assertThat(Arguments.multipleOf("bits", 128, 64)).isEqualTo(128);
    assertThat(Arguments.powerOfTwo("words", 8, 2, 8)).isEqualTo(8);
    Duration second = Duration.ofSeconds(1);
    assertThat(Arguments.inRange("window", second, second, second)).isEqualTo(second);
  }

  @Test
  void ranges() {
    refused(
        "bits = 6 is outside the allowed range 1 … 5", () -> Arguments.inRange("bits", 6, 1, 5));
    refused(
        "bits = 0 is outside the allowed range 1 … 5", () -> Arguments.inRange("bits", 0L, 1, 5));
    refused(
        "share = NaN is outside the allowed range [0.0, 1.0]",
        () -> Arguments.inRange("share", Double.NaN, 0, 1));
    for (double value : new double[] {0, 1, -1, Double.NaN}) {
      refused(
          "rate = " + value + " is outside the allowed range (0, 1)",
          () -> Arguments.rate("rate", value));
    }
    for (double value : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      refused(
          "x = " + value + " is outside the allowed range (0, ∞)",
          () -> Arguments.positive("x", value));
    }
    refused("x = 1.0 is outside the allowed range (1, ∞)", () -> Arguments.above("x", 1, 1));
    refused(
        "window = PT0S is outside the allowed range PT1S … PT1M",
        () ->
            Arguments.inRange(
                "window", Duration.ZERO, Duration.ofSeconds(1), Duration.ofMinutes(1)));
  }

  @Test
  void valuesAndMultiples() {
    refused(
        "counterBits = 12 is not one of 8, 16, 32, 64",
        () -> Arguments.oneOf("counterBits", 12, 8, 16, 32, 64));
    refused(
        "bits = 13 is not a multiple of probes = 3",
        () -> Arguments.multipleOf("bits", 13, "probes", 3));
    refused("bits = 65 is not a multiple of 64", () -> Arguments.multipleOf("bits", 65, 64));
    refused("words = 6 is not a power of two", () -> Arguments.powerOfTwo("words", 6, 2, 8));
    refused(
        "words = 16 is outside the allowed range 2 … 8",
        () -> Arguments.powerOfTwo("words", 16, 2, 8));
  }

  private static void refused(String message, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }
}
