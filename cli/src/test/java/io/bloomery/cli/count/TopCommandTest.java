package io.bloomery.cli.count;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopCommandTest {

  @TempDir private Path directory;

  @Test
  void theMostFrequentComeFirst() {
    Bloom.Run run = bloomWith("b\na\nc\na\n\nb\na\n", "top", "--lines", "2");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("3\t0\ta\n2\t0\tb\n");
    assertThat(run.err())
        .isEqualTo(
            "6 keys, 1 empty key skipped; certainly no other key occurred more often than a"
                + " listed one\n");
    assertThat(bloomWith("", "top").out()).isEmpty();
    assertThat(bloomWith("b\na\nb\n\n\n\n", "top", "--keep-empty", "-q").out())
        .isEqualTo("3\t0\t\n2\t0\tb\n1\t0\ta\n");
  }

  /**
   * Compares 50,000 skewed lines of 4,000 keys with a map, from ample to very little memory: the
   * true count is always within the bounds, a list reported as proven is right, and an exact list
   * is the true one.
   */
  @ParameterizedTest
  @CsvSource({"16M, 1024, 10", "64k, 1024, 10", "8k, 100, 10", "1KiB, 20, 20", "16M, 10, 10"})
  void boundsHold(String memory, int keep, int wanted) throws IOException {
    SplittableRandom random = Seeds.random(5);
    Map<String, Long> model = new HashMap<>();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 50_000; i++) {
      String key = "key " + (int) Math.exp(random.nextDouble() * Math.log(4_000));
      model.merge(key, 1L, Long::sum);
      lines.append(key).append('\n');
    }
    List<Long> counts = model.values().stream().sorted(Comparator.reverseOrder()).toList();
    Path file = Files.writeString(directory.resolve("lines"), lines.toString());
    for (boolean exact : new boolean[] {false, true}) {
      Object[] args = {
        "top", file, "--lines", wanted, "--keep", keep, "--memory", memory, exact ? "--exact" : "-q"
      };
      Bloom.Run run = bloom(args);
      List<String> found = run.out().lines().toList();
      assertThat(found).hasSize(wanted);
      List<Map<?, ?>> printed =
          Json.lines(
              bloom(
                      "top",
                      file,
                      "--json",
                      "--lines",
                      wanted,
                      "--keep",
                      keep,
                      "--memory",
                      memory,
                      exact ? "--exact" : "--no-progress")
                  .out());
      Map<?, ?> json = printed.remove(wanted);
      boolean proven = (boolean) json.get("proven");
      double completeFrom = (double) json.get("completeFrom");
      List<?> listed = printed.stream().map(each -> each.get("key")).toList();
      model.forEach(
          (key, count) -> {
            if (count >= completeFrom) {
              assertThat(listed.contains(key)).as(key).isTrue();
            }
          });
      for (int i = 0; i < wanted; i++) {
        String[] parts = found.get(i).split("\t", 3);
        long count = Long.parseLong(parts[0]);
        long error = Long.parseLong(parts[1]);
        long truth = model.get(parts[2]);
        assertThat(truth).isBetween(count - error, count);
        if (exact) {
          assertThat(error).isZero();
          assertThat(count).isEqualTo(counts.get(i));
        }
        if (proven) {
          assertThat(truth).isGreaterThanOrEqualTo(counts.get(wanted - 1));
        }
      }
      if (exact) {
        assertThat(proven).isTrue();
        assertThat(run.err()).contains("certainly no other key occurred more often");
        continue;
      }
      if (memory.equals("16M") && keep == 1024) {
        assertThat(proven).isTrue();
      }
      if (memory.equals("1KiB")) {
        assertThat(proven).isFalse();
      }
    }
  }

  @Test
  void atLeastListsEveryKeyOfThatCount() {
    StringBuilder lines = new StringBuilder();
    for (int i = 1; i <= 100; i++) {
      lines.append(("line " + i + "\n").repeat(i));
    }
    Bloom.Run run = bloomWith(lines.toString(), "top", "--at-least", "96");
    assertThat(run.out().lines())
        .containsExactly(
            "100\t0\tline 100",
            "99\t0\tline 99",
            "98\t0\tline 98",
            "97\t0\tline 97",
            "96\t0\tline 96");
    assertThat(run.err()).contains("certainly none is missing");
    assertThat(bloomWith(lines.toString(), "top", "--at-least", "96", "--lines", "2").out())
        .hasLineCount(2);
    assertThat(bloomWith(lines.toString(), "top", "--at-least", "5", "--keep", "10").err())
        .contains("may be missing from the list; --exact or more --memory helps");
  }

  /** Nearly every key occurs once, so the kept keys prove nothing and all keys are counted. */
  @Test
  void exactIsExactWithoutFrequentKeys() {
    StringBuilder lines = new StringBuilder("zz\n");
    for (int i = 0; i < 3_000; i++) {
      lines.append("k").append(1000 + i).append('\n');
    }
    lines.append("zz\n");
    Bloom.Run run = bloomWith(lines.toString(), "top", "-l", "3", "--keep", "3", "--exact");
    assertThat(run.out()).isEqualTo("2\t0\tzz\n1\t0\tk1000\n1\t0\tk1001\n");
    assertThat(run.err())
        .isEqualTo("3,002 keys; certainly no other key occurred more often than a listed one\n");
    assertThat(
            bloomWith(lines.toString(), "top", "--at-least", "2", "--keep", "9", "--exact").out())
        .isEqualTo("2\t0\tzz\n");
  }

  @Test
  void jsonHasTheFacts() {
    assertThat(Json.lines(bloomWith("b\na\nb\n", "top", "--json").out()))
        .hasToString(
            "[{key=b, count=2.0, least=2.0}, {key=a, count=1.0, least=1.0},"
                + " {keys=3.0, emptyKeysSkipped=0.0, badRows=0.0, exact=false, proven=true,"
                + " completeFrom=1.0, saturatedCounters=0.0, printed=2.0}]");
  }

  @Test
  void wrongUseIsExplained() {
    assertError(bloom("top", "--lines", "0"), "--lines");
    assertError(
        bloom("top", "--lines", "30", "--keep", "20"),
        "--keep is 20, fewer than the 30 of --lines");
    assertError(bloom("top", "--lines", "99M"), "it must be at most 67108864");
    assertError(bloom("top", "--keep", "99M"), "it must be at most 67108864");
    assertError(bloom("top", directory), "is a directory");
    assertError(bloom("top", directory.resolve("no")), "no such file");
  }
}
