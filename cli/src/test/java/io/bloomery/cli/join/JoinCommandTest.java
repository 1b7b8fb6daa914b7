package io.bloomery.cli.join;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinCommandTest {

  @TempDir private Path directory;
  private Path people;
  private Path orders;

  @BeforeEach
  void write() throws IOException {
    people =
        write(
            "people.csv",
            """
            id,name,city
            1,Ann,Oslo
            2,"Bob ""the"" B",Rome
            3,Cem,"New
            York"
            """);
    orders = write("orders.csv", "order,id,city\n7,2,here\n8,1,there\n9,2,\"a,b\"\n10,4,x\n");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void innerIsEveryPairWithEqualKeys() {
    Bloom.Run run = bloom("join", people, orders, "--on", "id");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("id,name,city,order,city_right\n")
        .contains("1,Ann,Oslo,8,there\n")
        .contains("2,\"Bob \"\"the\"\" B\",Rome,7,here\n")
        .contains("2,\"Bob \"\"the\"\" B\",Rome,9,\"a,b\"\n")
        .hasLineCount(4);
    assertThat(run.err())
        .isEqualTo(
            "3 rows and 4: 3 rows joined; the filter pruned 1 row of the larger file, 0 of 2 that"
                + " passed had no match\n");
  }

  @Test
  void leftSemiAndAnti() {
    assertThat(bloom("join", people, orders, "--on", "id", "--how", "left").out())
        .contains("3,Cem,\"New\nYork\",,\n")
        .hasLineCount(6);
    assertThat(bloom("join", people, orders, "--on", "id", "--how", "semi").out())
        .isEqualTo("id,name,city\n1,Ann,Oslo\n2,\"Bob \"\"the\"\" B\",Rome\n");
    assertThat(bloom("join", people, orders, "--on", "id", "--how", "ANTI").out())
        .isEqualTo("id,name,city\n3,Cem,\"New\nYork\"\n");
    assertThat(bloom("join", orders, people, "--on", "id", "--how", "anti").out())
        .isEqualTo("order,id,city\n10,4,x\n");
    assertThat(bloom("join", orders, people, "--on", "id", "--how", "semi", "-q").out())
        .isEqualTo("order,id,city\n7,2,here\n8,1,there\n9,2,\"a,b\"\n");
  }

  @Test
  void keyColumnsAreNamedOrNumberedAndMayDiffer() throws IOException {
    Path other = write("other.tsv", "person\tnote\tcity\n2\ta,\"b\"\tx\n1\tplain\t\"q\"\n");
    assertThat(bloom("join", people, other, "--left-on", "id", "--right-on", "person", "-q").out())
        .isEqualTo(
            "id,name,city,note,city_right\n"
                + "1,Ann,Oslo,plain,\"\"\"q\"\"\"\n"
                + "2,\"Bob \"\"the\"\" B\",Rome,\"a,\"\"b\"\"\",x\n");
    assertThat(bloom("join", orders, people, "--left-on", "2", "--right-on", "1").code()).isZero();
    assertThat(
            bloom("join", people, orders, "--on", "id", "--suffix", "2").out().lines().findFirst())
        .contains("id,name,city,order,city2");
    Path left = write("l", "a;b\n1;2\n1;\n");
    Path right = write("r", "b;a;c\n2;1;x\n;1;y\n");
    assertThat(bloom("join", left, right, "--on", "a", "--on", "b", "--separator", ";", "-q").out())
        .isEqualTo("a;b;c\n1;2;x\n");
    assertThat(
            bloom(
                    "join",
                    left,
                    right,
                    "--on",
                    "a",
                    "--on",
                    "b",
                    "--separator",
                    ";",
                    "-q",
                    "--keep-empty")
                .out())
        .isEqualTo("a;b;c\n1;2;x\n1;;y\n");
  }

  @Test
  void withoutAHeaderTheFirstRowIsData() throws IOException {
    Path left = write("l", "1,a\n2,b\n");
    Path right = write("r", "x,2\n");
    Bloom.Run run =
        bloom("join", left, right, "--no-header", "--left-on", "1", "--right-on", "2", "-q");
    assertThat(run.out()).isEqualTo("2,b,x\n");
    Path empty = write("e", "");
    assertThat(bloom("join", left, empty, "--no-header", "--on", "1", "--how", "anti", "-q").out())
        .isEqualTo("1,a\n2,b\n");
    assertThat(bloom("join", empty, left, "--no-header", "--on", "1", "--how", "left", "-q").out())
        .isEmpty();
  }

  @Test
  void readsGzipAndStandardInput() throws IOException {
    Path packed = Files.write(directory.resolve("p.gz"), gzip(Files.readString(people)));
    String expected = bloom("join", people, orders, "--on", "id", "--count").out();
    assertThat(bloom("join", packed, orders, "--on", "id", "--count").out())
        .startsWith(expected.substring(0, expected.indexOf(';')));
    byte[] bytes = Files.readAllBytes(people);
    assertThat(bloomWith(bytes, "join", "-", orders, "--on", "id", "-c").out())
        .startsWith("3 rows and 4: 3 rows joined; ");
    assertThat(bloomWith(bytes, "join", orders, "-", "--on", "id", "-c").out())
        .startsWith("4 rows and 3: 3 rows joined; ");
  }

  @Test
  void jsonHasTheCounts() {
    Map<?, ?> json = Json.object(bloom("join", people, orders, "--on", "id", "-c", "--json").out());
    assertThat(json)
        .hasToString(
            "{left="
                + people
                + ", right="
                + orders
                + ", type=inner, leftRows=3.0, rightRows=4.0,"
                + " rows=3.0, sparedByFilter=1.0, passedFilter=2.0, passedWithoutMatch=0.0,"
                + " temporaryBytes=0.0, badRows=0.0}");
  }

  @Test
  void wrongUseIsExplained() throws IOException {
    assertError(bloom("join", people, orders), "give the key column: --on COLUMN");
    assertError(
        bloom("join", people, orders, "--on", "id", "--left-on", "id"), "give the key column");
    assertError(
        bloom("join", people, orders, "--left-on", "id", "--left-on", "name", "--right-on", "id"),
        "as many --left-on as --right-on");
    assertError(
        bloom("join", people, orders, "--on", "nr"),
        "no column is named \"nr\"; the first row has: id, name, city");
    assertError(
        bloom("join", people, orders, "--on", "4"),
        "there is no column 4; the first row has 3 columns");
    assertError(
        bloom("join", people, orders, "--on", "id", "--no-header"), "a column is a number from 1");
    assertError(bloom("join", "-", "-", "--on", "id"), "only one of the two");
    assertError(
        bloom("join", people, orders, "--on", "id", "--separator", "ab"), "is not one byte");
    assertError(bloom("join", people, orders, "--on", "id", "--separator", "\""), "or a quote");
    assertError(bloom("join", people, directory.resolve("no"), "--on", "id"), "no such file");
    assertError(bloom("join", directory, people, "--on", "id"), "is a directory");
    assertError(bloom("join", people, write("e", ""), "--on", "id"), "e: empty; a row with");
    assertError(bloom("join", people, orders, "--on", "id", "--how", "outer"), "--how");
    Path twice = write("twice", "id,id\n1,2\n");
    assertError(
        bloom("join", twice, orders, "--on", "id"),
        "columns 1 and 2 are both named \"id\"; give the number of one\n");
  }

  @Test
  void malformedRowsAreReportedWithTheirLine() throws IOException {
    Path ragged = write("ragged", "id,x\n1,2\n\n\"3\n\",4\n5\n");
    Bloom.Run run = bloom("join", ragged, orders, "--on", "id");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "bloom: " + ragged + ", line 6: the row \"5\" has 1 field; the first row has 2\n");
    Path open = write("open", "id,x\n1,\"2\n");
    assertThat(bloom("join", open, orders, "--on", "id").err())
        .contains(open.toString(), "line 2: the row \"1,\"2\" has a quote that is never closed");
    byte[] packed = gzip(Files.readString(people));
    Path cut = Files.write(directory.resolve("cut"), java.util.Arrays.copyOf(packed, 60));
    assertThat(bloom("join", cut, orders, "--on", "id").err()).contains("cut, near byte 60");
  }

  @Test
  void aByteOrderMarkIsNotPartOfTheFirstName() throws IOException {
    Path marked = write("marked", "\uFEFFid,x\n1,2\n");
    assertThat(new String(Files.readAllBytes(marked), UTF_8)).startsWith("\uFEFF");
    assertThat(bloom("join", marked, people, "--on", "id", "-q").out())
        .isEqualTo("id,x,name,city\n1,2,Ann,Oslo\n");
  }
}
