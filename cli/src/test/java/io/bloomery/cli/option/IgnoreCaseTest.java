package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --ignore-case}: in files that record it, and in commands without a file. */
class IgnoreCaseTest {

  private static final String LINES = "Café\nSTRASSE\nStra\u00dfe\nIstanbul\n";

  @TempDir private Path directory;
  private Path folded;
  private Path exact;

  private static Bloom.Run run(String input, String line, Object... more) {
    Object[] words = line.split(" ", -1);
    Object[] all = new Object[words.length + more.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return bloomWith(input, all);
  }

  @BeforeEach
  void build() {
    folded = directory.resolve("folded.bloom");
    exact = directory.resolve("exact.bloom");
    assertThat(run(LINES, "build -q --ignore-case -o", folded).code()).isZero();
    assertThat(run(LINES, "build -q -o", exact).code()).isZero();
  }

  @Test
  void theFileSaysItAndCommandsFollow() throws IOException {
    assertThat(Filters.header(folded).description().text("case")).contains("folded, Unicode 16.0");
    assertThat(Filters.header(exact).description().text("case")).isEmpty();
    assertThat(Filters.open(folded).mightContain("caf\u00e9")).isTrue();
    assertThat(
            run("CAF\u00c9\nstra\u1e9ee\nMASSE\nistanbul\n\u0130stanbul\n", "check", folded).out())
        .isEqualTo(
            """
            probably present\tCAF\u00c9
            probably present\tstra\u1e9ee
            certainly absent\tMASSE
            probably present\tistanbul
            certainly absent\t\u0130stanbul
            """);
    assertThat(bloom("check", folded, "--key", "strasse", "--key", "STRA\u00dfE").out())
        .isEqualTo("probably present\tstrasse\nprobably present\tSTRA\u00dfE\n");
    assertThat(bloom("which", "-q", "--", "cAf\u00e9", folded, exact).out())
        .isEqualTo(folded + "\n");
    assertThat(run("Oslo\n", "add -q", folded).code()).isZero();
    assertThat(bloom("add", "-q", folded, "--key", "\u00c5rhus").code()).isZero();
    assertThat(bloom("check", "-q", folded, "--key", "\u00e5RHUS", "--key", "OSLO").out())
        .isEqualTo("probably present\t\u00e5RHUS\nprobably present\tOSLO\n");
    assertThat(Filters.header(folded).description().text("case")).isPresent();
    assertThat(bloom("info", folded).out()).contains("key case", "folded, Unicode 16.0");
    assertThat(Json.object(bloom("info", folded, "--json").out()).get("keyCase"))
        .isEqualTo("folded, Unicode 16.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"present", "absent", "annotate"})
  void linesArePrintedAsTheyAre(String mode) {
    String out = run("CAF\u00c9\r\nOther", "check -q --mode " + mode, folded).out();
    assertThat(out)
        .isEqualTo(
            switch (mode) {
              case "present" -> "CAF\u00c9\r\n";
              case "absent" -> "Other\r\n";
              default -> "probably present\tCAF\u00c9\r\ncertainly absent\tOther\r\n";
            });
  }

  @Test
  void contradictionsAreRefused() throws IOException {
    assertError(
        run("x\n", "check --ignore-case", exact),
        "exact.bloom: case matters in its keys, as it was built; leave out --ignore-case");
    assertError(run("x\n", "add --ignore-case", exact), "leave out --ignore-case");
    assertThat(run("x\n", "check --ignore-case", folded).code()).isZero();
    assertError(
        bloom("merge", folded, exact, "-o", directory.resolve("m.bloom")),
        "case does not matter in the keys of "
            + folded
            + " (--ignore-case) and does in those of "
            + exact);
    assertError(
        bloom("merge", exact, folded, "--mix-types", "-o", directory.resolve("m.bloom")),
        "build both alike");
    assertError(
        run("1\n", "build --type int64 --ignore-case -o", directory.resolve("n.bloom")),
        "--ignore-case is for text; values of type int64 have no case");
    assertError(run("1\n", "diff --type number --ignore-case - x"), "have no case", "no such file");
    assertError(
        run("1234", "dedup --binary 4 --ignore-case"),
        "--ignore-case and --binary exclude each other");
  }

  private static void assertError(Bloom.Run run, String... either) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(List.of(either)).anyMatch(run.err()::contains);
  }

  @Test
  void foldedFiltersMerge() {
    Path other = directory.resolve("other.bloom");
    run("ROMA\n", "build -q --ignore-case -o", other);
    Path merged = directory.resolve("m.bloom");
    assertThat(bloom("merge", "-q", folded, other, "-o", merged).code()).isZero();
    assertThat(bloom("check", "-q", merged, "--key", "CAF\u00c9", "--key", "roma").code()).isZero();
  }

  @Test
  void commandsWithoutAFilter() throws IOException {
    String input = "b\nA\na\nB\n\u00c9\n\u00e9\nc\n";
    assertThat(run(input, "dedup -q --ignore-case").out()).isEqualTo("b\nA\n\u00c9\nc\n");
    assertThat(run(input, "dedup -q --exact --ignore-case").out()).isEqualTo("b\nA\n\u00c9\nc\n");
    assertThat(run(input, "count -q --ignore-case").out())
        .isEqualTo("      2 a\n      2 b\n      1 c\n      2 \u00e9\n");
    assertThat(run(input, "count -q --exact --ignore-case --key A --key \u00c9").out())
        .isEqualTo("2\ta\n2\t\u00e9\n");
    assertThat(run("x\nX\nx\ny\n", "top -q --exact --ignore-case").out())
        .isEqualTo("3\t0\tx\n1\t0\ty\n");
    assertThat(run(input, "distinct -q --exact --ignore-case").out()).startsWith("4");
    Path left = Files.writeString(directory.resolve("l"), "id,x\nAnn,1\nBOB,2\n");
    Path right = Files.writeString(directory.resolve("r"), "id,y\nANN,p\nbob,q\ncid,r\n");
    assertThat(bloom("join", "-q", left, right, "--on", "id", "--ignore-case").out())
        .isEqualTo("id,x,y\nAnn,1,p\nBOB,2,q\n");
    assertThat(bloom("join", "-q", left, right, "--on", "id").err())
        .contains("some differ only in case, such as", "--ignore-case makes these equal");
    assertThat(bloom("diff", "-q", "--ignore-case", "--column", "id", left, right).out())
        .isEqualTo("> cid\n");
    Path parts = Files.createDirectory(directory.resolve("parts"));
    assertThat(run("x\nX\ny\nY\n", "partition -q --ignore-case -n 8 -o", parts).code()).isZero();
    try (var files = Files.list(parts)) {
      for (Path part : files.toList()) {
        List<String> lines = Files.readAllLines(part);
        assertThat(lines).isSubsetOf("x", "X", "y", "Y");
        assertThat(lines.contains("x")).isEqualTo(lines.contains("X"));
        assertThat(lines.contains("y")).isEqualTo(lines.contains("Y"));
      }
    }
    Path state = directory.resolve("state.bloom");
    assertThat(run("A\n", "dedup -q --ignore-case --state", state).out()).isEqualTo("A\n");
    assertThat(run("a\nb\n", "dedup -q --ignore-case --state", state).out()).isEqualTo("b\n");
    assertError(run("a\n", "dedup -q --state", state), "--ignore-case");
  }

  /** Of a key of several columns each value is folded. */
  @Test
  void rowsAreFolded() {
    Path rows = directory.resolve("rows.bloom");
    run("a,b\n\"X,Y\",\u00c9\n", "build -q --ignore-case --column a,b -o", rows);
    assertThat(run("b\ta\n\u00e9\tx,y\n", "check -q --column a,b --mode present", rows).out())
        .isEqualTo("b\ta\n\u00e9\tx,y\n");
    assertThat(bloom("check", "-q", rows, "--key", "\"x,Y\",\u00c9").code()).isZero();
  }
}
