package io.bloomery.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filters;
import io.bloomery.SampleFilters;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.numeric.SolvedCells.Peeled.Layout;
import io.bloomery.plan.Need;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Plan;
import io.bloomery.plan.Planner;
import io.bloomery.testkit.Keys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
    assertThatThrownBy(() -> BloomierShape.of(cells, 0, 1)).hasMessageContaining("cellBits = 0");
    assertThatThrownBy(() -> BloomierShape.of(cells, 65, 1)).hasMessageContaining("cellBits = 65");
    assertThatThrownBy(() -> BloomierShape.of(cells, 3, 9)).hasMessageContaining("values = 9");
    assertThat(BloomierShape.of(cells, 64, 1L << 32).values()).isEqualTo(1L << 32);
    assertThatThrownBy(() -> BloomierShape.of(cells, 64, (1L << 32) + 1))
        .hasMessageContaining("values = 4294967297 is outside the allowed range 1 … 4294967296");
    assertThatThrownBy(() -> BloomierShape.of(new SolvedCells.Ribbon(9), 33, 1))
        .hasMessage("cellBits = 33 is outside the allowed range 1 … 32");
    assertThatThrownBy(() -> new SolvedCells.Peeled(Layout.PARTS, 10, 3, 0))
        .hasMessageContaining("10");
    assertThatThrownBy(() -> new SolvedCells.Peeled(Layout.SEGMENTS, 32, 3, 4))
        .hasMessageContaining("32");
    assertThatThrownBy(() -> new BloomierShape(1, 8, 4, 9, 3, 0))
        .hasMessageContaining("layout = 4");
    assertThatThrownBy(() -> new BloomierShape(1, 8, 1, 9, 5, 0))
        .hasMessageContaining("cellsPerKey = 5");
    assertThatThrownBy(() -> new BloomierShape(1, 8, 1, 9, 3, 1))
        .hasMessageContaining("segmentLog = 1");
    assertThatThrownBy(() -> new BloomierShape(1, 8, 3, 0, 0, 0)).hasMessageContaining("cells = 0");
    assertThatThrownBy(() -> new BloomierShape(1, 8, 3, 9, 3, 0))
        .hasMessageContaining("cellsPerKey = 3");
    assertThatThrownBy(() -> new BloomierShape(1, 8, 3, 9, 0, 1))
        .hasMessageContaining("segmentLog = 1");
    assertThatThrownBy(() -> BloomierShape.forKeys(10, 0.1, 4, 5))
        .hasMessageContaining("cellsPerKey = 5");
    assertThatThrownBy(() -> BloomierShape.forRibbon(0, 0.1, 4))
        .hasMessageContaining("expectedKeys = 0");
    assertThatThrownBy(() -> BloomierShape.forRibbon(10, 1e-9, 5))
        .hasMessageContaining("falsePositiveRate = 1.0E-9");
    assertThatThrownBy(() -> BloomierShape.forKeys(10, 1e-11, 1L << 32))
        .hasMessage(
            "falsePositiveRate = 1.0E-11 is outside the allowed range ["
                + Math.pow(2, -32)
                + ", 1.0]");
    assertThatThrownBy(() -> BloomierShape.forKeys(1L << 28, 0.01, 2))
        .hasMessageContaining("expectedKeys = " + (1L << 28));
  }

  /** Four cells per key and the ribbon are as much smaller as the builder says. */
  @Test
  void fourCellsAndTheRibbonAreSmaller() {
    long three = BloomierShape.forKeys(1_000_000, 0.01, 256).sizeInBits();
    BloomierShape four = BloomierShape.forKeys(1_000_000, 0.01, 256, 4);
    BloomierShape ribbon = BloomierShape.forRibbon(1_000_000, 0.01, 256);
    assertThat((double) four.sizeInBits() / three).isBetween(0.94, 0.96);
    assertThat(ribbon.sizeInBits() / 15e6).isBetween(1.0, 1.015);
    assertThat(four.cellsPerKey()).isEqualTo(4);
    assertThat(ribbon).isEqualTo(new BloomierShape(256, 15, 3, 1_000_000, 0, 0));
  }

  /** A ribbon for 5 keys that gets 900 is one for 900, before and after it was stored. */
  @Test
  void aRibbonIsSizedForTheKeysThatWerePut() throws IOException {
    BloomierMap map =
        BloomierMap.builder()
            .shape(BloomierShape.forRibbon(5, 0.01, 4))
            .putHashes(Keys.members(900), new long[900])
            .build();
    assertThat(map.shape()).isEqualTo(BloomierShape.forRibbon(900, 0.01, 4));
    ByteArrayInputStream bytes = new ByteArrayInputStream(SampleFilters.bytes(map));
    assertThat(((BloomierMap) Filters.read(bytes)).shape()).isEqualTo(map.shape());
    BloomierMap empty = BloomierMap.builder().shape(map.shape()).build();
    assertThat(empty.shape()).isEqualTo(BloomierShape.forRibbon(1, 0.01, 4));
  }

  /** Values of 30 bits at 1 % would need cells of 37 bits; a ribbon has 32 at most. */
  @Test
  void valuesAreListedWhereCellsWouldBeTooWide() {
    BloomierMap map =
        BloomierMap.builder()
            .falsePositiveRate(0.01)
            .ribbon()
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
