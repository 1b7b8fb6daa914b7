package io.bloomery.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What shapes say about filters that refuse keys or grow. */
class ShapeGrowthTest {

  private static final Map<String, Long> REFUSING = Map.of("cuckoo", 10_001L, "quotient", 12_038L);

  private static Shape shape(String kind) {
    return Planner.standard().named(kind, Needs.forKeys(10_000, 0.01)).shape();
  }

  @Test
  void tablesOfFingerprintsRefuseKeysWhenTheyAreFull() {
    REFUSING.forEach((kind, keys) -> assertThat(shape(kind).maxKeys()).as(kind).isEqualTo(keys));
    assertThat(shape("bloom").maxKeys()).isEqualTo(Shape.MAX_LOAD);
    assertThat(shape("scalable").maxKeys()).isEqualTo(Shape.MAX_LOAD);
  }

  @Test
  void onlyGrowingKindsHaveAnotherShapeAfterMoreKeys() {
    assertThat(shape("bloom").grownTo(1_000_000)).isEqualTo(shape("bloom"));
    for (String kind : Set.of("scalable", "dynamic", "quotient")) {
      Shape shape = shape(kind);
      assertThat(shape.grownTo(1)).as(kind).isEqualTo(shape);
      assertThat(shape.grownTo(80_000).sizeInBits()).as(kind).isGreaterThan(shape.sizeInBits());
    }
    assertThat(shape("quotient").grownTo(80_000)).hasSameClassAs(shape("quotient"));
    for (String kind : Set.of("scalable", "dynamic")) {
      assertThat(shape(kind).grownTo(80_000).falsePositiveRate(80_000))
          .isEqualTo(shape(kind).falsePositiveRate(80_000));
    }
  }

  @Test
  void aQuotientFilterGrowsWhileItHasBitsOfRemainders() {
    assertThatThrownBy(() -> shape("quotient").grownTo(100_000_000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot grow to 100000000 keys");
  }
}
