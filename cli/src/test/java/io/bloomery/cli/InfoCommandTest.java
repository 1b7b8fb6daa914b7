package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.foreign.DataSketchesFormat;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.foreign.SparkFormat;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoCommandTest {

  @TempDir private Path directory;
  private Path filter;

  @BeforeEach
  void build() {
    filter = directory.resolve("x.bloom");
    bloomWith(numbers(1000), "build", "-o", filter, "--seed", "7", "--kind", "bloom");
  }

  @Test
  void printsTheWholeHeader() throws IOException {
    Bloom.Run run = bloom("info", filter);
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .startsWith(filter + "\n")
        .containsPattern("kind +bloom, BloomFilter \\(kind 1\\)\n")
        .containsPattern("answers +is x in the set\\?")
        .containsPattern("hash +XXH3-64, seed 7\n")
        .containsPattern("bits +9,[0-9]{3}\n")
        .containsPattern("hashes per key +7\n")
        .containsPattern("index scheme +[a-z ]+\n")
        .containsPattern("format version +2\n")
        .containsPattern("payload +1,[0-9]{3} bytes from byte 4,096\n")
        .containsPattern("checksums +CRC32C of 1 page of up to 64 KiB\n")
        .containsPattern("file size +5,[0-9]{3} bytes\n")
        .containsPattern("checked +header and all pages are sound\n")
        .containsPattern("fill +5[0-3](\\.[0-9])? % of the bits are set\n")
        .containsPattern("estimated keys +(9[5-9][0-9]|1,0[0-4][0-9])\n")
        .containsPattern("expected rate +[01]\\.[0-9]+ % ");
  }

  @Test
  void jsonHasTheWholeHeader() throws IOException {
    Map<?, ?> json = Json.object(bloom("info", filter, "--json").out());
    assertThat(json.get("kind")).isEqualTo("bloom");
    assertThat(json.get("kindId")).isEqualTo(1.0);
    assertThat(json.get("seed")).isEqualTo("7");
    assertThat(json.get("keyed")).isEqualTo(false);
    assertThat(((Map<?, ?>) json.get("fields")).get("hashes per key")).isEqualTo(7.0);
    assertThat(json.get("fileBytes")).isEqualTo((double) Files.size(filter));
    assertThat(json.get("verified")).isEqualTo(true);
    assertThat((Double) json.get("fillRatio"))
        .isBetween(0.503, 0.533); // 5σ around 1 − e^(−7000/9600)
    // 5σ of m·(e^λ − 1 − λ)/k², and of seven times the fill's
    assertThat((Double) json.get("estimatedKeys")).isBetween(959.0, 1041.0);
    assertThat((Double) json.get("expectedRate")).isBetween(0.0081, 0.0121);
  }

  @Test
  void theShapeOfABlockedFilterIsPrinted() {
    Path blocked = directory.resolve("blocked.bloom");
    bloomWith(numbers(1000), "build", "-o", blocked, "--kind", "blocked-256");
    assertThat(bloom("info", blocked).out())
        .containsPattern("blocks +[0-9]+\n")
        .containsPattern("block bits +256\n")
        .containsPattern("words per key +[0-9]\n")
        .containsPattern("fill +[0-9.]+ % of the bits are set\n");
  }

  @Test
  void aKeyedFilterShowsItsHeaderWithoutTheKey() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
    Path keyed = directory.resolve("keyed.bloom");
    bloomWith(numbers(1000), "build", "-o", keyed, "--secret-file", key);
    Bloom.Run without = bloom("info", keyed);
    assertThat(without.code()).isZero();
    assertThat(without.out())
        .contains("SipHash-2-4, secret key with check value ")
        .containsPattern("expected rate +needs the secret key: --secret-file");
    assertThat(bloom("info", keyed, "--secret-file", key).out())
        .containsPattern("expected rate +[01]\\.[0-9]+ % ");
    assertThat(Json.object(bloom("info", keyed, "--json").out()).get("keyed")).isEqualTo(true);
  }

  @Test
  void aDamagedMagicNumberIsReportedAsDamage() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
    Path keyed = directory.resolve("keyed.bloom");
    bloomWith(numbers(1000), "build", "-o", keyed, "--secret-file", key);
    byte[] bytes = Files.readAllBytes(keyed);
    bytes[1] ^= 4;
    Files.write(keyed, bytes);
    Bloom.Run run = bloom("info", keyed, "--secret-file", key);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: " + keyed + ", byte 1: damaged: ").hasLineCount(1);
  }

  @Test
  void verifyFindsDamagedPages() throws IOException {
    assertThat(bloom("info", "--verify", filter).out()).contains("header and all pages are sound");
    String header = bloom("info", "--no-verify", filter).out();
    assertThat(header)
        .containsPattern("checked +header is sound; the pages were not read\n")
        .containsPattern("expected rate +not computed: --no-verify\n$")
        .doesNotContain("fill");
    byte[] bytes = Files.readAllBytes(filter);
    bytes[4200] ^= 1;
    Files.write(filter, bytes);
    assertThat(bloom("info", "--no-verify", filter).out()).isEqualTo(header);
    assertThat(bloom("info", "--verify", filter).code()).isEqualTo(2);
    assertThat(bloom("info", "--verify", "--no-verify", filter).err()).contains("exclude");
    Bloom.Run run = bloom("info", filter);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: " + filter + ", byte ").hasLineCount(1);
  }

  @Test
  void continuesAfterAFileThatIsNotAFilter() throws IOException {
    Path text =
        Files.writeString(directory.resolve("text"), "not a filter, but long enough ".repeat(9));
    Bloom.Run run = bloom("info", text, filter, directory.resolve("no"), directory);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).startsWith(filter.toString());
    assertThat(run.err().lines())
        .hasSize(3)
        .anyMatch(line -> line.startsWith("bloom: " + text + ", byte 0: not a filter"))
        .anyMatch(line -> line.endsWith("no: no such file"))
        .anyMatch(line -> line.endsWith("is a directory, not a filter"));
  }

  @Test
  void anAmbiguousFormatMustBeNamed() throws IOException {
    Path any = Files.write(directory.resolve("any"), new byte[256]);
    Bloom.Run run = bloom("info", any);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("could be ethereum-bloom").hasLineCount(1);
    assertThat(bloom("info", any, "--format", "ethereum-bloom").code()).isZero();
    Bloom.Run other = bloom("info", filter, "--format", "ethereum-bloom");
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err()).contains("is a filter of Bloomery, not of format ethereum-bloom");
  }

  @Test
  void aTruncatedFileIsReportedAsSuch() throws IOException {
    Path words = Path.of("../core/src/test/resources/foreign/parquet/arrow-bloom-words.parquet");
    byte[] half = java.util.Arrays.copyOf(Files.readAllBytes(words), 100_000);
    Path cut = Files.write(directory.resolve("cut.parquet"), half);
    assertThat(bloom("info", cut).err())
        .contains("begins like a filter of format parquet, but is cut short or damaged")
        .hasLineCount(1);
  }

  @Test
  void aFileWithTheMagicNumberOfAnotherSystemIsDetected() throws IOException {
    Path sketch = directory.resolve("sketch.bin");
    DataSketchesFormat.create(1000, 0.01, 0).writeTo(sketch);
    Bloom.Run run = bloom("info", sketch, filter);
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith(sketch + "\n")
        .containsPattern("format +datasketches, ")
        .contains("\n\n" + filter + "\n");
  }

  @Test
  void aFileWithoutAMagicNumberMustBeNamed() throws IOException {
    Path guava = directory.resolve("x.guava");
    GuavaFormat.create(1000, 0.01).writeTo(guava);
    for (String command : List.of("info", "check")) {
      assertError(
          bloom(command, guava),
          guava
              + ", byte 0: its content does not say what it is; it could be guava: name it with"
              + " --format to read it as such");
    }
    assertError(
        bloom("convert", guava, "-o", directory.resolve("y")),
        "could be guava: name it with --from to read it as such");
  }

  @Test
  void aFileOfAnotherSystemIsDescribed() throws IOException {
    Path guava = directory.resolve("guava.bin");
    ForeignBloomFilter keys = GuavaFormat.create(1000, 0.01);
    numbers(1000).lines().forEach(keys::add);
    keys.writeTo(guava);
    Bloom.Run run = bloom("info", guava, "--format", "guava");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith(guava + "\n")
        .containsPattern("format +guava, Guava BloomFilter.writeTo\n")
        .containsPattern("bits +9,600\n")
        .containsPattern("hashes per key +7\n")
        .containsPattern("strategy +MURMUR128_MITZ_64\n")
        .containsPattern("fill +(49|50|51|52)(\\.[0-9])? % of the bits are set\n")
        .containsPattern("expected rate +[01]\\.[0-9]+ % ")
        .containsPattern("file size +1,206 bytes\n");
    Map<?, ?> json = Json.object(bloom("info", guava, "--json", "--format", "guava").out());
    assertThat(json.get("format")).isEqualTo("guava");
    assertThat(((Map<?, ?>) json.get("fields")).get("bits")).isEqualTo(9600.0);
    assertThat(json.get("fileBytes")).isEqualTo(1206.0);
    assertThat((Double) json.get("expectedRate")).isBetween(0.0081, 0.0121);
    assertThat((Double) json.get("fillRatio")).isBetween(0.503, 0.533);
    assertThat((Double) json.get("estimatedKeys")).isBetween(959.0, 1041.0);
  }

  @Test
  void theFormatOptionDecides() throws IOException {
    Path spark = directory.resolve("spark.bin");
    SparkFormat.create(100, 0.01).writeTo(spark);
    assertThat(bloom("info", "--format", "spark", spark).out()).containsPattern("version +2\n");
    Bloom.Run other = bloom("info", "--format", "guava", spark);
    assertThat(other.code()).isEqualTo(2);
    assertThat(other.err()).startsWith("bloom: " + spark + ", byte ").hasLineCount(1);
    Bloom.Run unknown = bloom("info", "--format", "gvava", spark);
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err())
        .isEqualTo("bloom: format gvava is unknown; did you mean guava?\n")
        .hasLineCount(1);
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
    assertThat(bloom("info", spark, "--secret-file", key).err())
        .contains("leave out --secret-file");
  }

  /** Without options the parser is bypassed; an option without effect goes through it. */
  @Test
  void theFastPathPrintsTheSame() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "no filter at all ".repeat(20));
    Path[][] cases = {{filter}, {filter, filter}, {text}, {directory}, {filter, text, filter}};
    for (Path[] files : cases) {
      List<Object> words = new ArrayList<>(List.of("info"));
      words.addAll(List.of(files));
      Bloom.Run plain = bloom(words.toArray());
      words.add("--color=never");
      assertThat(plain).isEqualTo(bloom(words.toArray()));
    }
  }
}
