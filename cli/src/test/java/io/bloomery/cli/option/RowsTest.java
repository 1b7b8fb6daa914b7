package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import io.bloomery.hash.Funnel;
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
        .isEqualTo("      1 2,1\n");
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

  /** Whatever separates the values in the file, and however they are quoted there. */
  @Test
  void suchKeysDoNotDependOnTheFile() throws IOException {
    List<String> formats =
        List.of(
            "a,b\n\"x,y\",\"1\t\"\n\"say \"\"hi\"\"\",2\n",
            "b|x|a\n1\t|?|x,y\n2|?|\"say \"\"hi\"\"\"\n",
            "b;a\r\n1\t;x,y\r\n2;\"say \"\"hi\"\"\"\r\n");
    String tabs = "a\tb\nsay \"hi\"\t2\n";
    String json = "{\"a\":\"x,y\",\"b\":\"1\\t\"}\n{\"a\":\"say \\\"hi\\\"\",\"b\":2}\n";
    Path filter = directory.resolve("f.bloom");
    for (String built : formats) {
      String separator =
          " --separator " + (built.contains("|") ? "|" : built.contains(";") ? ";" : ",");
      run(built, "build -q -f -o " + filter + " --column a,b" + separator);
      for (String asked : formats) {
        separator = " --separator " + (asked.contains("|") ? "|" : asked.contains(";") ? ";" : ",");
        assertThat(run(asked, "check " + filter + " --column a,b" + separator).err())
            .contains("2 keys: 2 probably present");
      }
      assertThat(run(tabs, "check " + filter + " --column a,b").err())
          .contains("1 probably present");
      assertThat(run(json, "check " + filter + " --json-key .a --json-key .b").err())
          .contains("2 probably present");
      assertThat(bloom("check", filter, "--key", "\"x,y\",1\t").err())
          .contains("1 probably present");
      assertThat(Filters.open(filter).mightContain(List.of("say \"hi\"", "2"), Funnel.rows()))
          .isTrue();
      assertThat(Filters.open(filter).mightContain(List.of("x", "y,1\t"), Funnel.rows())).isFalse();
    }
  }

  @Test
  void eachValueOfSuchAKeyIsBroughtIntoItsForm() {
    assertThat(run("a,b\n 1 , x\n1,x\n", "count --exact -q --trim --column a,b").out())
        .isEqualTo("      2 1,x\n");
    assertThat(run("a,b\n01,2.0\n1,2\n", "top --exact -q --type number --column a,b").out())
        .isEqualTo("2\t0\t1,2\n");
    assertThat(
            run(
                    "{\"a\":1.0,\"b\":\" 2\"}\n",
                    "top --exact -q --type number --trim --json-key .a --json-key .b")
                .out())
        .isEqualTo("1\t0\t1,2\n");
    assertError(
        run("a,b\n1,2\n1,x\n", "top --exact --type number --column a,b"),
        "standard input, line 3: \"x\" is not of type number");
    assertError(
        run("a,b\n1,2\n", "build -q -o x --type int64 --column a,b"),
        "keys of several values are rows of text; a type other than text is for keys of one");
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
        "no column is named \"city\"; the first row has one column: " + header + "; " + hint);
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
