package io.bloomery.frequency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.Writers;
import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.frequency.SpectralShape.Method;
import io.bloomery.hash.Hasher;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Sizes of catalogue F1, F2 and F3, and what is refused. */
final class SpectralShapeTest {

  @Test
  void theShareOfErrorsIsThePublishedOne() {
    double[][] published = {{1, .1009}, {.83, .0570}, {.7, .0323}, {.625, .0217}, {.5, .0094}};
    for (double[] row : published) {
      long keys = 10_000_000;
      SpectralShape shape =
          new SpectralShape(5, Math.round(keys / row[0]), 32, Method.MINIMUM_SELECTION);
      assertThat(shape.errorRate(keys)).isCloseTo(row[1], within(5e-5));
      assertThat(shape.errorRate(keys)).isCloseTo(Math.pow(1 - Math.exp(-row[0]), 5), within(1e-7));
    }
  }

  @Test
  void shapes() {
    for (Method method : Method.values()) {
      for (long keys : new long[] {1, 2, 10, 100_000}) {
        for (double rate : new double[] {0.7, 0.01, 1e-9}) {
          SpectralShape shape = SpectralShape.forKeys(keys, rate, 32, method);
          assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
          if (shape.width() > 1) {
            assertThat(
                    new SpectralShape(shape.rows(), shape.width() - 1, 32, method)
                        .falsePositiveRate(keys))
                .isGreaterThan(rate);
          }
        }
      }
      for (long bits : new long[] {512, 777, 10_000, 1_000_000}) {
        SpectralShape shape = SpectralShape.forBudget(1_000, bits, 16, method);
        assertThat(shape.sizeInBits()).isLessThanOrEqualTo(bits);
        assertThat(shape.sizeInBits()).isGreaterThan(bits * 999 / 1_000 - 100);
      }
    }
    SpectralShape recurring = new SpectralShape(5, 1_001, 32, Method.RECURRING_MINIMUM);
    assertThat(recurring.secondaryWidth()).isEqualTo(501);
    assertThat(recurring.markerBits()).isEqualTo(20_020);
    assertThat(recurring.sizeInBits()).isEqualTo(5 * 1_502 * 32 + 20_020);
    assertThat(SpectralFilter.create(1_000, 0.01).shape())
        .isEqualTo(SpectralShape.forKeys(1_000, 0.01, 32, Method.MINIMAL_INCREASE));
  }

  /** The planner leaves such a kind out; any other exception would end it. */
  @Test
  void whatTheSecondTableMakesTooLargeIsAnImpossibleSize() {
    assertThat(SpectralShape.forKeys(90_000_000, 1e-6, 32, Method.RECURRING_MINIMUM).rows())
        .isEqualTo(20);
    assertThatThrownBy(() -> SpectralShape.forKeys(100_000_000, 1e-6, 32, Method.RECURRING_MINIMUM))
        .isInstanceOf(ImpossibleSizeException.class);
  }

  /** Files hold these numbers; a method that is inserted between others must not change them. */
  @Test
  void methodsHaveWrittenNumbers() {
    assertThat(Method.values()).hasSize(3);
    assertThat(Method.MINIMUM_SELECTION.wireId()).isEqualTo(1);
    assertThat(Method.MINIMAL_INCREASE.wireId()).isEqualTo(2);
    assertThat(Method.RECURRING_MINIMUM.wireId()).isEqualTo(3);
  }

  @Test
  void argumentsOutsideTheirRangesAreRefused() {
    refused("rows = 1", () -> new SpectralShape(1, 10, 32, Method.RECURRING_MINIMUM));
    refused("rows = 0", () -> new SpectralShape(0, 10, 32, Method.MINIMUM_SELECTION));
    refused("width = 0", () -> new SpectralShape(2, 0, 32, Method.MINIMUM_SELECTION));
    refused("expectedKeys = -1", () -> SpectralFilter.create(-1, 0.01));
    refused("expectedKeys = 0", () -> SpectralShape.forBudget(0, 1_000, Method.MINIMAL_INCREASE));
    refused("bits = 511", () -> SpectralShape.forBudget(9, 511, Method.RECURRING_MINIMUM));
    refused(
        "counterBits = 4 is not one of 8, 16, 32, 64",
        () -> new SpectralShape(2, 9, 4, Method.MINIMAL_INCREASE));
    for (Method method : List.of(Method.MINIMAL_INCREASE, Method.RECURRING_MINIMUM)) {
      refused(
          "writers = MANY needs MINIMUM_SELECTION; method = " + method,
          () ->
              SpectralFilter.create(
                  new SpectralShape(2, 9, 32, method), Hasher.xxh3(), Writers.MANY));
    }
    refused("limit", () -> new SpectralShape(2, 3L << 28, 64, Method.RECURRING_MINIMUM));
    assertThatThrownBy(() -> new SpectralShape(2, 9, 32, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("method");
  }

  private static void refused(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(words);
  }
}
