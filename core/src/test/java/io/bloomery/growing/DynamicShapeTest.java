package io.bloomery.growing;

import static io.bloomery.testkit.Printed.assertPrinted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sizes of dynamic filters. */
final class DynamicShapeTest {

  /** 40 filters each: as many different keys as expected open no second layer. */
  @ParameterizedTest
  @CsvSource({
    "1, 0.01",
    "2, 0.01",
    "3, 0.5",
    "10, 0.9",
    "10, 0.01",
    "100, 0.9",
    "100, 0.01",
    "1000, 0.01",
    "1000, 1e-6",
    "20000, 0.01"
  })
  void theExpectedKeysFitIntoTheFirstLayer(int keys, double rate) {
    for (int counterBits : new int[] {1, 4}) {
      DynamicShape shape = DynamicShape.forKeys(keys, rate, counterBits);
      DynamicShape budget = DynamicShape.forBudget(keys, shape.sizeInBits() + 1024, counterBits);
      for (int i = 0; i < 40; i++) {
        DynamicBloomFilter filter = DynamicBloomFilter.create(shape);
        DynamicBloomFilter inBudget = DynamicBloomFilter.create(budget);
        long[] members = Keys.members(keys, i);
        filter.addHashes(members, 0, keys);
        inBudget.addHashes(members, 0, keys);
        assertThat(filter.layerCount()).isEqualTo(1);
        assertThat(filter.sizeInBits()).isEqualTo(shape.sizeInBits());
        assertThat(inBudget.layerCount()).isEqualTo(1);
      }
    }
  }

  /** The room for them costs 5 % at 1,000 keys and 0.2 % at a million. */
  @Test
  void roomForTheExpectedKeysCostsLittle() {
    assertThat(DynamicShape.forKeys(1000, 0.01).layerKeys()).isBetween(1040L, 1060L);
    assertThat(DynamicShape.forKeys(1_000_000, 0.01).layerKeys()).isBetween(1_001_000L, 1_002_000L);
    assertThat(DynamicShape.forKeys(1, 0.01).layerKeys()).isEqualTo(1);
  }

  @Test
  void shapes() {
    DynamicShape shape = DynamicShape.forKeys(1000, 0.01, 4);
    long full = shape.layerKeys();
    assertPrinted(shape.falsePositiveRate(full), "0.00982");
    assertThat(shape.falsePositiveRate(1000)).isLessThan(shape.falsePositiveRate(full));
    assertThat(shape.falsePositiveRate(0)).isZero();
    double rest = 1 - shape.falsePositiveRate(full);
    long three = (long) Math.ceil(full + full / rest + full / (rest * rest));
    assertThat(shape.falsePositiveRate(three)).isCloseTo(1 - rest * rest * rest, within(1e-12));
    assertThat(shape.grownTo(three).sizeInBits()).isEqualTo(3 * shape.sizeInBits());
    assertThat(shape.grownTo(three + 3).sizeInBits()).isEqualTo(4 * shape.sizeInBits());
    assertThat(shape.grownTo(1).sizeInBits()).isEqualTo(shape.sizeInBits());
    assertThat(shape.maxKeys()).isEqualTo(4096 * full);
    assertThat(shape.sizeInBits()).isEqualTo(4 * shape.layerCells());
    assertThat(new DynamicShape(100, 3, 5, 7).sizeInBits()).isEqualTo(12 * 64);
    assertThat(new DynamicShape(1280, 7, 133, 4).fullCells()).isEqualTo(662);
    assertThat(DynamicShape.forKeys(1, 1e-9, 1).falsePositiveRate(1)).isLessThanOrEqualTo(1e-9);
    DynamicShape budget = DynamicShape.forBudget(1000, 40_000, 4);
    assertThat(budget.sizeInBits()).isEqualTo(39_936);
    assertThatThrownBy(() -> new DynamicShape(1, 1, 1, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("layerCells = 1");
    assertThatThrownBy(() -> new DynamicShape(100, 101, 1, 4))
        .hasMessageContaining("hashesPerKey = 101");
    assertThatThrownBy(() -> DynamicBloomFilter.create(5, 0))
        .hasMessageContaining("falsePositiveRate = 0.0");
    assertThatThrownBy(() -> DynamicBloomFilter.create(-1, 0.1))
        .hasMessageContaining("expectedKeys = -1");
    assertThatThrownBy(() -> DynamicShape.forKeys(5, 0.1, 17))
        .hasMessageContaining("counterBits = 17 is outside the allowed range 1 … 16");
  }

  @Test
  void thePlannerKnowsIt() {
    Plan plan =
        Planner.standard()
            .plan(Needs.forKeys(1_000_000, 0.01).with(Need.UNKNOWN_GROWTH).with(Need.DELETES))
            .ranked()
            .stream()
            .filter(p -> p.name().equals("dynamic"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind().type().getName()).isEqualTo(DynamicBloomFilter.class.getName());
    assertThat(plan.shape()).isEqualTo(DynamicBloomFilter.create(1_000_000, 0.01).shape());
    assertThat(plan.bitsPerKey()).isBetween(38.2, 38.6);
    assertThat(plan.predictedRate()).isBetween(0.0098, 0.01);
  }
}
