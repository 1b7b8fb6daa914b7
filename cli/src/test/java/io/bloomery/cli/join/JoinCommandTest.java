package io.bloomery.cli.join;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.CsvRows;
import io.bloomery.tools.input.KeyForm;
import io.bloomery.tools.input.Reading;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoinCommandTest {

  private static final int LONGEST = Reading.MAX_RECORD;

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

  /**
   * All join types with either build side, over keys that repeat, are empty or contain quotes and
   * line ends; in memory, spilled, and spilled with a filter that lets nearly everything through.
   */
  @ParameterizedTest
  @CsvSource({
    "INNER, 300, 1000",
    "INNER, 1000, 300",
    "LEFT, 300, 1000",
    "LEFT, 1000, 300",
    "SEMI, 300, 1000",
    "SEMI, 1000, 300",
    "ANTI, 300, 1000",
    "ANTI, 1000, 300",
    "RIGHT, 300, 1000",
    "RIGHT, 1000, 300",
    "FULL, 300, 1000",
    "FULL, 1000, 300",
    "LEFT, 1, 1",
    "INNER, 0, 5",
    "ANTI, 5, 0",
    "LEFT, 0, 0",
    "RIGHT, 0, 5",
    "FULL, 5, 0"
  })
  void matchesTheNaiveJoin(JoinRun.Type type, int leftRows, int rightRows) throws IOException {
    SplittableRandom random = Seeds.random(leftRows + 3L * rightRows);
    List<List<String>> left = rows(random, leftRows, 2);
    List<List<String>> right = rows(random, rightRows, 3);
    Path a = Files.write(directory.resolve("a"), csv(List.of("k", "x"), left));
    Path b = Files.write(directory.resolve("b"), csv(List.of("k", "y", "z"), right));
    for (boolean keepEmpty : new boolean[] {false, true}) {
      List<List<String>> expected = naive(type, left, right, keepEmpty);
      for (boolean buildsLeft : new boolean[] {false, true}) {
        for (long memory : new long[] {1 << 30, 200_000, 0}) {
          for (long bits : new long[] {1 << 16, 512}) {
            assertThat(sorted(join(type, a, b, buildsLeft, keepEmpty, memory, bits)))
                .isEqualTo(sorted(expected));
          }
        }
      }
    }
  }

  private static List<String> sorted(List<List<String>> rows) {
    return rows.stream().map(List::toString).sorted().toList();
  }

  private static List<List<String>> join(
      JoinRun.Type type,
      Path a,
      Path b,
      boolean buildsLeft,
      boolean keepEmpty,
      long memory,
      long bits)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CsvTable left = new CsvTable(null, a.toString(), null, true, LONGEST, bytes -> {});
        CsvTable right = new CsvTable(null, b.toString(), null, true, LONGEST, bytes -> {})) {
      left.keyColumns(List.of("k"), KeyForm.AS_IT_IS);
      right.keyColumns(List.of("k"), KeyForm.AS_IT_IS);
      try (JoinRun run =
          new JoinRun(
              type,
              left,
              right,
              buildsLeft,
              keepEmpty,
              memory,
              bits,
              (l, at, length, r, rightAt, rightLength) -> {
                out.write(l, at, length);
                out.write(r, rightAt, rightLength);
                out.write('\n');
              })) {
        run.run();
      }
    }
    List<List<String>> rows = new ArrayList<>();
    CsvRows csv = new CsvRows(new ByteArrayInputStream(out.toByteArray()), (byte) ',', LONGEST);
    while (csv.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 0; i < csv.fields(); i++) {
        csv.value(i, (bytes, at, length) -> row.add(new String(bytes, at, length, ISO_8859_1)));
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<List<String>> rows(SplittableRandom random, int count, int columns) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> row = new ArrayList<>();
      int key = random.nextInt(700);
      row.add(key < 5 ? "" : key < 10 ? "odd \"" + key + "\"\n,\r\n" : "key " + key);
      while (row.size() < columns) {
        row.add(random.nextInt(3) == 0 ? "" : "v\n," + random.nextInt(5) + "\u00FF");
      }
      rows.add(row);
    }
    return rows;
  }

  private static byte[] csv(List<String> header, List<List<String>> rows) {
    StringBuilder csv = new StringBuilder(String.join(",", header)).append("\r\n");
    for (List<String> row : rows) {
      String separator = "";
      for (String value : row) {
        csv.append(separator).append('"').append(value.replace("\"", "\"\"")).append('"');
        separator = ",";
      }
      csv.append("\r\n");
    }
    return csv.toString().getBytes(ISO_8859_1);
  }

  private static List<List<String>> naive(
      JoinRun.Type type, List<List<String>> left, List<List<String>> right, boolean keepEmpty) {
    List<List<String>> all = new ArrayList<>();
    boolean[] met = new boolean[right.size()];
    for (List<String> l : left) {
      boolean match = false;
      for (int i = 0; i < right.size(); i++) {
        List<String> r = right.get(i);
        if (l.get(0).equals(r.get(0)) && (keepEmpty || !l.get(0).isEmpty())) {
          if (type != JoinRun.Type.SEMI && type != JoinRun.Type.ANTI) {
            all.add(List.of(l.get(0), l.get(1), r.get(1), r.get(2)));
          }
          match = true;
          met[i] = true;
        }
      }
      if (type == (match ? JoinRun.Type.SEMI : JoinRun.Type.ANTI)) {
        all.add(l);
      } else if (!match && (type == JoinRun.Type.LEFT || type == JoinRun.Type.FULL)) {
        all.add(List.of(l.get(0), l.get(1), "", ""));
      }
    }
    for (int i = 0; i < met.length; i++) {
      if (!met[i] && (type == JoinRun.Type.RIGHT || type == JoinRun.Type.FULL)) {
        List<String> r = right.get(i);
        all.add(List.of(r.get(0), "", r.get(1), r.get(2)));
      }
    }
    return all;
  }

  /**
   * 1,500 rows per side share one key: its partition exceeds the memory however often it is split.
   */
  @Test
  void rowsOfOneKeyMayExceedTheMemory() throws IOException {
    StringBuilder text = new StringBuilder("k,v\n");
    for (int i = 0; i < 1_500; i++) {
      text.append("same,").append("x".repeat(200)).append(i).append('\n');
    }
    Path big = write("big", text.toString());
    long[] rows = new long[1];
    try (CsvTable left = new CsvTable(null, big.toString(), null, true, LONGEST, bytes -> {});
        CsvTable right = new CsvTable(null, big.toString(), null, true, LONGEST, bytes -> {})) {
      left.keyColumns(List.of("k"), KeyForm.AS_IT_IS);
      right.keyColumns(List.of("k"), KeyForm.AS_IT_IS);
      try (JoinRun run =
          new JoinRun(
              JoinRun.Type.INNER,
              left,
              right,
              true,
              false,
              150_000,
              1 << 16,
              (l, a, n, r, b, m) -> rows[0]++)) {
        run.run();
        assertThat(run.spilled()).isPositive();
      }
    }
    assertThat(rows[0]).isEqualTo(1_500L * 1_500);
  }

  @Test
  void jsonHasTheCounts() {
    Map<?, ?> json = Json.object(bloom("join", people, orders, "--on", "id", "--json").out());
    assertThat(json)
        .hasToString(
            "{left="
                + people
                + ", right="
                + orders
                + ", type=inner, leftRows=3.0, rightRows=4.0,"
                + " rows=3.0, sparedByFilter=1.0, passedFilter=2.0, passedWithoutMatch=0.0,"
                + " temporaryBytes=0.0}");
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
        people + ": no column 'nr'; there are: id, name, city");
    assertError(bloom("join", people, orders, "--on", "4"), "no column 4; there are 3");
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
    assertError(bloom("join", twice, orders, "--on", "id"), "several columns are named 'id'");
  }

  @Test
  void malformedRowsAreReportedWithTheirLine() throws IOException {
    Path ragged = write("ragged", "id,x\n1,2\n\n\"3\n\",4\n5\n");
    Bloom.Run run = bloom("join", ragged, orders, "--on", "id");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("bloom: " + ragged + ", line 6: 1 field; the first row has 2\n");
    Path open = write("open", "id,x\n1,\"2\n");
    assertThat(bloom("join", open, orders, "--on", "id").err())
        .contains(open.toString(), "line 2: a quote is opened and never closed");
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
