package io.bloomery.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.bench.Lane.Pass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsTest {

  private static final int CACHED = Race.CACHED_KEYS;

  private final Results results = new Results();

  private void add(int keys, String row, Pass pass, double... nanos) {
    for (double value : nanos) {
      results.add(Workload.LONG, keys, row, pass.figure(), value);
    }
  }

  @Test
  void filesAreReadTogether(@TempDir Path directory) throws IOException {
    results.note("a machine");
    Path first = directory.resolve("1.csv");
    Path second = directory.resolve("2.csv");
    String line = Results.line(Workload.LONG, CACHED, Rows.BLOOM, 1, "hit", 7.5);
    Files.writeString(first, results.head() + line);
    line = Results.line(Workload.STATIC, 10_000_000, StaticLongs.FUSE_8, 1, "hit", 9);
    Files.writeString(second, results.head() + line);
    Results read = Results.read(List.of(first, second));
    assertThat(read.notes()).containsExactly("a machine", "a machine");
    assertThat(read.parts()).hasSize(2);
    assertThat(read.part(Workload.LONG, CACHED).median(Rows.BLOOM, "hit")).isEqualTo(7.5);
    assertThat(read.part(Workload.STATIC, 10_000_000).title()).contains("10 million");
    assertThat(read.part(Workload.LONG, 1).median(Rows.BLOOM, "hit")).isNaN();
  }

  @Test
  void ratiosAreThoseOfTheRounds() {
    add(CACHED, Rows.BLOOM, Pass.HIT, 10, 20, 40);
    add(CACHED, Rows.FAST_BLOOM, Pass.HIT, 20, 20, 20);
    Results.Part part = results.part(Workload.LONG, CACHED);
    Results.Summary ratio = part.ratio(Rows.FAST_BLOOM, "hit", Rows.BLOOM, "hit").orElseThrow();
    assertThat(ratio.median()).isEqualTo(1);
    assertThat(ratio.min()).isEqualTo(0.5);
    assertThat(ratio.max()).isEqualTo(2);
    add(CACHED, Rows.BLOOM, Pass.HIT, 40, 40);
    ratio = part.ratio(Rows.FAST_BLOOM, "hit", Rows.BLOOM, "hit").orElseThrow();
    assertThat(ratio.median()).as("other rounds: of the medians").isEqualTo(0.5);
  }

  @Test
  void quartilesLeaveAQuarterOnEitherSide() {
    Results.Summary summary = Results.Summary.of(new double[] {9, 1, 2, 3, 4, 5, 6, 7, 8});
    assertThat(summary.median()).isEqualTo(5);
    assertThat(summary.low()).isEqualTo(3);
    assertThat(summary.high()).isEqualTo(7);
  }

  @Test
  void barsOfTheCacheAreNotJudgedElsewhere() {
    add(10_000_000, Rows.BLOOM, Pass.HIT, 10);
    add(10_000_000, Rows.FAST_BLOOM, Pass.HIT, 9.7);
    assertThat(Bars.judge(results))
        .singleElement()
        .asString()
        .startsWith("met")
        .contains("long 10,000,000 Bloom: hit × fastfilter Bloom", "(≥ 0.950)");
    add(CACHED, Rows.BLOOM, Pass.HIT, 10);
    add(CACHED, Rows.FAST_BLOOM, Pass.HIT, 9.7);
    assertThat(Bars.judge(results))
        .hasSize(2)
        .anyMatch(line -> line.startsWith("MISSED") && line.contains("(≥ 1.000)"));
  }

  @Test
  void aRateMayExceedItsBarByThreeDeviations() {
    double deviation = Math.sqrt(0.01 / CACHED);
    results.add(Workload.LONG, CACHED, Rows.BLOOM, "rate", 0.01 + 2.9 * deviation);
    assertThat(Bars.judge(results)).singleElement().asString().startsWith("met");
    results.add(Workload.LONG, CACHED, Rows.BLOOM, "rate", 0.01 + 3.1 * deviation);
    assertThat(Bars.judge(results)).singleElement().asString().startsWith("MISSED");
  }

  /** Where a peer has no batches and no bulk adds, it does the same by single calls. */
  @Test
  void peersAreComparedByWhatTheyHave() {
    add(CACHED, Rows.BLOOM, Pass.BATCH_MISS, 5);
    add(CACHED, Rows.FAST_BLOOM, Pass.MISS, 20);
    add(CACHED, Rows.BLOOM, Pass.ADD_BULK_ONE, 4);
    add(CACHED, Rows.FAST_BLOOM, Pass.ADD, 6);
    Results.Part part = results.part(Workload.LONG, CACHED);
    assertThat(times(part, Pass.BATCH_MISS)).isCloseTo(4, within(1e-9));
    assertThat(times(part, Pass.ADD_BULK_ONE)).isCloseTo(1.5, within(1e-9));
  }

  private static double times(Results.Part part, Pass pass) {
    return RaceTable.timesAsFast(part, Rows.BLOOM, Rows.FAST_BLOOM, pass).orElseThrow().median();
  }
}
