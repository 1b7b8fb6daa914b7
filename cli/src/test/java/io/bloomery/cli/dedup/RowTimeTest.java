package io.bloomery.cli.dedup;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --within} by a time column of the rows. */
class RowTimeTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seconds | 1700000000 | 2023-11-14T22:13:20Z",
        "seconds | 1700000000.1239 | 2023-11-14T22:13:20.123Z",
        "seconds | -1.5 | 1969-12-31T23:59:58.500Z",
        "millis | 1700000000123 | 2023-11-14T22:13:20.123Z",
        "iso | 2023-11-14T22:13:20Z | 2023-11-14T22:13:20Z",
        "iso | 2023-11-14T22:13:20.5+01:00 | 2023-11-14T21:13:20.500Z",
        "iso | 2023-11-14 22:13:20-0530 | 2023-11-15T03:43:20Z",
        "iso | 2023-11-14T22:13:20+02 | 2023-11-14T20:13:20Z",
        "iso | 2023-11-14T22:13 | 2023-11-14T22:13:00Z",
        "iso | 2023-11-14 | 2023-11-14T00:00:00Z",
        "dd/MMM/yyyy:HH:mm:ss Z | 14/Nov/2023:22:13:20 +0100 | 2023-11-14T21:13:20Z",
        "d.M.yyyy H:mm | 4.1.2023 7:05 | 2023-01-04T07:05:00Z",
        "yyyyMMdd | 20230104 | 2023-01-04T00:00:00Z",
        "uuuu-MM-dd'T'HH:mm:ssXXX | 2023-01-04T07:05:00+01:00 | 2023-01-04T06:05:00Z",
      })
  void timesAreParsed(String format, String value, String expected) {
    assertThat(RowTime.of(format).applyAsLong(value.getBytes(UTF_8)))
        .isEqualTo(Instant.parse(expected).toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seconds | 12:30",
        "seconds | 1e9",
        "seconds | 9999999999999999",
        "millis | 99999999999999999",
        "millis | ''",
        "iso | 1700000000",
        "iso | 2023-02-30T00:00:00Z",
        "iso | 2023-11-14T25:00:00Z",
        "iso | 2023-11-14T22:13:20Z tomorrow",
        "iso | +999999999-01-01",
        "yyyyMMdd | 2023-01-04",
        "d.M.yyyy | 30.2.2023",
      })
  void invalidTimesAreRefused(String format, String value) {
    assertThatThrownBy(() -> RowTime.of(format).applyAsLong(value.getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A late row is treated as if it had the latest time seen before it. */
  @ParameterizedTest
  @ValueSource(strings = {"--exact", "-n=1000"})
  void theWindowFollowsTheTimesOfTheRows(String how) {
    SplittableRandom random = Seeds.random(4);
    Map<Integer, Long> last = new HashMap<>();
    StringBuilder rows = new StringBuilder("at,who,what\n");
    StringBuilder certain = new StringBuilder("at,who,what\n"); // rows that must be printed
    long time = 1_000_000;
    long latest = 0;
    int late = 0;
    for (int i = 0; i < 4_000; i++) {
      time += random.nextInt(20) == 0 ? random.nextInt(90) : random.nextInt(2);
      long at = random.nextInt(10) == 0 ? time - random.nextInt(40) : time;
      late += at < latest ? 1 : 0;
      latest = Math.max(latest, at);
      int who = random.nextInt(300);
      String row = at + ",\"" + who + "\",\"x, " + i + "\"\n";
      rows.append(row);
      Long before = last.put(who, latest);
      long limit = how.equals("--exact") ? 60_000 : 2 * 59_999;
      if (before == null || (latest - before) * 1000 >= limit) {
        certain.append(row);
      }
    }
    String[] args = {
      "dedup",
      "--within",
      "60s",
      how,
      "--column",
      "who",
      "--time-column",
      "at",
      "--time-format",
      "seconds",
      "-q"
    };
    String out = bloomWith(rows.toString(), (Object[]) args).out();
    if (how.equals("--exact")) {
      assertThat(out).isEqualTo(certain.toString());
    } else {
      assertThat(out.lines().toList()).containsSubsequence(certain.toString().lines().toList());
      assertThat(out.lines().count()).isLessThan(4_000);
    }
    args[args.length - 1] = "-c";
    args = Arrays.copyOf(args, args.length + 1);
    args[args.length - 1] = "--json";
    Map<?, ?> json = Json.object(bloomWith(rows.toString(), (Object[]) args).out());
    assertThat(json.get("lateRows")).isEqualTo((double) late);
    args[args.length - 1] = "--no-progress";
    assertThat(bloomWith(rows.toString(), (Object[]) args).out())
        .containsPattern("late rows +[0-9]+, by up to [0-9]+s; treated as if at the latest time");
  }

  @Test
  void columnsAreFoundInEachFile() throws IOException {
    Path one = Files.writeString(directory.resolve("1.csv"), "k,t\na,2024-01-01T00:00:00Z\n");
    Path two =
        Files.writeString(
            directory.resolve("2.csv"), "t,k\n2024-01-01T00:00:09Z,a\n2024-01-01T00:00:30Z,a\n");
    Object[] args = {
      "dedup", one, two, "--exact", "--within", "10s", "--column", "k", "--time-column", "t", "-q"
    };
    assertThat(bloom(args).out())
        .isEqualTo("k,t\na,2024-01-01T00:00:00Z\na,2024-01-01T00:00:30Z\n");
    assertThat(
            bloomWith(
                    "a 1\nb 2\na 3\na 9\n",
                    "dedup",
                    "--exact",
                    "--within=3s",
                    "--column=1",
                    "--separator= ",
                    "--time-column=2",
                    "--time-format=seconds",
                    "-q")
                .out())
        .isEqualTo("a 1\nb 2\na 9\n");
  }

  @Test
  void aBadTimeIsABadRow() {
    String rows = "k,t\na,1\nb,soon\nc,\nd\na,2\ne,3\n";
    Object[] args = {
      "dedup", "--exact", "--within=5s", "--column=k", "--time-column=t", "--time-format=seconds"
    };
    Bloom.Run run = bloomWith(rows, args);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("\"b,soon\" has no time in column 2: not a number of seconds");
    Object[] skipping = Arrays.copyOf(args, args.length + 1);
    skipping[args.length] = "--on-error=skip";
    run = bloomWith(rows, skipping);
    assertThat(run.out()).isEqualTo("k,t\na,1\ne,3\n");
    assertThat(run.err()).contains("bad rows", "3 skipped");
  }

  @Test
  void wrongUseIsExplained() {
    assertError(bloomWith("", "dedup", "--time-column", "t"), "--time-column is for --within");
    assertError(
        bloomWith("", "dedup", "--exact", "--within=1s", "--time-column=2"), "needs --column");
    assertError(
        bloomWith("", "dedup", "--exact", "--within=1s", "--time-format=iso"), "--time-format is");
    assertError(
        bloomWith(
            "",
            "dedup",
            "--exact",
            "--within=1s",
            "--column=1",
            "--time-column=2",
            "--time-format=bogus"),
        "neither seconds, millis or iso nor a pattern");
    assertThatThrownBy(() -> RowTime.of("HH:mm")).hasMessageContaining("a pattern of a date");
    assertThat(
            bloomWith(
                    "k,t\n1,2\n",
                    "dedup",
                    "--exact",
                    "--within=1s",
                    "--column=k",
                    "--time-column=when")
                .err())
        .contains("no column is named \"when\"");
  }
}
