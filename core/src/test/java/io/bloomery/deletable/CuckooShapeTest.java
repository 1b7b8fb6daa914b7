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

final class CuckooShapeTest {

  /** Published bounds: 1 - (1 - 2^-f)^8 for full buckets. */
  @ParameterizedTest
  @CsvSource({"8, 0.0308", "12, 0.00195", "16, 0.000122"})
  void theRateIsBelowThePublishedBound(int bits, double published) {
    double bound = -Math.expm1(8 * Math.log1p(-Math.scalb(1.0, -bits)));
    assertThat(bound).isCloseTo(published, within(bits == 8 ? 5e-5 : bits == 12 ? 5e-6 : 5e-7));
    CuckooShape shape = CuckooShape.of(1 << 14, bits);
    // Of 8 slots the load's share is taken, each by one of 2^bits - 1 fingerprints. Keys are
    // Poisson
    // here and their number is fixed there: e^(-nx) against (1 - x)^n, which differ by nx^2 / 2.
    double keys = shape.capacity();
    double share = 8.0 / shape.slots() / ((1L << bits) - 1);
    assertThat(shape.falsePositiveRate(shape.capacity()))
        .isLessThan(bound)
        .isCloseTo(-Math.expm1(-keys * share), within(.51 * keys * share * share));
  }

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
    "5000000, 0.3"
  })
  void shapesAreTheSmallestThatMeetTheirRate(long keys, double rate) {
    CuckooShape shape = CuckooShape.forKeys(keys, rate);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    assertThat(shape.capacity()).isGreaterThanOrEqualTo(keys);
    for (int bits = 4; bits <= 32; bits++) {
      long fewer = ((shape.sizeInBits() - 1) / (4L * bits)) & -2;
      if (fewer >= 2) {
        CuckooShape smaller = CuckooShape.of(fewer, bits);
        assertThat(smaller.capacity() < keys || smaller.falsePositiveRate(keys) > rate).isTrue();
      }
    }
    CuckooShape budget = CuckooShape.forBudget(keys, shape.sizeInBits());
    assertThat(budget.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
  }

  @Test
  void badArgumentsAreNamed() {
    assertThatThrownBy(() -> CuckooShape.of(3, 12)).hasMessageContaining("buckets = 3 is odd");
    assertThatThrownBy(() -> CuckooShape.of(0, 12)).hasMessageContaining("buckets = 0");
    assertThatThrownBy(() -> CuckooShape.of(2, 3)).hasMessageContaining("fingerprintBits = 3");
    assertThatThrownBy(() -> CuckooShape.of(2, 33)).hasMessageContaining("fingerprintBits = 33");
    assertThatThrownBy(() -> CuckooShape.forBudget(1_000, 3_000))
        .hasMessageContaining("bits = 3000 has no room for expectedKeys = 1000");
  }

  @Test
  void thePlannerOffersItForDeletes() {
    Needs needs = Needs.forKeys(1_000_000, 0.002).with(Need.DELETES);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(p -> p.name().equals("cuckoo"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.bitsPerKey()).isCloseTo(12.632, within(5e-4));
    assertThat(plan.predictedRate()).isCloseTo(0.001854, within(5e-7));
    assertThat(plan.cacheLines()).isEqualTo(2);
    assertThat(plan.kind().type().getName()).isEqualTo("io.bloomery.deletable.CuckooFilter");
  }
}
