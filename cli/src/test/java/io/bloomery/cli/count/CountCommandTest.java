package io.bloomery.cli.count;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.gzip;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.ReadOptions;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.Main;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountCommandTest {

  private static final String LINES = "a\nb\na\n\nc\na\nb\n";

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  /** Counts from a filter are printed as upper bounds, except for zero, which is certain. */
  private static String counts(String how, String exact) {
    return how.equals("--exact") ? exact : atMost(exact);
  }

  private static String atMost(String exact) {
    return exact.replaceAll("(?m)^([1-9])", "at most $1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--exact", "--memory=1M"})
  void keysAreLookedUp(String how) throws IOException {
    Path lines = write("lines", LINES);
    Bloom.Run run = bloom("count", lines, how, "--key", "a", "-k", "b");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo(counts(how, "3\ta\n2\tb\n"));
    assertThat(run.err()).startsWith("6 keys counted; 1 empty key skipped; 0 of 2 keys never");
    Path keys = write("keys", "c\na\nx\n");
    run = bloom("count", lines, how, "--key", "b", "--keys-file", keys, "--exit-code");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEqualTo(counts(how, "2\tb\n1\tc\n3\ta\n0\tx\n"));
    assertThat(bloomWith("c\nx\n", "count", lines, how, "--keys-file", "-", "-q").out())
        .isEqualTo(counts(how, "1\tc\n0\tx\n"));
    assertThat(bloomWith(LINES, "count", how, "--keys-file", keys, "--at-least", "2").out())
        .isEqualTo(counts(how, "3\ta\n"));
  }

  @Test
  void theBoundIsStated() throws IOException {
    Path lines = write("lines", LINES);
    assertThat(bloom("count", lines, "--key", "a").err())
        .endsWith(
            "counts are never too low; too high by more than 1 for at most 1.83 % of the keys\n");
    assertThat(bloom("count", lines, "--key", "a", "--exact").err()).endsWith("counts are exact\n");
    assertThat(bloom("count", lines, "--key", "a", "--error", "50%").err())
        .endsWith("too high by more than 3 for at most 0.674 % of the keys\n");
  }

  @Test
  void runningCountsAnnotateEachLine() {
    assertThat(bloomWith(LINES, "count", "--running", "-q").out())
        .isEqualTo(atMost("1\ta\n1\tb\n2\ta\n1\tc\n3\ta\n2\tb\n"));
    assertThat(bloomWith(LINES, "count", "--running", "-q", "--at-least", "2").out())
        .isEqualTo(atMost("2\ta\n3\ta\n2\tb\n"));
    assertThat(bloomWith(LINES, "count", "--running", "-q", "--keep-empty").out())
        .contains(atMost("1\t\n"));
    assertThat(bloomWith(LINES, "count", "--running", "-q", "--exact").out())
        .isEqualTo("1\ta\n1\tb\n2\ta\n1\tc\n3\ta\n2\tb\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--exact", "--memory=1M"})
  void totalAnnotatesEachLineWithItsFinalCount(String how) {
    assertThat(bloomWith(LINES, "count", how, "-q", "--total").out())
        .isEqualTo(counts(how, "3\ta\n2\tb\n3\ta\n1\tc\n3\ta\n2\tb\n"));
  }

  @Test
  void keysAreColumnsOrRecords() {
    assertThat(bloomWith("id,x\n1,a\n2,a\n", "count", "--column", "x", "--total", "-q").out())
        .isEqualTo(atMost("2\ta\n2\ta\n"));
    assertThat(bloomWith("abab", "count", "--running", "--binary", "2", "-q").out())
        .isEqualTo(atMost("1\t6162\n2\t6162\n"));
    assertThat(bloomWith("abab", "count", "--binary", "2", "-q").out()).isEqualTo("      2 6162\n");
    assertThat(bloomWith("id,x\n1,a\n2,a\n", "count", "--column", "x", "-q").out())
        .isEqualTo("      2 a\n");
  }

  @Test
  void totalReadsFilesAgain() throws IOException {
    Path one = write("one", "a\nb\n");
    Path two = Files.write(directory.resolve("two"), gzip("b\nb\n"));
    assertThat(bloom("count", one, two, "--total", "-q").out())
        .isEqualTo(atMost("1\ta\n3\tb\n3\tb\n3\tb\n"));
  }

  /** 100,000 lines of 5,000 keys in 4 × 1,024 counters: the bound holds and no count is too low. */
  @Test
  void countsKeepTheirBound() throws IOException {
    SplittableRandom random = Seeds.random(3);
    Map<String, Long> model = new HashMap<>();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      String key = "key " + (int) (5_000 * random.nextDouble() * random.nextDouble());
      model.merge(key, 1L, Long::sum);
      lines.append(key).append('\n');
    }
    Path file = write("lines", lines.toString());
    Path keys = write("keys", String.join("\n", model.keySet()));
    Bloom.Run sketched = bloom("count", file, "--keys-file", keys, "--memory", "16KiB");
    assertThat(sketched.err()).contains("too high by more than 266 for at most 1.83 %");
    int tooHigh = 0;
    for (String line : sketched.out().lines().toList()) {
      String[] parts = line.split("\t", 2);
      assertThat(parts[0]).startsWith("at most ");
      long error = Long.parseLong(parts[0].substring(8)) - model.get(parts[1]);
      assertThat(error).isNotNegative();
      tooHigh += error > 266 ? 1 : 0;
    }
    assertThat(tooHigh).isLessThanOrEqualTo(model.size() * 2 / 100);
    for (String line :
        bloom("count", file, "--keys-file", keys, "--exact").out().lines().toList()) {
      String[] parts = line.split("\t", 2);
      assertThat(Long.parseLong(parts[0])).isEqualTo(model.get(parts[1]));
    }
  }

  /**
   * With 2,000 keys in 4 × 64 counters every absent key gets a nonzero count, which is only a
   * bound.
   */
  @Test
  void theCountOfAnAbsentKeyIsABound() {
    String lines = IntStream.range(0, 2_000).mapToObj(i -> "k" + i + "\n").collect(joining());
    Bloom.Run run = bloomWith(lines, "count", "--memory", "1KiB", "--key", "never");
    assertThat(run.out()).matches("at most [1-9][0-9]*\tnever\n");
    assertThat(bloomWith(lines, "count", "--exact", "--key", "never").out())
        .isEqualTo("0\tnever\n");
  }

  @Test
  void countersAreSavedQueriedAndMerged() throws IOException {
    Path monday = directory.resolve("mon.bloom");
    Path tuesday = directory.resolve("tue.bloom");
    Path week = directory.resolve("week.bloom");
    assertThat(bloomWith("a\na\n", "count", "-o", monday, "-k", "a", "-q").code()).isZero();
    assertThat(bloomWith("a\nb\n", "count", "-o", tuesday, "-k", "a", "-q").code()).isZero();
    assertThat(bloom("count", "--filter", monday, "--key", "a").out()).isEqualTo(atMost("2\ta\n"));
    assertThat(bloomWith("a\n", "count", "--filter", monday, "-", "--key", "a").out())
        .isEqualTo(atMost("3\ta\n"));
    assertThat(bloom("merge", monday, tuesday, "-o", week, "-q").code()).isZero();
    assertThat(bloom("count", "--filter", week, "-k", "a", "-k", "b", "-k", "c", "-q").out())
        .isEqualTo(atMost("3\ta\n1\tb\n0\tc\n"));
    assertThat(Filters.open(week, ReadOptions.as(FrequencyFilter.class)).count("a")).isEqualTo(3);
    assertError(bloomWith("a\n", "count", "-o", monday, "-k", "a"), "exists; --force");
  }

  @Test
  void anyFilterThatCountsCanBeQueried() throws IOException {
    SpectralFilter spectral = SpectralFilter.create(100, 0.001);
    spectral.add("x", 5);
    Path file = directory.resolve("s.bloom");
    spectral.writeTo(file);
    Bloom.Run run = bloom("count", "--filter", file, "--key", "x");
    assertThat(run.out()).isEqualTo(atMost("5\tx\n"));
    assertThat(run.err()).isEqualTo("0 of 1 key never occurred; counts are never too low\n");
    SpaceCodeFilter estimating = SpaceCodeFilter.create(100, 0.001);
    estimating.add("x", 1);
    estimating.writeTo(file);
    run = bloom("count", "--filter", file, "--key", "x", "--key", "never");
    assertThat(run.out()).isEqualTo("about 1\tx\n0\tnever\n");
    assertThat(run.err()).isEqualTo("1 of 2 keys never occurred; counts are estimates\n");
    Path plain = directory.resolve("p.bloom");
    bloomWith("x\n", "build", "-o", plain);
    assertError(bloom("count", "--filter", plain, "--key", "x"), plain + ": does not count");
  }

  @Test
  void jsonHasTheFacts() {
    List<Map<?, ?>> objects =
        Json.lines(bloomWith(LINES, "count", "-k", "a", "-k", "z", "--json").out());
    assertThat(objects.get(0)).hasToString("{key=a, count=3.0}");
    assertThat(objects).hasSize(3);
    Map<?, ?> json = objects.get(2);
    assertThat(json.keySet())
        .hasToString(
            "[keys, emptyKeysSkipped, badRows, exact, bound, total, tooHighByAtMost, exceptForShare,"
                + " printed]");
    assertThat(json.get("keys")).isEqualTo(6.0);
    assertThat(json.get("exact")).isEqualTo(false);
    assertThat(json.get("bound")).isEqualTo("atMost");
    assertThat(bloomWith(LINES, "count", "--exact", "--total", "--json").out())
        .contains("\"exact\":true,\"bound\":\"exact\"", "\"total\":null", "\"printed\":6");
  }

  @Test
  void exactCountsBeyondTheMemorySayWhatToDo() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      lines.append("a line of some length ".repeat(50)).append(i).append('\n');
    }
    Bloom.Run run =
        bloomWith(lines.toString(), "count", "--exact", "--total", "--memory-limit", "8M");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("distinct keys take more than", "leave out --exact");
  }

  @Test
  void wrongUseIsExplained() throws IOException {
    Path lines = write("lines", LINES);
    Path out = directory.resolve("o");
    assertError(bloom("count", lines, "--exact", "-o", out), "--exact has no filter");
    assertError(bloom("count", lines, "--total", "-k", "a"), "--total prints lines");
    assertError(bloom("count", lines, "--order", "key", "-k", "a"), "--order is for distinct");
    assertError(bloom("count", lines, "--running", "--total"), "--running prints every line");
    assertError(bloom("count", lines, "--running", "-k", "a"), "--running prints every line");
    assertError(bloom("count", lines, "--memory", "1M"), "distinct lines are counted exactly");
    assertError(bloom("count", lines, "--type", "int64"), "--type needs --key");
    assertError(
        bloom("count", lines, "--filter", lines, "--order", "count"), "--order count needs exact");
    assertError(bloom("count", lines, "--exact", "--order", "size"), "--order");
    assertError(bloom("count", lines, "--exact", "--memory-limit", "1M"), "it must be 8M or more");
    assertError(bloom("count", "--filter", lines), "say what to look up in --filter");
    assertError(bloom("count", "--filter", lines, "-k", "a"), lines.toString());
    assertError(bloom("count", "--filter", out, "-k", "a", "--memory", "1M"), "leave out --memory");
    assertError(bloom("count", "--keys-file", "-"), "cannot be both lines and keys");
    assertError(bloom("count", lines, "--memory", "1M", "--error", "1%"), "mutually exclusive");
    assertError(bloom("count", lines, "--running", "--memory", "100"), "it must be 1KiB or more");
    assertError(bloom("count", lines, "--at-least", "0"), "--at-least");
    assertError(bloom("count", directory), "is a directory");
    assertError(bloom("count", directory.resolve("no")), "no such file");
    assertError(bloom("count", lines, "--keys-file", directory.resolve("no")), "no such file");
    assertThat(out).doesNotExist();
  }

  @Test
  void countsAreFlushedWhenTheInputPauses() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream typing =
        new ByteArrayInputStream("x\n".getBytes(StandardCharsets.US_ASCII)) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            if (available() == 0) {
              for (int i = 0; i < 60_000 && out.size() == 0; i++) {
                sleep();
              }
              assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("at most 1\tx\n");
            }
            return super.read(bytes, offset, length);
          }
        };
    Console console =
        new Console(
            typing,
            new StandardOutput(out),
            new PrintWriter(Writer.nullWriter()),
            () -> false,
            () -> false);
    assertThat(Main.run(console, "count", "--running")).isZero();
  }

  private static void sleep() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
