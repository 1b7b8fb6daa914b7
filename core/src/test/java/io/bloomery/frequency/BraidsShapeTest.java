package io.bloomery.frequency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes of catalogue F10. */
final class BraidsShapeTest {

  @ParameterizedTest
  @CsvSource({"1,0.01", "2,0.001", "10,1e-9", "1000,0.01", "1000,0.9", "1000000,0.001"})
  void shapesAreTheSmallest(long keys, double rate) {
    BraidsShape shape = BraidsShape.forKeys(keys, rate);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    assertThat(shape.counters()).isGreaterThanOrEqualTo(BraidsShape.forKeys(keys).counters());
    if (shape.counters() > BraidsShape.forKeys(keys).counters()) {
      long smaller = shape.counters() - 3;
      assertThat(new BraidsShape(smaller, 8, 3, 96, 32).falsePositiveRate(keys))
          .isGreaterThan(rate);
    }
    assertThat(CounterBraids.create(3, 0.1).shape()).isEqualTo(BraidsShape.forKeys(3, 0.1));
  }

  /** What the wide counters leave is for narrow ones, from the size that decoding needs on. */
  @ParameterizedTest
  @CsvSource({"1,4000", "1000,19100", "1000,100000", "1000000,50000000"})
  void aBudgetIsUsed(long keys, long bits) {
    BraidsShape shape = BraidsShape.forBudget(keys, bits);
    assertThat(shape.sizeInBits()).isBetween(bits - 3 * 9 + 1, bits);
    assertThat(shape.wideCounters()).isEqualTo(BraidsShape.forKeys(keys).wideCounters());
    double rate = shape.falsePositiveRate(keys);
    assertThat(BraidsShape.forKeys(keys, 1.0000001 * rate)).isEqualTo(shape);
    BraidsShape least = BraidsShape.forKeys(keys);
    assertThat(BraidsShape.forBudget(keys, least.sizeInBits())).isEqualTo(least);
  }

  @Test
  void badArgumentsAreNamed() {
    assertRefused("expectedKeys = -1 ", () -> CounterBraids.create(-1, 0.1));
    assertRefused("expectedKeys = 0 ", () -> BraidsShape.forKeys(0));
    assertRefused("expectedKeys = 0 ", () -> BraidsShape.forBudget(0, 100_000));
    assertRefused("bits = 18000 ", () -> BraidsShape.forBudget(1_000, 18_000));
    assertRefused(
        "counters = 61 is not a multiple of hashesPerKey = 3",
        () -> new BraidsShape(61, 8, 3, 6, 32));
    assertRefused("wideCounters = 7 is not", () -> new BraidsShape(60, 8, 3, 7, 32));
    assertRefused("hashesPerKey = 1 ", () -> new BraidsShape(60, 8, 1, 6, 32));
    assertRefused("counterBits = 32 ", () -> new BraidsShape(60, 32, 3, 6, 8));
    assertRefused("wideBits = 55 ", () -> new BraidsShape(60, 8, 3, 6, 55));
  }

  private static void assertRefused(String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
