package io.bloomery.deletable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuotientShapeTest {

  @ParameterizedTest
  @CsvSource({
    "1, 0.5",
    "1, 1e-9",
    "2, 0.01",
    "10, 0.01",
    "10, 1e-9",
    "1000, 0.03",
    "100000, 0.002",
    "1000000, 1e-9",
    "5000000, 0.3",
    "1000000, 0.00146"
  })
  void shapesAreTheSmallestThatMeetTheirRate(long keys, double rate) {
    QuotientShape shape = QuotientShape.forKeys(keys, rate);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    assertThat(keys).isLessThanOrEqualTo((long) (0.75 * shape.slots()));
    for (int bits = 1; bits <= 40; bits++) {
      long fewer = ((shape.sizeInBits() - 1) / (bits + 3)) & -64;
      if (fewer >= 64) {
        QuotientShape smaller = QuotientShape.of(fewer, bits);
        assertThat(keys > 0.75 * fewer || smaller.falsePositiveRate(keys) > rate).isTrue();
      }
    }
    QuotientShape budget = QuotientShape.forBudget(keys, shape.sizeInBits());
    assertThat(budget.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
  }

  @Test
  void doublingKeepsTheFingerprints() {
    QuotientShape shape = QuotientShape.of(192, 3);
    assertThat(shape.doubled()).isEqualTo(QuotientShape.of(384, 2));
    assertThat(shape.doubled().fingerprints()).isEqualTo(shape.fingerprints());
    assertThat(shape.doubled().falsePositiveRate(99)).isEqualTo(shape.falsePositiveRate(99));
    assertThat(shape.withGrowth().doubled()).isEqualTo(QuotientShape.of(384, 2).withGrowth());
    QuotientShape last = shape.doubled().doubled();
    assertThat(last.canDouble()).isFalse();
    assertThatThrownBy(last::doubled).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> QuotientShape.of(65, 9)).hasMessageContaining("slots = 65");
    assertThatThrownBy(() -> QuotientShape.of(0, 9)).hasMessageContaining("slots = 0");
    assertThatThrownBy(() -> QuotientShape.of(64, 0)).hasMessageContaining("remainderBits = 0");
    assertThatThrownBy(() -> QuotientShape.of(64, 41)).hasMessageContaining("remainderBits = 41");
    assertThatThrownBy(() -> QuotientShape.of(1L << 32, 40)).hasMessageContaining("slots = ");
    assertThatThrownBy(() -> QuotientShape.forKeys(10, 0.1, 0.91))
        .hasMessageContaining("loadFactor = 0.91");
    assertThatThrownBy(() -> QuotientShape.forBudget(1_000, 5_000))
        .hasMessageContaining("bits = 5000 has no room for expectedKeys = 1000");
  }

  @Test
  void thePlannerOffersItForDeletes() {
    Needs needs = Needs.forKeys(1_000_000, 0.002).with(Need.DELETES);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(p -> p.name().equals("quotient"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.bitsPerKey()).isCloseTo(16.0005, within(5e-5));
    assertThat(plan.predictedRate()).isCloseTo(0.001464, within(5e-7));
    assertThat(plan.kind().type().getName()).isEqualTo("io.bloomery.deletable.QuotientFilter");
  }
}
