package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows with a key of several columns, with other separators and with other line ends. */
class RowsTest {

  private static final String PEOPLE =
      "first,last,city\nAnn,Lee,Oslo\nBob,Lee,Rome\nAnn,Lee,Bonn\nAnn,\"Lee,A\",Oslo\n\"Ann,Lee\",A,x\n";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {"--column=first,last", "--column=1,2 --header", "--column=first --column=last"})
  void aKeyMayBeSeveralColumns(String options) {
    Bloom.Run run = run(PEOPLE, "dedup -q " + options);
    assertThat(run.out())
        .isEqualTo(
            "first,last,city\nAnn,Lee,Oslo\nBob,Lee,Rome\nAnn,\"Lee,A\",Oslo\n\"Ann,Lee\",A,x\n");
    assertThat(run(PEOPLE, "count --exact -q " + options).out())
        .isEqualTo(
            "      1 \"Ann,Lee\",A\n      1 Ann,\"Lee,A\"\n      2 Ann,Lee\n      1 Bob,Lee\n");
  }

  private static Bloom.Run run(String input, String line) {
    return bloomWith(input, (Object[]) line.split(" ", -1));
  }

  @Test
  void keysHaveTheColumnsInTheGivenOrder() {
    assertThat(run("a\tb\n1\t2\n", "count --exact -q --column b,a").out())
        .isEqualTo("      1 2\t1\n");
    assertThat(run("1,2,3\n,5,\n,,\n", "count --exact -q --column 3,1").out())
        .isEqualTo("      1 3,1\n");
    assertThat(run("1,2,3\n,5,\n,,\n", "count --exact -q --column 3,1 --keep-empty").out())
        .isEqualTo("      2 \n      1 3,1\n");
  }

  @Test
  void filtersStoreSuchKeysAsRows() throws IOException {
    Path filter = directory.resolve("f.bloom");
    assertThat(run(PEOPLE, "build -q -o " + filter + " --column first,last").code()).isZero();
    assertThat(Filters.open(filter).mightContain("Ann,Lee")).isTrue();
    assertThat(Filters.open(filter).mightContain("Ann,\"Lee,A\"")).isTrue();
    String others = "last,x,first\nLee,1,Ann\nLee,2,Zoe\n";
    assertThat(run(others, "check " + filter + " --column first,last --mode absent").out())
        .isEqualTo("last,x,first\nLee,2,Zoe\n");
  }

  /** {@code --column a,b} prefers a column of that very name to the columns a and b. */
  @Test
  void columnNamesMayContainCommas() {
    assertThat(run("\"a,b\",b,a\n1,2,3\n", "count --exact -q --column a,b").out())
        .isEqualTo("      1 1\n");
  }

  @Test
  void missingColumnsAreNamed() {
    assertError(run(PEOPLE, "dedup --column first,town"), "no column is named \"town\"");
    assertError(run(PEOPLE, "dedup --column 1,9"), "there is no column 9");
    assertError(run(PEOPLE, "dedup --column first,1"), "names a column twice: first,1");
    assertError(run(PEOPLE, "dedup --column 1,0"), "columns are numbered from 1");
    assertError(run("a,b\n1,2\n3\n", "dedup --column 1,2"), "has no column 2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {"a;city;c!;", "a|city|c!|", "a:city:c!:"})
  void theErrorSuggestsAnotherSeparator(String header, String separator) throws IOException {
    String hint = "is the separator '%s'? use --separator '%s'".formatted(separator, separator);
    String rows = header + "\n" + header + "\n";
    assertError(
        run(rows, "dedup --column city"),
        "no column is named \"city\"; the first row has one column: " + header + "; " + hint);
    assertError(
        run(rows, "dedup --column 2 --header"),
        "there is no column 2; the first row has 1 column; " + hint);
    Path file = Files.writeString(directory.resolve("x.csv"), rows);
    assertError(
        bloom("join", file, file, "--on", "city"),
        "no column 'city'; the header has one column: " + header + "; " + hint);
    assertError(bloom("join", file, file, "--on", "2"), hint);
    assertThat(run(rows, "dedup -q --column city --separator " + separator).code()).isZero();
  }

  @Test
  void theErrorSuggestsTab() {
    assertError(run("a\tb\n1\t2\n", "dedup --column b --separator ,"), "use --separator '\\t'");
    assertError(run("a\n1\n", "dedup --column b"), "the first row has one column: a\n");
  }

  @Test
  void lineEndsAreKept() throws IOException {
    String rows = "id,x\r\n1,a\r\n2,b\r\n1,c";
    assertThat(run(rows, "dedup -q --column id").out()).isEqualTo("id,x\r\n1,a\r\n2,b\r\n");
    assertThat(run(rows, "dedup -q --column x").out()).isEqualTo(rows + "\r\n");
    assertThat(run("b\r\na\r\nb", "dedup -q").out()).isEqualTo("b\r\na\r\n");
    assertThat(run("b\r\na\r\nc", "dedup -q").out()).isEqualTo("b\r\na\r\nc\r\n");
    assertThat(run("b\r\na\r\nb", "count --exact -q").out())
        .isEqualTo("      1 a\r\n      2 b\r\n");
    Path windows = Files.writeString(directory.resolve("w"), "a\r\nb\r\nc");
    Path unix = Files.writeString(directory.resolve("u"), "b\nd\n");
    assertThat(bloom("diff", windows, unix, "-s").code()).isEqualTo(1);
    assertThat(bloom("diff", windows, unix).out()).isEqualTo("< a\r\n< c\r\n> d\n");
    assertThat(bloom("diff", unix, windows).out()).isEqualTo("< d\n> a\r\n> c\r\n");
    assertThat(bloom("diff", "--only", "left", windows, unix).out()).isEqualTo("a\r\nc\r\n");
  }

  /** A missing last line end is added in the style of that file, not of the file before it. */
  @Test
  void lineEndsAreDetectedPerFile() throws IOException {
    Path unix = Files.writeString(directory.resolve("u"), "a\nb");
    Path windows = Files.writeString(directory.resolve("w"), "c\r\nd");
    for (int threads : new int[] {1, 3}) {
      assertThat(bloom("dedup", "-q", "--threads", threads, unix, windows, unix).out())
          .isEqualTo("a\nb\nc\r\nd\r\n");
    }
  }

  @Test
  void threadsAreChecked() {
    for (String wrong : List.of("0", "65", "-1")) {
      assertError(run("a\n", "dedup --threads " + wrong), "--threads is " + wrong);
    }
    assertError(run("a\n", "build -o x --threads many"), "--threads");
  }
}
