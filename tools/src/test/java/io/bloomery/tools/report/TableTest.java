package io.bloomery.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTest {

  private static Table table() {
    return new Table("rllrr", "", "kind", "class", "bits", "add")
        .optional(4, 2)
        .row("1", "blocked", "BlockedBloomFilter", "10.19", "24 ns")
        .below("One cache line per query.")
        .row("2", "bloom", "BloomFilter", "9.59", "138 ns");
  }

  @Test
  void thereIsRoomForAll() {
    assertThat(table().text(80))
        .isEqualTo(
            """
               kind     class                bits     add
            1  blocked  BlockedBloomFilter  10.19   24 ns
               One cache line per query.
            2  bloom    BloomFilter          9.59  138 ns
            """);
  }

  @Test
  void theColumnOfLeastUseGoesFirst() {
    assertThat(table().text(44)).doesNotContain("add").contains("class").contains("bits");
    assertThat(table().text(37)).doesNotContain("add").contains("class").contains("bits");
    assertThat(table().text(36))
        .isEqualTo(
            """
               kind      bits
            1  blocked  10.19
               One cache line per query.
            2  bloom     9.59
            """);
  }

  @Test
  void rowsBecomeParagraphs() {
    assertThat(table().text(16))
        .isEqualTo(
            """
            1 blocked
              bits 10.19
              One cache line
              per query.
            2 bloom
              bits 9.59
            """);
  }

  @Test
  void aColumnMayWaitForMoreRoomThanItNeeds() {
    assertThat(table().from(4, 100).text(99)).doesNotContain("add");
    assertThat(table().from(4, 100).text(100)).contains("add");
  }

  @Test
  void valuesStayWithTheirUnits() {
    Table table = new Table("rlrr", "", "kind", "memory", "rate").row("1", "bloom", "1 MB", "1 %");
    assertThat(table.text(15)).isEqualTo("1 bloom\n  memory 1 MB,\n  rate 1 %\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 20, 30, 40, 60, 80, 132, 200})
  void noLineIsLonger(int columns) {
    assertThat(table().text(columns).lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
  }
}
