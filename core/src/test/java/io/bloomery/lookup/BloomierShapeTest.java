package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.plan.SolvedCells;
import io.bloomery.plan.SolvedCells.Peeled.Layout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BloomierShapeTest {

  @ParameterizedTest
  @CsvSource({
    // keys, values, rate, bits per key at most
    "1, 2, 0.01, 120",
    "2, 2, 1e-9, 200",
    "10, 4, 1e-9, 157",
    "100, 256, 0.01, 23.4",
    "10000, 256, 0.01, 18.6",
    "1000000, 256, 0.01, 17.0"
  })
  void shapesAreTheSmallestOfTheirRate(long keys, long values, double rate, double most) {
    BloomierShape shape = BloomierShape.forKeys(keys, rate, values);
    assertThat(shape.falsePositiveRate(keys)).isLessThanOrEqualTo(rate);
    assertThat(2 * shape.falsePositiveRate(keys)).isGreaterThan(rate);
    assertThat((double) shape.sizeInBits() / keys).isLessThanOrEqualTo(most);
    assertThat(shape.falsePositiveRate(0)).isZero();
    BloomierShape same = BloomierShape.forBudget(keys, shape.sizeInBits(), values);
    assertThat(same).isEqualTo(shape);
  }

  @Test
  void shapesRefuseImpossibleArguments() {
    SolvedCells.Peeled cells = SolvedCells.Peeled.forKeys(10, 3);
    assertThatThrownBy(() -> new BloomierShape(cells, 0, 1)).hasMessageContaining("cellBits = 0");
    assertThatThrownBy(() -> new BloomierShape(cells, 65, 1)).hasMessageContaining("cellBits = 65");
    assertThatThrownBy(() -> new BloomierShape(cells, 3, 9)).hasMessageContaining("values = 9");
    assertThat(new BloomierShape(cells, 64, 1L << 32).values()).isEqualTo(1L << 32);
    assertThatThrownBy(() -> new BloomierShape(cells, 64, (1L << 32) + 1))
        .hasMessageContaining("values = 4294967297 is outside the allowed range 1 … 4294967296");
    assertThatThrownBy(() -> new BloomierShape(new SolvedCells.Ribbon(9), 33, 1))
        .hasMessage("cellBits = 33 is outside the allowed range 1 … 32");
    assertThatThrownBy(() -> new SolvedCells.Peeled(Layout.PARTS, 10, 3, 0))
        .hasMessageContaining("10");
    assertThatThrownBy(() -> new SolvedCells.Peeled(Layout.SEGMENTS, 32, 3, 4))
        .hasMessageContaining("32");
    assertThatThrownBy(() -> BloomierShape.forKeys(10, 1e-11, 1L << 32))
        .hasMessage(
            "falsePositiveRate = 1.0E-11 is outside the allowed range ["
                + Math.pow(2, -32)
                + ", 1.0]");
    assertThatThrownBy(() -> BloomierShape.forKeys(1L << 28, 0.01, 2))
        .hasMessageContaining("expectedKeys = " + (1L << 28));
  }

  /** Values of 30 bits at 1 % would need cells of 37 bits; a ribbon has 32 at most. */
  @Test
  void valuesAreListedWhereCellsWouldBeTooWide() {
    BloomierMap map =
        BloomierMap.builder()
            .falsePositiveRate(0.01)
            .cells(SolvedCells.Ribbon::new)
            .put("few", 1)
            .put("many", 1 << 30)
            .build();
    assertThat(map.shape().values()).isEqualTo(2);
    assertThat(map.get("many")).isEqualTo(1 << 30);
  }

  @Test
  void thePlannerOffersItForValues() {
    Needs needs = Needs.forKeys(1_000_000, 0.01).with(Need.VALUES);
    Plan plan =
        Planner.standard().plan(needs).ranked().stream()
            .filter(each -> each.name().equals("bloomier"))
            .findFirst()
            .orElseThrow();
    assertThat(plan.kind()).isSameAs(BloomierMap.KIND);
    assertThat(plan.predictedRate()).isEqualTo(256.0 / (1 << 15));
    assertThat(plan.bitsPerKey()).isBetween(16.9, 17.0);
    assertThat(Planner.standard().plan(Needs.forKeys(1_000, 0.01)).ranked())
        .noneMatch(each -> each.name().equals("bloomier"));
  }
}
