package io.bloomery.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.bench.Lane.Pass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RaceRunTest {

  private static final int KEYS = 2_000;
  private static final int ROUNDS = 2;

  @TempDir private Path directory;

  /** Every row runs, finds its keys and has figures of every round. */
  @ParameterizedTest
  @EnumSource(
      value = Workload.class,
      names = {
        "LONG",
        "RARE",
        "POPULAR",
        "STRING",
        "BYTES",
        "DELETE",
        "INSERTS",
        "COUNTING",
        "GROWTH",
        "RECENT",
        "COUNTS",
        "STATIC"
      })
  void everyRowRaces(Workload workload) throws IOException {
    List<Row> rows = Race.select("^" + workload.id() + " ");
    Results.Part part = run(workload, rows).part(workload, KEYS);
    assertThat(part.isRace()).isTrue();
    assertThat(part.rows()).isEqualTo(rows);
    for (Row row : rows) {
      for (Pass pass : LaneLoader.lane(row).passes()) {
        Results.Summary time = part.find(row.name(), pass.figure()).orElseThrow();
        assertThat(time.count()).as(row.label() + " " + pass).isEqualTo(ROUNDS);
        assertThat(time.min()).isNotNegative();
      }
      boolean filter = row.origin() != Row.Origin.PHYSICAL;
      assertThat(part.has(row.name(), "rate")).isEqualTo(filter);
    }
  }

  @Test
  void tablesShowEveryRow() throws IOException {
    List<Row> rows = Race.select("^long ");
    Results results = run(Workload.LONG, rows);
    String table = RaceTable.print(results);
    assertThat(table).contains("**`long` keys, 2,000, 1 %**", " add, one writer |", " hit |");
    for (Row row : rows) {
      assertThat(table).contains("| " + Markdown.name(row) + " ");
    }
    assertThat(Overview.print(results)).contains("**Bloom**").doesNotContain("stream-lib");
    assertThat(Bars.judge(results))
        .anyMatch(line -> line.contains("long 2,000 Bloom: miss × fastfilter Bloom"))
        .allMatch(line -> line.startsWith("met ") || line.startsWith("MISSED "));
  }

  private Results run(Workload workload, List<Row> rows) throws IOException {
    Path file = directory.resolve("race.csv");
    Files.writeString(file, new Results().head());
    new RaceRun(workload, KEYS, ROUNDS, rows).run(file);
    return Results.read(List.of(file));
  }
}
