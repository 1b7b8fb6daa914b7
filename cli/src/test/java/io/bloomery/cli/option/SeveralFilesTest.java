package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of several files are printed under the header of the first. */
class SeveralFilesTest {

  private static final String FIRST = "id,name,city\n1,Ann,Oslo\n2,Bob,Rome\n";

  @TempDir private Path directory;
  private Path first;

  @BeforeEach
  void writeFirst() throws IOException {
    first = file("h1.csv", FIRST);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private Path filterOf(String... keys) {
    Path filter = directory.resolve("f.bloom");
    List<Object> line = new ArrayList<>(List.of("build", "-q", "-f", "-o", filter));
    Path list = directory.resolve("keys");
    try {
      Files.write(list, List.of(keys));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    line.add(list);
    assertThat(bloom(line.toArray()).code()).isZero();
    return filter;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--column=id", "--column=id --exact", "--column=id --threads=1"})
  void fieldsAreInTheOrderOfTheFirstFile(String options) throws IOException {
    Path second =
        file("h2.csv", "city,id,name\nBonn,3,Cid\n\"Paris, TX\",1,Ann\r\nLima,4,\"D\"\"D\"");
    List<Object> line = new ArrayList<>(List.of("dedup", "-q", first, second));
    line.addAll(List.of(options.split(" ")));
    assertThat(bloom(line.toArray()).out()).isEqualTo(FIRST + "3,Cid,Bonn\n4,\"D\"\"D\",Lima\n");
  }

  @Test
  void answersFollowTheHeaderOfTheFirstFile() throws IOException {
    Path second = file("h2.csv", "name,city,id\nCid,Bonn,3\nAnn,\"Oslo\n2\",1\n");
    Path filter = filterOf("1");
    assertThat(bloom("check", filter, first, second, "--column", "id", "--mode", "present").out())
        .isEqualTo("id,name,city\n1,Ann,Oslo\n1,Ann,\"Oslo\n2\"\n");
    assertThat(bloom("check", filter, first, second, "--column", "id").out())
        .isEqualTo(
            """
            answer,id,name,city
            probably present,1,Ann,Oslo
            certainly absent,2,Bob,Rome
            certainly absent,3,Cid,Bonn
            probably present,1,Ann,"Oslo
            2"
            """);
  }

  @Test
  void fieldsAreSeparatedAsInTheFirstFile() throws IOException {
    Path tabs = file("h2.tsv", "city\tid\tname\nParis, TX\t3\tthe \"D\"\n");
    assertThat(bloom("dedup", "-q", "--column", "id", first, tabs).out())
        .isEqualTo(FIRST + "3,\"the \"\"D\"\"\",\"Paris, TX\"\n");
    assertThat(bloom("dedup", "-q", "--column", "id", tabs, first).out())
        .isEqualTo("city\tid\tname\nParis, TX\t3\tthe \"D\"\nOslo\t1\tAnn\nRome\t2\tBob\n");
    Path same = file("h3.csv", "city,id,name\n\"a\tb\",7,x\n");
    assertThat(bloom("dedup", "--column", "id", tabs, same).err())
        .contains("h3.csv, line 2: the row \"\"a\tb\",7,x\" has a tab or line end in a field");
  }

  @Test
  void filesWithOtherColumnsAreRefused() throws IOException {
    Path other = file("h2.csv", "id,name,town\n3,Cid,Bonn\n");
    for (String command : List.of("dedup", "check")) {
      List<Object> line = new ArrayList<>(List.of(command));
      if (command.equals("check")) {
        line.add(filterOf("1"));
      }
      line.addAll(List.of(first, other, "--column", "id"));
      Bloom.Run run = bloom(line.toArray());
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err())
          .startsWith("bloom: " + other)
          .contains("the columns are id, name, town, and those of the first file id, name, city")
          .hasLineCount(1);
      assertThat(run.out()).doesNotContain("Cid", "town");
      line.add("--count"); // prints no rows, so the columns may differ
      assertThat(bloom(line.toArray()).code()).isLessThan(2);
    }
    Path more = file("h3.csv", "name,id,city,x\nCid,3,Bonn,y\n");
    assertThat(bloom("dedup", first, more, "--column", "id").err()).contains("name, id, city, x");
    Path twice = file("h4.csv", "a,b,b\n1,2,3\n");
    Path turned = file("h5.csv", "b,a,b\n1,2,3\n");
    assertThat(bloom("dedup", "-q", twice, twice, "--column", "a").out())
        .isEqualTo("a,b,b\n1,2,3\n");
    assertThat(bloom("dedup", twice, turned, "--column", "a").err()).contains("the columns are");
    assertError(
        bloom("build", "-o", directory.resolve("o"), first, twice, "--column", "id"), "h4.csv");
  }

  @Test
  void rowsThatLackFieldsCannotBeReordered() throws IOException {
    Path second = file("h2.csv", "name,id,city\nCid,3\n");
    assertThat(bloom("dedup", first, second, "--column", "id").err())
        .contains("h2.csv, line 2: the row \"Cid,3\" has 2 fields, its header 3");
  }

  /** Every command finds the column by name in each file and reads no header as a row. */
  @Test
  void columnsAreFoundInEachFile() throws IOException {
    Path second = file("h2.csv", "city,id\nBonn,3\nOslo,1\n");
    Path third = file("h3.csv", "id");
    Path filter = directory.resolve("ids.bloom");
    String[] keys = {"--column", "id"};
    assertThat(bloom("build", "-q", "-o", filter, first, second, third, "--column", "id").code())
        .isZero();
    assertThat(bloom("check", filter, "--key", "1", "--key", "2", "--key", "3", "-q").code())
        .isZero();
    assertThat(bloom("check", filter, "--key", "id", "-q").code()).isEqualTo(1);
    assertThat(bloom("count", "--exact", "-q", keys[0], keys[1], first, second, third).out())
        .isEqualTo("      2 1\n      1 2\n      1 3\n");
    assertThat(bloom("top", "-q", "-l", 1, keys[0], keys[1], first, second, third).out())
        .isEqualTo("2\t0\t1\n");
    assertThat(bloom("add", filter, first, second, third, "--column", "id").out())
        .containsPattern("keys read +4\n");
    assertThat(bloom("check", filter, first, second, third, "--column", "id", "--count").out())
        .isEqualTo("4 keys: 4 probably present, 0 certainly absent\n");
    assertThat(bloom("diff", "--column", "id", first, second).out()).isEqualTo("< 2\n> 3\n");
  }

  @Test
  void aByteOrderMarkIsNeitherPartOfANameNorARow() throws IOException {
    Path marked = file("m.csv", "\uFEFFid,name\n1,Ann\n");
    Path filter = filterOf("1");
    assertThat(bloom("check", filter, marked, "--column", "id").out())
        .isEqualTo("\uFEFFanswer,id,name\nprobably present,1,Ann\n");
    Path rows = file("n.csv", "\uFEFF1,Ann\n");
    assertThat(bloom("check", filter, rows, "--column", 1, "--mode", "present").out())
        .isEqualTo("\uFEFF1,Ann\n");
    Path turned = file("o.csv", "\uFEFFname,id\nBob,2\n");
    assertThat(bloom("dedup", "-q", marked, turned, "--column", "id").out())
        .isEqualTo("\uFEFFid,name\n1,Ann\n2,Bob\n");
  }

  /**
   * Random rows in several blocks: each is printed once, with the fields of the first file's order.
   */
  @Test
  void randomRowsAreReordered() throws IOException {
    SplittableRandom random = Seeds.random(71);
    StringBuilder one = new StringBuilder("k,a,b\n");
    StringBuilder two = new StringBuilder("b,k,a\n");
    StringBuilder expected = new StringBuilder("k,a,b\n");
    for (int i = 0; i < 20_000; i++) {
      String a = value(random);
      String b = value(random);
      boolean inOne = i < 5_000;
      (inOne ? one : two)
          .append(inOne ? i + "," + a + "," + b : b + "," + i + "," + a)
          .append('\n');
      expected.append(i).append(',').append(a).append(',').append(b).append('\n');
    }
    Path x = file("one", one.toString());
    Path y = file("two", two.toString());
    assertThat(bloom("dedup", "-q", "--exact", "--column", "k", x, y).out())
        .isEqualTo(expected.toString());
    assertThat(bloom("dedup", "-q", "--exact", "--column", "k,a", x, y, y).out())
        .isEqualTo(expected.toString());
  }

  private static String value(SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> "";
      case 1 -> "\"a,b\"";
      case 2 -> "\"x\"\"y\nz\"";
      default -> "v" + random.nextInt(100_000);
    };
  }
}
