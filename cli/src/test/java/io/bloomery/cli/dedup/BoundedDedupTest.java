package io.bloomery.cli.dedup;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code dedup --exact} with a memory limit prints what it prints without one. */
class BoundedDedupTest {

  private static final String PAD = "-".repeat(120);

  @TempDir private Path directory;

  /** More than 8 MB of distinct lines, some repeated at once, some much later, some never. */
  private static String rows(int seed, int count) {
    SplittableRandom random = Seeds.random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      int key = random.nextInt(3) == 0 ? random.nextInt(50) : random.nextInt(count);
      String name = random.nextInt(100) == 0 ? "" : key + PAD + "\u00ff";
      text.append(random.nextInt(2)).append(',').append(name);
      text.append(random.nextInt(10) == 0 ? "\r\n" : "\n");
    }
    return text.append("2,").append(count).append(PAD).toString(); // without a line end
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--duplicates",
        "--column name",
        "--column name --duplicates",
        "--column name --keep-empty",
        "--column name --keep-empty --duplicates",
        "--column name --ignore-case",
        "--column name --type text --trim",
        "--column name --json --duplicates",
        "--json"
      })
  void theOutputIsThatWithoutALimit(String options) throws IOException {
    Path one = directory.resolve("one.csv");
    Path two = directory.resolve("two.csv");
    Files.writeString(one, "id,name\n" + rows(1, 80_000), ISO_8859_1);
    Files.writeString(two, "id,name\r\n" + rows(2, 80_000), ISO_8859_1);
    List<Object> words = new ArrayList<>(List.of("dedup", one, two, "--exact", "-q"));
    Stream.of(options.split(" ")).filter(word -> !word.isEmpty()).forEach(words::add);
    Bloom.Run unlimited = bloom(words.toArray());
    assertThat(unlimited.err()).isEmpty();
    words.add("--memory-limit=8M");
    Bloom.Run limited = bloom(words.toArray());
    assertThat(limited.err()).isEmpty();
    assertThat(limited.code()).isZero();
    assertThat(limited.latin1().equals(unlimited.latin1())).isTrue();
    assertThat(limited.latin1()).isNotEmpty();
  }

  @Test
  void theSummaryCountsWhatWaited() {
    byte[] text = rows(3, 120_000).getBytes(ISO_8859_1);
    for (String way : List.of("-c", "-cd", "-d", "--no-progress")) {
      Bloom.Run run = bloomWith(text, "dedup", "--exact", "--json", way, "-o", out(), "-f");
      Bloom.Run limited =
          bloomWith(
              text, "dedup", "--exact", "--json", way, "-o", out(), "-f", "--memory-limit=8M");
      Map<?, ?> facts = Json.object(limited.out());
      for (String name : List.of("linesRead", "newLines", "repeatedLines")) {
        assertThat(facts.get(name)).as(name).isEqualTo(Json.object(run.out()).get(name));
      }
      assertThat(facts.get("exact")).isEqualTo(true);
      assertThat((double) facts.get("temporaryBytes")).isGreaterThan(1e6);
      assertThat((double) facts.get("memoryBytes")).isBetween(1e6, 8e6);
    }
  }

  private Path out() {
    return directory.resolve("out");
  }

  @Test
  void recordsOfAllFormsWait() {
    StringBuilder json = new StringBuilder();
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 120_000; i++) {
      json.append("{\"id\":\"").append(i * 7919L % 70_000).append(PAD).append("\"}\n");
      fields.append(10_000_000 + i * 7919L % 70_000).append(PAD).append(';');
    }
    byte[] binary = fields.toString().replace(";", "").getBytes(US_ASCII);
    same(json.toString().getBytes(US_ASCII), "--json-key", ".id");
    same(fields.toString().getBytes(US_ASCII), "--delimiter", ";");
    same(binary, "--binary", "128");
  }

  private static void same(byte[] input, String... options) {
    Object[] words =
        Stream.concat(Stream.of("dedup", "--exact", "-q"), Stream.of(options)).toArray();
    Object[] more = Stream.concat(Stream.of(words), Stream.of("--memory-limit=8M")).toArray();
    Bloom.Run limited = bloomWith(input, more);
    assertThat(limited.err()).isEmpty();
    assertThat(limited.latin1().equals(bloomWith(input, words).latin1())).isTrue();
  }

  @Test
  void fewLinesNeedNoFile() {
    Bloom.Run run = bloomWith("b\na\nb\n", "dedup", "--exact", "--memory-limit", "8M");
    assertThat(run.out()).isEqualTo("b\na\n");
    assertThat(run.err())
        .contains("new             2\n", "repeated        1\n", "temporary file  0 bytes\n")
        .contains("expected loss   none: keys are compared byte by byte\n");
    assertThat(bloomWith("", "dedup", "--exact", "--memory-limit", "8M").code()).isZero();
  }
}
