package io.bloomery.internal.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Property;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SetCodeTest {

  @ParameterizedTest
  @CsvSource({"56,3,8", "120,3,10", "210,4,10", "495,4,12", "16,0,5", "15,0,4", "1,0,1", "64,1,64"})
  void columnsAreTheFewest(int sets, int weight, int columns) {
    assertThat(SetCode.columns(sets, weight)).isEqualTo(columns);
    assertThat(SetCode.of(sets, weight).columns()).isEqualTo(columns);
  }

  @Test
  void codesAreNumberedInOrder() {
    SetCode code = SetCode.of(10, 3);
    assertThat(IntStream.range(0, 10).mapToLong(code::code))
        .containsExactly(
            0b00111L, 0b01011L, 0b01101L, 0b01110L, 0b10011L, 0b10101L, 0b10110L, 0b11001L,
            0b11010L, 0b11100L);
    assertThat(SetCode.choose(62, 31)).isEqualTo(465428353255261088L);
    assertThatThrownBy(() -> new SetCode(121, 10, 3)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Against the definition, for random masks: the covered codes, in order. */
  @ParameterizedTest
  @CsvSource({"56,3", "50,3", "64,1", "7,1", "210,4", "16,0", "100,0", "5,5", "1,2"})
  void candidatesAreTheCodesThatAreCovered(int sets, int weight) {
    SetCode code = SetCode.of(sets, weight);
    long[] hits = new long[(sets + 63) / 64];
    Property.check(
        sets,
        2_000,
        draw -> {
          long other = draw.anyLong();
          long mask = draw.anyLong() & other & -1L >>> -code.columns();
          int[] covered =
              IntStream.range(0, sets).filter(s -> (code.code(s) & ~mask) == 0).toArray();
          if (weight == 0 && mask > 0 && mask <= sets) {
            covered = new int[] {(int) mask - 1};
          }
          assertThat(code.all(mask, hits)).isEqualTo(covered.length);
          for (int set : covered) {
            assertThat(hits[set / 64] >>> set & 1).isEqualTo(1);
          }
          assertThat(code.first(mask)).isEqualTo(covered.length == 0 ? -1 : covered[0]);
          boolean valid = weight != 0 || mask <= sets;
          assertThat(code.only(mask)).isEqualTo(covered.length == 1 && valid ? covered[0] : -1);
        });
  }
}
