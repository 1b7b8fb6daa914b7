package io.bloomery.cli.bench;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchCommandTest {

  @TempDir private Path directory;

  @Test
  void measuresKindsInTurn() {
    Bloom.Run run =
        bloom("bench", "--kinds", "blocked,fuse", "-n", "2000", "--rounds", "3", "--json");

    assertThat(run.code()).isZero();
    List<Map<?, ?>> lines = run.out().lines().<Map<?, ?>>map(l -> Json.object(l + "\n")).toList();
    assertThat(lines).hasSize(2);
    Map<?, ?> blocked = lines.get(0);
    assertThat((String) blocked.get("name")).startsWith("blocked-");
    assertThat(blocked.get("keys")).isEqualTo(2000.0);
    assertThat(blocked.get("rounds")).isEqualTo(3.0);
    assertThat((Double) blocked.get("bitsPerKey")).isBetween(9.0, 13.0);
    assertThat((Double) blocked.get("measuredRate")).isBetween(0.007, 0.013);
    assertThat(((Map<?, ?>) blocked.get("nanos")).keySet().toString())
        .isEqualTo("[build, add, absent, present, absent_batch, present_batch]");
    Map<?, ?> fuse = lines.get(1);
    assertThat(((Map<?, ?>) fuse.get("nanos")).keySet().toString())
        .isEqualTo("[build, absent, present, absent_batch, present_batch]");
    for (Object each : ((Map<?, ?>) fuse.get("nanos")).values()) {
      Map<?, ?> times = (Map<?, ?>) each;
      assertThat((Double) times.get("least")).isPositive();
      assertThat((Double) times.get("median"))
          .isBetween((Double) times.get("least"), (Double) times.get("most"));
    }
  }

  @Test
  void measuresAFileWithAbsentKeys() {
    Path filter = directory.resolve("x.bloom");
    bloomWith(Inputs.numbers(1000), "build", "-o", filter);
    Bloom.Run run = bloom("bench", filter, "--rounds", "3");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith(filter + "\n")
        .containsPattern("predicted rate +[01]\\.[0-9]+ % ")
        .containsPattern("measured rate +[01]\\.[0-9]+ %, with 95 % confidence ")
        .containsPattern("time for an absent key +[0-9.]+ ns \\([0-9.]+ to [0-9.]+\\)\n")
        .containsPattern(
            "time is the median +of 3 rounds \\(least to most\\) after [0-9]+ to warm up\n")
        .doesNotContain("present key", "build");
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds 2, --rounds is 2; it must be 3 to 99",
    "-n 1e9, '-n is 1,000,000,000; it must be at most'",
    "--kinds nosuch, kind nosuch is not one of",
    "--kinds direct, kind direct",
    "nosuch.bloom, nosuch.bloom: no such file",
  })
  void errorsAreOneLine(String line, String message) {
    Bloom.Run run = bloom((Object[]) ("bench " + line).split(" ", -1));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: " + message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
