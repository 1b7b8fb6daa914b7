package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --json-key}: keys that are values in lines of JSON. */
class JsonKeyTest {

  private static final String USERS =
      """
      {"user":{"id":7,"name":"Ann"},"tags":["a","b"]}
       { "tags" : ["b"], "user" : {"name":"B\\u00f6b","id":7} }\r
      {"user":{"id":"8"}}

      {"user":null}
      {"user":{"id":true}}""";

  @TempDir private Path directory;

  private static Bloom.Run run(String input, String... line) {
    return bloomWith(input, (Object[]) line);
  }

  private static String keys(String input, String path) {
    return run(input, "count", "-q", "--order", "first", "--keep-empty", "--json-key", path).out();
  }

  @Test
  void linesArePrintedUnchanged() {
    assertThat(run(USERS, "dedup", "-q", "--json-key", ".user.id").out())
        .isEqualTo(
            """
            {"user":{"id":7,"name":"Ann"},"tags":["a","b"]}
            {"user":{"id":"8"}}
            {"user":null}
            {"user":{"id":true}}
            """);
    Path filter = directory.resolve("f.bloom");
    assertThat(run("7\ntrue\n", "build", "-q", "-o", filter.toString()).code()).isZero();
    String[] check = {"check", filter.toString(), "--json-key", ".user.id", "--mode", "absent"};
    assertThat(run(USERS, check).out()).isEqualTo("{\"user\":{\"id\":\"8\"}}\n{\"user\":null}\n");
    check[5] = "annotate";
    assertThat(run(USERS, check).out())
        .isEqualTo(
            "probably present\t{\"user\":{\"id\":7,\"name\":\"Ann\"},\"tags\":[\"a\",\"b\"]}\n"
                + "probably present\t { \"tags\" : [\"b\"], \"user\" :"
                + " {\"name\":\"B\\u00f6b\",\"id\":7} }\r\n"
                + "certainly absent\t{\"user\":{\"id\":\"8\"}}\nempty key\t{\"user\":null}\n"
                + "probably present\t{\"user\":{\"id\":true}}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        ".user.name|Ann,Böb,,,",
        ".\"user\".\"name\"|Ann,Böb,,,",
        ".[\"user\"][\"name\"]|Ann,Böb,,,",
        ".tags[0]|a,b,,,",
        ".tags[1]|b,,,,",
        ".user.id|7,7,8,,true",
        ".nothing[3].at.all|,,,,"
      })
  void pathsAreWrittenAsInJq(String path, String expected) {
    Bloom.Run run =
        run(USERS, "count", "--running", "--exact", "-q", "--keep-empty", "--json-key", path);
    String found = run.out().replace("\r\n", "\n").replaceAll("(?m)^[0-9]+\t", "");
    assertThat(found.replace('\n', ',')).isEqualTo(expected + ",");
  }

  @Test
  void aKeyIsTheTextOfItsValue() {
    assertThat(keys("\"a\\tb\\\"\\u0041\\ud83d\\ude00é\"\n", "."))
        .isEqualTo("      1 a\tb\"A😀é\n");
    assertThat(keys("1\n1.0\n1e0\n-0\n12345678901234567890123\n", "."))
        .isEqualTo(
            "      1 1\n      1 1.0\n      1 1e0\n      1 -0\n      1 12345678901234567890123\n");
    assertThat(keys("5\n\"5\"\n", ".")).isEqualTo("      2 5\n");
    assertThat(keys("{\"a\":1,\"a\":2}\n{\"a\":{\"b\":1},\"a\":3}\n", ".a"))
        .isEqualTo("      1 2\n      1 3\n");
    assertThat(keys("{\"a\":{\"b\":1},\"a\":3}\n", ".a.b")).isEqualTo("      1 \n");
  }

  @Test
  void aKeyOfSeveralValuesIsACsvRow() {
    String people = "{\"f\":\"Ann\",\"l\":\"Lee, A\"}\n{\"l\":\"Lee\"}\n{}\n";
    assertThat(
            run(people, "count", "-q", "--keep-empty", "--json-key", ".l", "--json-key", ".f")
                .out())
        .isEqualTo("      1 \n      1 \"Lee, A\",Ann\n      1 Lee,\n");
    Path filter = directory.resolve("f.bloom");
    run("l,f\n\"Lee, A\",Ann\n", "build", "-q", "-o", filter.toString(), "--column", "l,f");
    assertThat(
            run(
                    people,
                    "check",
                    filter.toString(),
                    "--json-key=.l",
                    "--json-key=.f",
                    "--mode=present")
                .out())
        .isEqualTo("{\"f\":\"Ann\",\"l\":\"Lee, A\"}\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1",
        "{\"a\":1} x",
        "{\"a\":1}{\"a\":2}",
        "{\"a\":[1}",
        "a",
        "{a:1}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\u00ff\"}",
        "{\"b\":\"\u00ff\"}",
        "{\"a\":{}}",
        "{\"a\":[1]}",
        "{\"a\":NaN}",
        "{\"a\":\"\t\"}"
      })
  void brokenLinesAreBadRows(String line) throws IOException {
    byte[] input = ("{\"a\":1}\n" + line + "\n{\"a\":2}\n").getBytes(ISO_8859_1);
    Bloom.Run failed = bloomWith(input, "dedup", "--json-key", ".a");
    assertThat(failed.code()).isEqualTo(2);
    assertThat(failed.err()).startsWith("bloom: standard input, line 2").hasLineCount(1);
    Path rejected = directory.resolve("bad");
    Bloom.Run run =
        bloomWith(input, "dedup", "-q", "--json-key", ".a", "--on-error", "reject=" + rejected);
    assertThat(run.out()).isEqualTo("{\"a\":1}\n{\"a\":2}\n");
    assertThat(Files.readAllBytes(rejected)).isEqualTo((line + "\n").getBytes(ISO_8859_1));
  }

  @Test
  void deeplyNestedValuesAreBadRows() {
    String deep = "[".repeat(200_000) + "]".repeat(200_000);
    assertThat(
            run(
                    "{\"b\":" + deep + ",\"a\":1}\n{\"a\":2}\n",
                    "dedup",
                    "-q",
                    "--json-key=.a",
                    "--on-error=skip")
                .out())
        .isEqualTo("{\"a\":2}\n");
  }

  @Test
  void wrongOptionsAreNamed() {
    for (String path :
        new String[] {"user", "", ".user-id", ".a[", ".a[-1]", "..a", ".a.", "a.b", ".[]"}) {
      assertError(run("", "dedup", "--json-key", path), "is written .user.id");
    }
    assertError(run("", "dedup", "--json-key=.a", "--json-key=.a"), "a value twice: .a");
    assertError(run("", "dedup", "--json-key=.a", "--column=a"), "exclude each other");
    assertError(run("", "dedup", "--json-key=.a", "--binary=4"), "exclude each other");
    assertError(run("", "dedup", "--json-key=.a", "--header"), "need --column");
  }

  @Test
  void everyCommandTakesJsonKeys() throws IOException {
    Path filter = directory.resolve("f.bloom");
    Path lines = Files.writeString(directory.resolve("l"), "{\"a\":1}\n{\"a\":2}\n{\"a\":1}\n");
    Path others = Files.writeString(directory.resolve("o"), "{\"a\":2}\n{\"a\":3}\n");
    assertThat(
            bloom(
                    "build",
                    "-q",
                    "--counts",
                    "-o",
                    filter,
                    lines,
                    "--json-key",
                    ".a",
                    "--type",
                    "int64")
                .code())
        .isZero();
    assertThat(
            bloom("verify", filter, "--present", lines, "--json-key", ".a", "--type", "int64")
                .code())
        .isZero();
    assertThat(bloom("add", filter, others, "--json-key", ".a", "--type", "int64").out())
        .containsPattern("keys read +2\n");
    assertThat(bloom("top", "-q", "-l", 1, lines, "--json-key", ".a").out()).isEqualTo("2\t0\t1\n");
    assertThat(bloom("diff", lines, others, "--json-key", ".a").out()).isEqualTo("< 1\n> 3\n");
    assertThat(bloom("reconcile", lines, others, "--json-key", ".a").err())
        .contains("1 only here, 1 only there");
  }

  /** The input spans several blocks and is split by several threads. */
  @Test
  void manyLinesKeepTheirOrder() {
    SplittableRandom random = Seeds.random(74);
    Set<Integer> ids = new HashSet<>();
    StringBuilder input = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      boolean again = i > 0 && random.nextInt(4) == 0;
      int id = again ? random.nextInt(i) : i;
      String line = "{\"x\":\"" + "é".repeat(random.nextInt(40)) + "\",\"id\":\"k" + id + "\"}\n";
      input.append(line);
      if (ids.add(id)) {
        expected.append(line);
      }
    }
    for (String threads : List.of("--threads=1", "--threads=4")) {
      String once =
          run(input.toString(), "dedup", "-q", "--exact", "--json-key", ".id", threads).out();
      assertThat(once.equals(expected.toString())).as(threads).isTrue();
    }
  }
}
