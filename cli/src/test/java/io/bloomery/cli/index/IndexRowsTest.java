package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexes of values in lines of JSON, and of rows of which some cannot be read. */
class IndexRowsTest {

  @TempDir private Path directory;

  private IndexFixture fixture;

  @BeforeEach
  void makeFixture() throws IOException {
    fixture = new IndexFixture(directory.toRealPath());
  }

  @Test
  void valuesOfJsonAreFoundInTheirLines() throws IOException {
    SplittableRandom random = Seeds.random(15);
    Map<String, List<Integer>> exact = new TreeMap<>();
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 3000; i++) {
      int id = random.nextInt(500);
      String name = id % 2 == 0 ? "\"n\\u00e9-" + id + "\"" : "" + id;
      text.append("{\"x\":\"né-7 9\",\"user\":{\"id\":").append(name).append("}, \"n\":");
      text.append(i % 10).append(i % 3 == 0 ? "}\r\n" : "}\n");
      if (i % 100 == 0) {
        text.append("  \n"); // not a record, but a line
      }
      exact
          .computeIfAbsent(id % 2 == 0 ? "né-" + id : "" + id, any -> new ArrayList<>())
          .add(i + (i - 1) / 100);
    }
    for (boolean packed : new boolean[] {false, true}) {
      byte[] bytes = text.toString().getBytes(UTF_8);
      Files.write(fixture.logs().resolve("a.jsonl"), packed ? Inputs.gzip(bytes) : bytes);
      fixture.make("--json-key", ".user.id", "--share", "50%", "--force");
      for (int id = 0; id < 500; id += 11) {
        String key = id % 2 == 0 ? "né-" + id : "" + id;
        assertThat(fixture.linesFound(key)).as(key).isEqualTo(exact.getOrDefault(key, List.of()));
      }
      assertThat(fixture.linesFound("-i", "NÉ-14"))
          .isEqualTo(exact.getOrDefault("né-14", List.of()));
      assertThat(fixture.linesFound("x")).isEmpty();
    }
    fixture.make("--json-key", ".user.id", "--json-key", ".n", "--share", "50%");
    assertThat(fixture.linesFound("7,3"))
        .isEqualTo(
            exact.getOrDefault("7", List.of()).stream()
                .filter(line -> (line - (line - 1) / 101) % 10 == 3)
                .toList());
    assertThat(bloom("info", fixture.index()).out()).contains("JSON: .user.id, .n");
  }

  private String badLines() {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 1000; i++) {
      text.append(i % 250 == 0 ? "{\"id\": oops " + i + "}" : "{\"id\":" + i + "}").append('\n');
    }
    return text.toString();
  }

  @Test
  void theFirstBadRowEndsTheCommand() throws IOException {
    fixture.write("a.jsonl", badLines());
    Bloom.Run run = fixture.run("--json-key", ".id", "--block-size", "4KiB");
    assertError(run, "a.jsonl, line 250 is not JSON");
    assertThat(fixture.index()).doesNotExist();
    fixture.write("a.jsonl", "{\"id\":1}\n{\"id\":[2]}\n");
    assertError(fixture.run("--json-key", ".id"), "a.jsonl, line 2 has an array at .id");
  }

  @Test
  void badRowsAreSkippedAndCounted() throws IOException {
    fixture.write("a.jsonl", badLines());
    Bloom.Run run =
        fixture.run(
            "--json-key", ".id", "--on-error", "skip", "--block-size", "4KiB", "--share", "50%");
    assertThat(run.code()).isZero();
    assertThat(run.err())
        .startsWith("bloom: warning: 4 rows skipped, the first: ")
        .contains("a.jsonl, line 250 is not JSON")
        .hasLineCount(1);
    assertThat(run.out()).containsPattern("bad rows +4 skipped\n");
    assertThat(fixture.linesFound("249")).containsExactly(249);
    assertThat(fixture.linesFound("751")).containsExactly(751);
    assertThat(fixture.linesFound("250")).isEmpty();
    fixture.write("b.jsonl", "no JSON\n{\"id\":\"new\"}\n");
    assertThat(fixture.findRun("--grep", "--line-number", "-q", "new").out())
        .endsWith("b.jsonl:2:{\"id\":\"new\"}\n");
    Bloom.Run update = bloom("index", "--update", fixture.index(), "--json");
    assertThat(update.err()).contains("1 row skipped").hasLineCount(1);
    assertThat(Json.object(update.out()).get("badRows")).isEqualTo(1.0);
    assertThat(fixture.find("--trust", "new")).containsExactly("b.jsonl");
  }

  @Test
  void badRowsAreRejectedToAFile() throws IOException {
    fixture.write("a.jsonl", badLines());
    fixture.write("b.jsonl", "last, without an end");
    fixture.write("c.jsonl", "{}\n[\n");
    Path rejected = directory.resolve("rejected");
    Bloom.Run run =
        fixture.run(
            "--json-key", ".id", "--block-size", "4KiB", "--on-error", "reject=" + rejected);
    assertThat(run.err()).contains("6 rows rejected").hasLineCount(1);
    String all =
        """
        {"id": oops 250}
        {"id": oops 500}
        {"id": oops 750}
        {"id": oops 1000}
        last, without an end
        [
        """;
    assertThat(rejected).hasContent(all);
    fixture.write("c.jsonl", "]\n");
    Bloom.Run update =
        bloom("index", "--update", fixture.index(), "--on-error", "reject=" + rejected);
    assertThat(update.code()).isZero();
    assertThat(Files.readString(rejected)).startsWith(all).endsWith("\n]\n");
  }

  /** A stray quote costs one row, as in other commands. */
  @Test
  void rowsWithBadQuotesAreSkipped() throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= 2000; i++) {
      boolean bad = i % 97 == 0;
      text.append(i).append(bad ? ",\"stray\n" : i % 5 == 0 ? ",\"two\nlines\"\n" : ",plain\n");
    }
    text.append("short\n").append("x,\"never closed\n1,y\n");
    for (boolean packed : new boolean[] {false, true}) {
      byte[] bytes = text.toString().getBytes(UTF_8);
      Files.write(fixture.logs().resolve("a.csv"), packed ? Inputs.gzip(bytes) : bytes);
      Bloom.Run run =
          fixture.run(
              "-f",
              "--column",
              "id",
              "--on-error",
              "skip",
              "--block-size",
              "4KiB",
              "--share",
              "50%");
      Bloom.Run same =
          bloom(
              "dedup",
              "-q",
              "--column",
              "id",
              "--on-error",
              "skip",
              fixture.logs().resolve("a.csv"));
      String count = same.err().replaceAll("(?s)bloom: warning: (\\d+) rows.*", "$1");
      assertThat(run.err()).contains(count + " rows skipped");
      List<String> rows = same.out().lines().toList();
      for (int i = 1; i <= 2000; i += 7) {
        String prefix = i + ",";
        assertThat(fixture.linesFound("" + i).isEmpty())
            .as(prefix)
            .isEqualTo(rows.stream().noneMatch(row -> row.startsWith(prefix)));
      }
    }
  }

  @Test
  void optionsThatDoNotFitAreErrors() throws IOException {
    Path file = fixture.write("a.jsonl", "{\"id\":1}\n");
    Object[] none = {"index", file, "-o", fixture.index()};
    List<Object> words = new ArrayList<>(List.of(none));
    words.addAll(List.of("--on-error", "skip"));
    assertError(bloom(words.toArray()), "--on-error is about rows; it needs --column");
    words.addAll(List.of("--json-key", "id"));
    assertError(bloom(words.toArray()), "a place is written .user.id");
    words.set(words.size() - 1, ".id");
    assertThat(bloom(words.toArray()).code()).isZero();
    words.add("--whole-lines");
    assertError(bloom(words.toArray()), "--whole-lines, --column and --json-key exclude");
    assertError(
        fixture.run("-f", "--json-key", ".id", "--on-error", "reject=" + file),
        "a.jsonl: cannot be read and get the rejected rows, too");
    assertThat(file).hasContent("{\"id\":1}\n");
    assertThat(bloom("index", file, "-o", fixture.index(), "-qf", "--json-key", ".id").code())
        .isZero();
    assertError(
        bloom("index", "--update", fixture.index(), "--on-error", "skip"),
        "was made with --on-error fail; build it anew");
  }
}
