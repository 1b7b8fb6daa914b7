package io.bloomery.cli.option;

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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --on-error}: bad rows end the command, are skipped, or are written to a file. */
class OnErrorTest {

  private static final String ROWS = "id,x\n1,a\nshort\n\"2\"3,b\n4,c\n\"5,d\n6,\"e\nf\"\n7,\"g";
  private static final String GOOD = "id,x\n1,a\n4,c\n6,\"e\nf\"\n";
  private static final String BAD = "short\n\"2\"3,b\n\"5,d\n7,\"g\n";

  @TempDir private Path directory;

  private static Bloom.Run run(String input, String line) {
    return bloomWith(input, (Object[]) line.split(" ", -1));
  }

  @Test
  void badRowsEndTheCommandByDefault() {
    for (String way : List.of("", " --on-error fail")) {
      assertThat(run("a,b\n1,2\n3\n", "dedup --column b" + way).err())
          .isEqualTo("bloom: standard input, line 3: the row \"3\" has no column 2\n");
    }
    assertError(run("1\nx\n", "build --type int64 -o " + directory.resolve("f")), "line 2: \"x\"");
    assertError(
        run("", "dedup --on-error later"), "'later' is not one of: fail, skip, reject=FILE");
    assertError(run("", "dedup --on-error reject="), "is not one of");
  }

  @Test
  void badRowsAreSkippedAndCounted() {
    Bloom.Run run = run(ROWS, "dedup --column 1,2 --header --on-error skip");
    assertThat(run.out()).isEqualTo(GOOD);
    assertThat(run.err())
        .startsWith(
            "bloom: warning: 4 rows skipped, the first: standard input, line 3: the row \"short\" has no"
                + " column 2\n")
        .containsPattern("bad rows +4 skipped");
    Bloom.Run json = run(ROWS, "dedup --json --column 1,2 --header --on-error skip");
    String summary = json.out().lines().reduce("", (before, line) -> line);
    assertThat(Json.object(summary + "\n").toString())
        .startsWith("{linesRead=3.0, newLines=3.0, repeatedLines=0.0, badRows=4.0,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " --threads 1", " --max-record 40"})
  void rejectedRowsAreWrittenUnchanged(String more) throws IOException {
    Path rejected = directory.resolve("bad.csv");
    String line = "dedup -q --column 1,2 --header --on-error reject=" + rejected + more;
    assertThat(run(ROWS, line).out()).isEqualTo(GOOD);
    assertThat(rejected).hasContent(BAD);
    assertThat(run(ROWS, line).err())
        .startsWith("bloom: warning: 4 rows rejected, the first: ")
        .hasLineCount(1);
    assertThat(Files.readString(rejected)).isEqualTo(BAD + BAD);
  }

  @Test
  void valuesOfAnotherTypeAreBadRows() throws IOException {
    Path rejected = directory.resolve("bad");
    Path filter = directory.resolve("f.bloom");
    String keys = "1\n\nx\r\n2\n99999999999999999999\n";
    String line = "build --type int64 --on-error reject=" + rejected + " -f -o " + filter;
    assertThat(run(keys, line).out())
        .containsPattern("keys read +2\n")
        .containsPattern("bad rows +2");
    assertThat(Files.readString(rejected)).isEqualTo("x\r\n99999999999999999999\n");
    Bloom.Run run = run(keys, "check " + filter + " --type int64 --on-error skip --mode absent");
    assertThat(run.out()).isEqualTo("\n");
    assertThat(run.code()).isZero();
    assertThat(run(keys, "add --json " + filter + " --type int64 --on-error skip").out())
        .contains("\"keysRead\":2", "\"emptyKeysSkipped\":1,\"badRows\":2");
    assertThat(run("a\nb\n", "count -q --type hex --on-error skip --key a").code()).isLessThan(3);
  }

  @Test
  void otherFormatsCountBadRowsToo() throws IOException {
    Path filter = directory.resolve("g");
    Path keys = Files.writeString(directory.resolve("keys"), "7\nx\n8\n");
    String options = " --format guava --type int64 --on-error skip ";
    assertThat(
            bloom((Object[]) ("build" + options + "-o " + filter + " " + keys).split(" ", -1))
                .out())
        .containsPattern("keys read +2\n")
        .containsPattern("bad rows +1 skipped\n");
    assertThat(bloom((Object[]) ("check " + filter + options + keys).split(" ", -1)).out())
        .isEqualTo("probably present\t7\nprobably present\t8\n");
    assertThat(bloom((Object[]) ("add " + filter + options + keys).split(" ", -1)).out())
        .containsPattern("bad rows +1 skipped\n");
  }

  /** Commands that read their input twice report and write each bad row once. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "top --exact -q",
        "top --exact -q --json",
        "count -q",
        "count --running --exact -q",
        "diff -q KEYS"
      })
  void badRowsCountOnce(String line) throws IOException {
    Path rejected = directory.resolve("bad");
    Path rows = Files.writeString(directory.resolve("rows"), "a,b\n1,2\n3\n4,5\n6");
    Path keys = Files.writeString(directory.resolve("keys"), "a,b\n1,2\n");
    List<Object> words = new ArrayList<>();
    for (String word : line.replace("KEYS", keys.toString()).split(" ", -1)) {
      words.add(word);
    }
    words.addAll(List.of(rows, "--column", "b", "--on-error", "reject=" + rejected));
    Bloom.Run run = bloom(words.toArray());
    assertThat(run.err())
        .isEqualTo(
            "bloom: warning: 2 rows rejected, the first: "
                + rows
                + ", line 3: the row \"3\" has no column 2\n");
    assertThat(Files.readString(rejected)).isEqualTo("3\n6\n");
  }

  @Test
  void checkAgainstCountsBadRowsOnce() throws IOException {
    Path keys = Files.writeString(directory.resolve("keys"), "a,b\n1,2\n");
    Path rows = Files.writeString(directory.resolve("rows"), "a,b\n1,2\n3\n4,5\n");
    Path filter = directory.resolve("f.bloom");
    String column = " --column b --on-error skip ";
    bloom((Object[]) ("build -q -o " + filter + column + keys).split(" ", -1));
    Bloom.Run run =
        bloom((Object[]) ("check " + filter + " --against " + keys + column + rows).split(" ", -1));
    assertThat(run.err()).startsWith("bloom: warning: 1 row skipped").containsOnlyOnce("skipped");
    assertThat(run.out()).isEqualTo("answer,a,b\npresent,1,2\nabsent,4,5\n");
  }

  @Test
  void theRejectFileIsCheckedBeforeAnythingIsRead() throws IOException {
    assertError(run("1\n", "dedup --on-error reject=" + directory), "is a directory");
    assertError(
        run("1\n", "dedup --on-error reject=" + directory.resolve("no/file")), "cannot be written");
    Path rows = Files.writeString(directory.resolve("rows"), "1\n");
    assertError(
        bloom("dedup", rows, "--on-error", "reject=" + rows),
        "cannot be read and get the rejected");
    assertThat(Files.readString(rows)).isEqualTo("1\n");
  }

  @Test
  void truncatedRecordsAreBad() throws IOException {
    Path rejected = directory.resolve("bad");
    assertThat(run("aabbc", "dedup -q --binary 2 --on-error reject=" + rejected).out())
        .isEqualTo("aabb");
    assertThat(Files.readString(rejected)).isEqualTo("c");
  }

  /** Good and bad rows together make up the input, however it is split into blocks. */
  @Test
  void everyRowIsPrintedOrRejected() throws IOException {
    SplittableRandom random = Seeds.random(73);
    String[] lines = {
      "%d,a", "\"%d\",b", "%d,\"c\nd\"", "%d", "\"%d,e", "%d,f\"g", "\"%d\"x,h", "%d,\"\"\"\""
    };
    StringBuilder input = new StringBuilder("k,x\n");
    for (int i = 0; i < 60_000; i++) {
      input.append(lines[random.nextInt(lines.length)].formatted(i)).append('\n');
    }
    List<String> outputs = new ArrayList<>();
    for (String way : List.of("--threads 1", "--threads 3", "--threads 2 --max-record 100")) {
      Path rejected = directory.resolve("bad" + outputs.size());
      String line = "dedup -q --exact --column 1,2 --on-error reject=" + rejected + " " + way;
      String good = run(input.toString(), line).out();
      String bad = Files.readString(rejected);
      assertThat(good.length() + bad.length()).isEqualTo(input.length());
      outputs.add(good + "|" + bad);
    }
    assertThat(outputs.get(0)).isEqualTo(outputs.get(1)).hasSizeGreaterThan(100_000);
  }
}
