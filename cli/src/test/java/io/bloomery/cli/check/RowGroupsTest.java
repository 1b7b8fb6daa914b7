package io.bloomery.cli.check;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which row groups of Parquet files can be skipped, and what is in the files. */
final class RowGroupsTest {

  private static final Path PARQUET = Path.of("../core/src/test/resources/foreign/parquet");
  private static final Path WORDS = PARQUET.resolve("arrow-bloom-words.parquet");
  private static final Path STATS = PARQUET.resolve("data_index_bloom_encoding_stats.parquet");
  private static final Path LENGTH =
      PARQUET.resolve("data_index_bloom_encoding_with_length.parquet");

  @TempDir private Path directory;

  @Test
  void everyRowGroupOfEveryFileAnswers() {
    Bloom.Run run =
        bloom("check", "--column", "String", "-k", "Hello", "-k", "zebra", STATS, LENGTH);
    assertThat(run.out())
        .isEqualTo(
            """
            probably present\t%1$s\t0\tHello
            certainly absent\t%1$s\t0\tzebra
            probably present\t%2$s\t0\tHello
            certainly absent\t%2$s\t0\tzebra
            """
                .formatted(STATS, LENGTH));
    assertThat(run.err()).isEqualTo("2 keys, 2 files, 2 row groups: 0 can be skipped, 2 to read\n");
    assertThat(run.code()).isEqualTo(1);
    assertThat(bloom("check", "--column", "String", "-k", "Hello", STATS, "-s").code()).isZero();
    Bloom.Run absent = bloom("check", "--column", "String", "-k", "zebra", STATS, LENGTH, "-c");
    assertThat(absent.out())
        .isEqualTo("1 key, 2 files, 2 row groups: 2 can be skipped, 0 to read\n");
    assertThat(
            bloomWith("dog\nzebra\n", "check", "--column", "String", STATS, "--mode", "present")
                .out())
        .isEqualTo(STATS + "\t0\tdog\n");
    assertThat(
            bloomWith("dog\nzebra\n", "check", "--column", "String", STATS, "--mode", "absent")
                .out())
        .isEqualTo(STATS + "\t0\tzebra\n");
  }

  @Test
  void keysHaveTheColumnsTypeAndColumnsWithoutFilterAreRead() {
    Bloom.Run none = bloom("check", "--column", "nobloom", "-k", "7", WORDS);
    assertThat(none.out())
        .isEqualTo("no filter\t%1$s\t0\t7\nno filter\t%1$s\t1\t7\n".formatted(WORDS));
    assertThat(none.code()).isZero();
    Bloom.Run text = bloom("check", "--column", "i64", "-k", "seven", WORDS);
    assertThat(text.code()).isEqualTo(2);
    assertThat(text.err()).contains("\"seven\" is not of type INT64").hasLineCount(1);
    assertThat(bloom("check", "--column", "i64", "-k", "7", WORDS).code()).isEqualTo(1);
  }

  @Test
  void jsonHasEveryAnswer() {
    List<Map<?, ?>> objects =
        Json.lines(bloom("check", "--column", "word", "-k", "zzzz", WORDS, "--json").out());
    assertThat(objects).hasSize(3);
    Map<?, ?> group = objects.get(1);
    assertThat(group.get("file")).isEqualTo(WORDS.toString());
    assertThat(group.get("rowGroup")).isEqualTo(1.0);
    assertThat((List<?>) group.get("answers")).hasSize(1);
    Map<?, ?> json = objects.get(2);
    assertThat(json.get("column")).isEqualTo("word");
    assertThat(json.get("rowGroups")).isEqualTo(2.0);
    assertThat(json.get("files")).isEqualTo(1.0);
    String[] quiet = {
      "check", "--column", "word", "-k", "zzzz", "--json", "-q", "--mode", "absent"
    };
    assertThat(bloom((Object[]) with(quiet, WORDS.toString())).out().lines())
        .hasSize(((Double) json.get("skippable")).intValue());
    quiet[quiet.length - 1] = "present";
    assertThat(bloom((Object[]) with(quiet, WORDS.toString())).out().lines())
        .hasSize(2 - ((Double) json.get("skippable")).intValue());
  }

  private static String[] with(String[] words, String last) {
    String[] all = Arrays.copyOf(words, words.length + 1);
    all[words.length] = last;
    return all;
  }

  @Test
  void errorsNameTheColumnOrFile() throws IOException {
    assertThat(bloom("check", "--column", "none", "-k", "1", WORDS).err())
        .contains("has no column none; it has word, i32, i64, dbl, flba16, nobloom");
    Path text = Files.writeString(directory.resolve("keys"), "a\n");
    assertThat(bloom("check", "--column", "word", "-k", "1", WORDS, text).err())
        .contains(text + ": is not a Parquet file");
    assertThat(bloom("check", "--column", "word,i32", "-k", "1", WORDS).code()).isEqualTo(2);
  }

  @Test
  void infoListsAllFilters() {
    Bloom.Run run = bloom("info", WORDS);
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith(WORDS + "\n")
        .containsPattern("row groups +2\n")
        .containsPattern("filters +10, 40,960 bytes")
        .containsPattern("without filter +nobloom\n")
        .containsPattern("\ngroup +column +type +bytes +fill +estimated keys +expected rate\n")
        .containsPattern("\n +0 +i64 +INT64 +4,096 +38.6 % +[12],[0-9]{3} +0.[0-9]+ %\n")
        .containsPattern("\n +1 +flba16 +FIXED_LEN_BYTE_ARRAY\\(16\\) ");
    Map<?, ?> json = Json.object(bloom("info", WORDS, "--json").out());
    List<?> filters = (List<?>) json.get("filters");
    assertThat(filters).hasSize(10);
    assertThat(((Map<?, ?>) filters.get(2)).get("type")).isEqualTo("INT64");
    assertThat(((Map<?, ?>) filters.get(2)).get("fillRatio")).isEqualTo(12660 / 32768.0);
    assertThat(json.get("columnsWithoutFilter")).isEqualTo(List.of("nobloom"));
    assertThat(bloom("info", WORDS, "--format", "parquet:1:word").out()).contains("parquet-bitset");
    assertThat(bloom("info", STATS).out()).containsPattern("filters +1, ");
  }
}
