package io.bloomery.cli.join;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every command treats quotes alike: in tab-separated rows they are ordinary bytes. */
class QuotesTest {

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  @Test
  void quotesInTabSeparatedRowsAreOrdinaryBytes() throws IOException {
    Path rows = write("r.tsv", "id\tsize\n\"a\"\t3\"\na\t5\n\"b\t7\n");
    Path other = write("o.tsv", "id\tx\n\"a\"\ty\n\"b\tz\n");
    assertThat(bloom("join", rows, other, "--on", "id", "-q").out())
        .isEqualTo("id\tsize\tx\n\"a\"\t3\"\ty\n\"b\t7\tz\n");
    assertThat(bloom("dedup", "-q", rows, "--column", "id").out())
        .isEqualTo(Files.readString(rows));
    Path filter = directory.resolve("f.bloom");
    bloom("build", "-q", "-o", filter, other, "--column", "id");
    assertThat(bloom("check", filter, rows, "--column", "id", "--mode", "present").out())
        .isEqualTo("id\tsize\n\"a\"\t3\"\n\"b\t7\n");
  }

  @Test
  void valuesWithTabsOrLineEndsAreRefusedInTsv() throws IOException {
    Path left = write("l.tsv", "id\tx\n1\ty\n");
    Path right = write("r.csv", "id,z\n1,\"a\tb\"\n");
    assertThat(bloom("join", left, right, "--on", "id", "-q").err())
        .contains("r.csv, line 2: the row ", "has a tab or line end in a field");
    Path named = write("n.csv", "id,\"a\nb\"\n1,2\n");
    assertThat(bloom("join", left, named, "--on", "id", "-q").err())
        .contains("the name of a column of RIGHT has a tab or line end");
    Path quoted = write("q.csv", "id,z\n1,\"a \"\"b\"\"\"\n");
    assertThat(bloom("join", left, quoted, "--on", "id", "-q").out())
        .isEqualTo("id\tx\tz\n1\ty\ta \"b\"\n");
  }

  /** Joining a file with its own deduplicated rows finds every row again. */
  @ParameterizedTest
  @ValueSource(strings = {",", "\t", ";"})
  void joinAndDedupAgreeOnKeys(String separator) throws IOException {
    SplittableRandom random = Seeds.random(75);
    String[] values = {"a", "\"a\"", "\"a", "a\"", "a\"b", "", "\"\"\"\"", "é"};
    StringBuilder rows = new StringBuilder("k" + separator + "n\n");
    for (int i = 0; i < 300; i++) {
      String value = values[random.nextInt(values.length)];
      boolean open = value.equals("\"a") && !separator.equals("\t");
      rows.append(open ? "a" : value).append(separator).append(i).append('\n');
    }
    Path all = write("all", rows.toString());
    Path once = directory.resolve("once");
    bloom("dedup", "-q", "--exact", all, "--column", "k", "--separator", separator, "-o", once);
    String distinct = Files.readString(once);
    assertThat(
            bloom(
                    "join",
                    once,
                    once,
                    "--on=k",
                    "--how=semi",
                    "--keep-empty",
                    "-q",
                    "--separator",
                    separator)
                .out())
        .isEqualTo(distinct);
    assertThat(
            bloom(
                    "join",
                    all,
                    once,
                    "--on=k",
                    "--keep-empty",
                    "-c",
                    "--json",
                    "--separator",
                    separator)
                .out())
        .contains("\"rows\":300,");
  }
}
