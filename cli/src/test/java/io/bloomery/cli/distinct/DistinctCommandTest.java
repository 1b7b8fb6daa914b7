package io.bloomery.cli.distinct;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Inputs;
import io.bloomery.testkit.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctCommandTest {

  @TempDir private Path directory;

  private static String numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static String field(Bloom.Run run, String name) {
    Map<?, ?> json = Json.object(run.out());
    assertThat(json.containsKey(name)).as(run.out()).isTrue();
    return String.valueOf(json.get(name));
  }

  private static long[] columns(Bloom.Run run) {
    assertThat(run.code()).as(run.err()).isZero();
    String[] columns = run.out().strip().split("\t", -1);
    assertThat(columns).hasSize(3);
    return Arrays.stream(columns).mapToLong(Long::parseLong).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 100, 1_000})
  void fewKeysAreCounted(int keys) {
    Bloom.Run run = bloomWith(numbers(0, keys) + numbers(0, keys / 2), "distinct");
    assertThat(run.out()).isEqualTo("%d\t%d\t%d\n".formatted(keys, keys, keys));
    assertThat(run.err())
        .startsWith(
            String.format(Locale.ROOT, "%,d", keys) + " different key" + (keys == 1 ? "" : "s"))
        .endsWith("; so few that they were counted\n");
  }

  @Test
  void manyKeysAreEstimated() {
    String input = Inputs.numbers(300_000) + Inputs.numbers(100_000);
    long[] columns = columns(bloomWith(input, "distinct"));
    assertThat((double) columns[0]).isCloseTo(300_000, within(5 * 0.0065 * 300_000));
    assertThat(columns[1]).isCloseTo(Math.round(columns[0] / 1.0130), within(40L));
    assertThat(columns[2]).isCloseTo(Math.round(columns[0] / 0.9870), within(40L));
    long[] wide = columns(bloomWith(input, "distinct", "--confidence", 3));
    assertThat(wide[0]).isEqualTo(columns[0]);
    assertThat(wide[1]).isLessThan(columns[1]);
    assertThat(wide[2]).isGreaterThan(columns[2]);
    long[] rough = columns(bloomWith(input, "distinct", "--error", "10%"));
    assertThat(rough[2] - rough[1]).isGreaterThan(10 * (columns[2] - columns[1]) / 2);
    assertThat(columns(bloomWith(input, "distinct", "--lg-k", 7))).isEqualTo(rough);
  }

  @Test
  void noEstimateIsHigherThanWhatWasRead() {
    for (int keys = 10_000; keys < 12_000; keys += 100) {
      long[] columns = columns(bloomWith(Inputs.numbers(keys), "distinct", "--lg-k", 6));
      assertThat(columns[0]).isLessThanOrEqualTo(keys);
      assertThat(columns[2]).isLessThanOrEqualTo(keys);
    }
  }

  @Test
  void exactMeansCounted() {
    Bloom.Run run = bloomWith(Inputs.numbers(50_000) + "\n\n1\n", "distinct", "--exact");
    assertThat(run.out()).isEqualTo("50000\n");
    assertThat(run.err())
        .isEqualTo(
            "50,000 different keys among 50,001; 2 empty keys skipped; the count is exact\n");
    Bloom.Run json = bloomWith("a\n\nb\n\n", "distinct", "--exact", "--json", "--keep-empty");
    assertThat(field(json, "exact")).isEqualTo("true");
    assertThat(field(json, "sigmas")).isEqualTo("null");
    assertThat(field(json, "distinct")).isEqualTo("3.0");
    assertThat(field(json, "keys")).isEqualTo("4.0");
  }

  @Test
  void exactCountsGoToDiskAndStayExact() {
    String input = Inputs.numbers(400_000);
    assertThat(bloomWith(input + input, "distinct", "--exact", "--memory-limit", "8M").out())
        .isEqualTo("400000\n");
  }

  @Test
  void sketchesAreSavedAndMerged() throws IOException {
    Path one = directory.resolve("one.hll");
    Path other = directory.resolve("other.hll");
    Path both = directory.resolve("both.hll");
    long[] first = columns(bloomWith(numbers(0, 60_000), "distinct", "-o", one));
    assertThat(columns(bloomWith(numbers(30_000, 90_000), "distinct", "-o", other)))
        .isNotEqualTo(first);
    assertThat(Files.readAllBytes(one)).startsWith(10, 1, 7, 14);
    assertThat(columns(bloom("distinct", one))[0]).isEqualTo(first[0]);
    long[] merged = columns(bloom("distinct", one, other, "-o", both));
    assertThat((double) merged[0]).isCloseTo(90_000, within(5 * 0.0082 * 90_000));
    assertThat(columns(bloom("distinct", other, one))).isEqualTo(merged);
    assertThat(columns(bloom("distinct", both))).isEqualTo(merged);
    assertThat(columns(bloom("distinct", both, one, other, both))).isEqualTo(merged);
    assertError(bloom("distinct", one, "-o", both), "both.hll: exists; --force overwrites it");
    assertThat(bloom("distinct", one, other, "-o", one, "-f", "-q").err()).isEmpty();
    assertThat(Files.readAllBytes(one)).isEqualTo(Files.readAllBytes(both));
  }

  /** One sketch goes on as if its keys were read before. */
  @Test
  void keysAreAddedToASketch() throws IOException {
    Path one = directory.resolve("one.hll");
    Path keys = file("keys", numbers(40_000, 80_000));
    bloomWith(numbers(0, 50_000), "distinct", "-o", one);
    long[] whole = columns(bloomWith(numbers(0, 50_000) + numbers(40_000, 80_000), "distinct"));
    assertThat(columns(bloom("distinct", keys, one))[0]).isEqualTo(whole[0]);
    assertThat(columns(bloomWith(numbers(40_000, 80_000), "distinct", one, "-"))[0])
        .isEqualTo(whole[0]);
  }

  @Test
  void keysAreNeverOverwritten() throws IOException {
    Path keys = file("keys", "a\nb\n");
    assertError(
        bloom("distinct", keys, "-o", keys, "-f"), "keys: is read as well; write to another file");
    assertThat(keys).hasContent("a\nb\n");
  }

  @Test
  void packedSketchesAreRead() throws IOException {
    Path one = directory.resolve("one.hll");
    bloomWith(numbers(0, 500), "distinct", "-o", one);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(Files.readAllBytes(one));
    }
    Path gz = Files.write(directory.resolve("one.hll.gz"), packed.toByteArray());
    assertThat(bloom("distinct", gz).out()).isEqualTo("500\t500\t500\n");
    assertThat(bloom("info", gz).out()).contains("one.hll.gz").contains("500");
  }

  @ParameterizedTest
  @CsvSource({
    "int64, '7,+7,007,-0,0', 2",
    "double, '0,-0,0.0,1,1.0,1e0', 2",
    "double, '-0.0', 1",
    "float, '0.1,0.10,0.2', 2",
    "uuid, 'e0a953c3-ee6f-47f4-8c6c-2b0f7c9c2b1e,E0A953C3-EE6F-47F4-8C6C-2B0F7C9C2B1E', 1",
    "hex, '0xff,FF,ff00', 2",
    "text, '7,007,7', 2",
  })
  void valuesOfATypeAreEqual(String type, String keys, String expected) {
    String input = keys.replace(',', '\n') + "\n";
    assertThat(bloomWith(input, "distinct", "--type", type).out()).startsWith(expected + "\t");
    assertThat(bloomWith(input, "distinct", "--type", type, "--exact").out())
        .isEqualTo(expected + "\n");
  }

  @Test
  void badKeysAreErrorsOrSkipped() {
    assertError(
        bloomWith("1\nx\n2\n", "distinct", "--type", "int64"),
        "standard input, line 2: \"x\" is not of type int64");
    Bloom.Run run =
        bloomWith("1\nx\n2\n", "distinct", "--type", "int64", "--on-error", "skip", "--json");
    assertThat(field(run, "distinct")).isEqualTo("2.0");
    assertThat(field(run, "badRows")).isEqualTo("1.0");
    assertThat(bloomWith(" a\na \n", "distinct", "--trim").out()).startsWith("1\t");
    for (String way : new String[] {"--no-progress", "--exact"}) {
      assertThat(bloomWith("Ä\nä\nb\n", "distinct", "--ignore-case", way).out()).startsWith("2");
    }
  }

  @Test
  void whatDoesNotGoTogetherIsRefused() throws IOException {
    Path sketch = directory.resolve("s.hll");
    bloomWith("a\n", "distinct", "-o", sketch);
    Path groups = directory.resolve("g.csv");
    bloomWith("a,g\n1,2\n", "distinct", "--column", "a", "--group", "g", "-o", groups);
    assertError(bloom("distinct", sketch, "--exact"), "a sketch has no keys to count exactly");
    assertError(bloom("distinct", sketch, "--lg-k", 12), "a stored sketch has its size already");
    assertError(
        bloom("distinct", sketch, "--group", "g", "--column", "a"), "a sketch has no groups");
    assertError(bloom("distinct", groups), "g.csv: has sketches of groups; --group group");
    assertError(bloom("distinct", "--exact", "--error", "1%"), "--exact has no sketch");
    assertError(bloom("distinct", "--exact", "-o", directory.resolve("x")), "--exact has no");
    assertError(bloom("distinct", "--order", "count"), "--order is for --group");
    assertError(bloom("distinct", "--group", "g"), "--group needs --column or --json-key");
    assertError(bloom("distinct", "--lg-k", 22), "--lg-k is 22; it must be 4 to 21");
    assertError(bloom("distinct", "--confidence", 4), "--confidence is 4; it must be 1, 2 or 3");
    assertError(bloom("distinct", "--error", "0.01%"), "the most exact sketch has 0.00057");
    assertError(bloom("distinct", "--error", "1%", "--lg-k", 5), "mutually exclusive");
  }

  @Test
  void otherCommandsNameThisOne() throws IOException {
    for (int keys : new int[] {0, 100, 100_000}) {
      Path sketch = directory.resolve(keys + ".hll");
      bloomWith(Inputs.numbers(keys), "distinct", "-o", sketch);
      String refusal =
          "is not a file of keys but a sketch of different keys; bloom distinct "
              + sketch
              + " reads and merges sketches";
      assertError(bloom("count", sketch), refusal);
      assertError(bloom("build", sketch, "-o", directory.resolve("x.bloom")), refusal);
      assertError(
          bloom("check", sketch, "-k", "1"),
          "is not a filter but a sketch of different keys, which cannot be asked for one");
    }
  }

  @Test
  void damagedSketchesAreRefused() throws IOException {
    Path sketch = directory.resolve("s.hll");
    bloomWith(numbers(0, 10_000), "distinct", "-o", sketch);
    byte[] bytes = Files.readAllBytes(sketch);
    Path cut = Files.write(directory.resolve("cut.hll"), Arrays.copyOf(bytes, 1_000));
    assertError(bloom("distinct", cut), "cut.hll: a damaged sketch: 1000 bytes of 8232");
    assertError(bloom("info", cut), "cut.hll: a damaged sketch");
    bytes[3] = 30;
    Path large = Files.write(directory.resolve("large.hll"), bytes);
    assertError(bloom("distinct", sketch, large), "large.hll: a damaged sketch: 2^30 registers");
  }

  @Test
  void infoDescribesASketch() throws IOException {
    Path sketch = directory.resolve("s.hll");
    bloomWith(numbers(0, 100_000), "distinct", "-o", sketch, "--lg-k", 12);
    assertThat(bloom("info", sketch).out())
        .contains(sketch + "\n")
        .containsPattern("format +HLL sketch of Apache DataSketches, HLL_4\n")
        .containsPattern("different keys +about [0-9,]+\n")
        .containsPattern("standard error +1.3 %\n")
        .containsPattern("registers +4,096\n")
        .containsPattern("merged +no\n");
    Bloom.Run info = bloom("info", "--json", sketch);
    assertThat(field(info, "format")).isEqualTo("datasketches-hll");
    assertThat(field(info, "lgK")).isEqualTo("12.0");
    assertThat(field(info, "mode")).isEqualTo("hll");
    assertThat(field(info, "estimate"))
        .isEqualTo(field(bloom("distinct", "--json", sketch), "estimate"));
  }
}
