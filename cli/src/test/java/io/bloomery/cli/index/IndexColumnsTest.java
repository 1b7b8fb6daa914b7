package io.bloomery.cli.index;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An index whose keys are columns of CSV and TSV files. */
class IndexColumnsTest {

  @TempDir private Path directory;

  private IndexFixture fixture;

  @BeforeEach
  void makeTables() throws IOException {
    fixture = new IndexFixture(directory);
    fixture.write("a.csv", "id,name,city\n" + rows(0, 3000));
    fixture.write("b.tsv", "city\tid\nRome\tt-1\n\"Bonn\tt-2\n");
    fixture.write("c.csv", "id,city\n1,\"Ulm, \"\"old\"\"\"\n2,\"New\nYork\"\n3,\n");
    Files.write(fixture.logs().resolve("d.gz"), Inputs.gzip("id,name,city\n" + rows(5000, 8000)));
  }

  private static String rows(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(i).append(",\"n,").append(i % 7 == 0 ? "\n" : "").append(i);
      text.append("\",city-").append(i).append('\n');
    }
    return text.toString();
  }

  @Test
  void aValueIsFoundInItsColumnOnly() {
    fixture.make("--column", "city", "--share", "50%");
    for (int i = 0; i < 3000; i += 271) {
      assertThat(fixture.find("city-" + i)).containsExactly("a.csv");
      assertThat(fixture.find("city-" + (5000 + i))).containsExactly("d.gz");
      assertThat(fixture.find(String.valueOf(i))).isEmpty();
    }
    assertThat(fixture.find("Rome")).containsExactly("b.tsv");
    assertThat(fixture.find("\"Bonn")).containsExactly("b.tsv");
    assertThat(fixture.find("Ulm, \"old\"")).containsExactly("c.csv");
    assertThat(fixture.find("New\nYork")).containsExactly("c.csv");
    assertThat(fixture.find("")).containsExactly("c.csv");
    assertThat(fixture.find("city")).isEmpty();
    assertThat(fixture.find("Rome", "Rome", "--all-keys")).containsExactly("b.tsv");
    assertThat(fixture.find("Rome", "Ulm", "--all-keys")).isEmpty();
  }

  @Test
  void rowsArePrintedWithTheirFirstLineNumber() throws IOException {
    fixture.make("--column", "city");
    String[] lines = Files.readString(fixture.logs().resolve("a.csv")).split("\n", -1);
    int number = 1;
    while (!lines[number - 1].equals("2900,\"n,2900\",city-2900")) {
      number++;
    }
    assertThat(fixture.findRun("--grep", "--line-number", "city-2900").out())
        .endsWith("a.csv:" + number + ":2900,\"n,2900\",city-2900\n");
    assertThat(fixture.findRun("--grep", "--line-number", "New\nYork").out())
        .endsWith("c.csv:3:2,\"New\nYork\"\n");
  }

  @Test
  void severalColumnsFormOneKey() throws IOException {
    Files.delete(fixture.logs().resolve("b.tsv"));
    Files.delete(fixture.logs().resolve("c.csv"));
    fixture.make("--column", "3,1", "--header");
    assertThat(fixture.find("city-17,17")).containsExactly("a.csv");
    assertThat(fixture.find("city-17,18")).isEmpty();
    assertThat(fixture.find("city,id")).isEmpty();
  }

  @Test
  void anUpdateKnowsTheColumns() throws IOException {
    fixture.make("--column", "city");
    Path grown = fixture.logs().resolve("a.csv");
    Files.writeString(grown, rows(3000, 3300), StandardOpenOption.APPEND);
    Files.delete(fixture.logs().resolve("b.tsv"));
    fixture.write("e.csv", "x,city\n1,new\n");
    assertThat(fixture.find("city-3200")).containsExactly("a.csv");
    assertThat(fixture.find("new")).containsExactly("e.csv");
    assertThat(bloom("index", "--update", fixture.index(), "-q").err()).isEmpty();
    byte[] updated = Files.readAllBytes(fixture.index());
    fixture.make("--column", "city", "--force");
    assertThat(updated).isEqualTo(Files.readAllBytes(fixture.index()));
    assertThat(fixture.find("city-3200")).containsExactly("a.csv");
    assertThat(fixture.find("city-17")).containsExactly("a.csv");
  }

  @Test
  void filesWithoutTheColumnAreNamedAndLeftOut() throws IOException {
    fixture.write("other.csv", "a,b\n1,2\n");
    fixture.write("empty.csv", "");
    Bloom.Run run = bloom("index", fixture.logs(), "-o", fixture.index(), "--column", "city", "-q");
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("other.csv: no column is named \"city\"; the first row has: a, b")
        .hasLineCount(1);
    Bloom.Run found = fixture.findRun("Rome");
    assertThat(found.code()).isEqualTo(2);
    assertThat(found.out()).isEqualTo(fixture.logs().resolve("b.tsv") + "\n");
  }

  @Test
  void malformedRowsEndIndexingAndAreNamedOnSearching() throws IOException {
    fixture.make("--column", "city");
    fixture.write("wrong.csv", "id,city\n1,Oslo\n2\n3,Kiel\n");
    Bloom.Run run =
        bloom("index", fixture.logs(), "-o", fixture.index(), "-f", "--column", "city", "-q");
    assertError(run, "wrong.csv, line 3: the row \"2\" has no column 2");
    Bloom.Run found = fixture.findRun("Rome");
    assertThat(found.code()).isEqualTo(2);
    assertThat(found.err()).contains("wrong.csv, line 3: the row \"2\" has no column 2");
    assertThat(found.out()).isEqualTo(fixture.logs().resolve("b.tsv") + "\n");
  }

  @Test
  void mistakesAreErrors() {
    Object[][] mistakes = {
      {"--separator", ";", "--separator and --header need --column"},
      {
        "--column",
        "city",
        "--whole-lines",
        "--whole-lines, --column and --json-key exclude each other"
      },
      {"--column", "city", "--joints=-", "--joints is about tokens"},
      {"--column", "0", "columns are numbered from 1"},
    };
    for (Object[] mistake : mistakes) {
      Object[] words = new Object[mistake.length + 3];
      System.arraycopy(mistake, 0, words, 4, mistake.length - 1);
      words[0] = "index";
      words[1] = fixture.logs();
      words[2] = "-o";
      words[3] = fixture.index();
      assertError(bloom(words), (String) mistake[mistake.length - 1]);
    }
  }
}
