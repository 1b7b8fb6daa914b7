package io.bloomery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RowsTest {

  private static List<String> names(Workload workload) {
    return Rows.all().stream().filter(row -> row.workload() == workload).map(Row::name).toList();
  }

  @Test
  void everyPeerIsARowOfTheSameWorkload() {
    for (Row row : Rows.all()) {
      if (!row.peer().isEmpty()) {
        assertThat(names(row.workload())).as(row.label()).contains(row.peer());
      }
    }
  }

  @Test
  void everyBarNamesRowsOfItsWorkload() {
    for (Bars.Bar bar : Bars.ALL) {
      List<String> names = names(bar.workload());
      assertThat(names).as(bar.toString()).contains(bar.row());
      if (!bar.other().isEmpty() && !bar.other().equals(Bars.FASTEST_PEER)) {
        assertThat(names).as(bar.toString()).contains(bar.other());
      }
    }
  }

  @Test
  void everyLineOfTheOverviewNamesRowsOfItsWorkload() {
    for (Overview.Line line : Overview.LINES) {
      assertThat(names(line.workload())).contains(line.ours(), line.peer());
    }
  }

  @Test
  void aRaceTakesPeersAndTheRawReadAlong() {
    assertThat(Race.select("^long Bloom$"))
        .extracting(Row::name)
        .containsExactly(Rows.BLOOM, Rows.FAST_BLOOM, Rows.RAW_READ);
    assertThat(Race.select("^threads ")).isEmpty();
    assertThat(Race.select("2 threads")).isEmpty();
  }

  @Test
  void everyRowOfARaceIsComparedWithARawRead() {
    List<Row> all = Race.select(".");
    for (Row row : all) {
      assertThat(all)
          .as(row.label())
          .anyMatch(
              other -> other.workload() == row.workload() && other.name().equals(Rows.RAW_READ));
    }
  }
}
