package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.Storable;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.foreign.SparkFormat;
import io.bloomery.foreign.mozilla.MozillaCascadeFilter;
import io.bloomery.foreign.parquet.ParquetFile;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BloomFilter;
import io.bloomery.testkit.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {

  private static final Path RESOURCES = Path.of("..", "core", "src", "test", "resources");

  @TempDir private Path directory;
  private Path filter;
  private Path out;

  @BeforeEach
  void build() {
    filter = directory.resolve("x.bloom");
    out = directory.resolve("out");
    bloomWith(numbers(1000), "build", "-o", filter, "--kind", "bloom", "-p", "0.001");
  }

  @Test
  void compressesAndDecompresses() throws IOException {
    Bloom.Run run = bloom("convert", filter, "-o", out, "--to", "compressed-bloom");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("Converted " + filter + " to " + out + "\n")
        .containsPattern("from +bloom, ")
        .containsPattern("to +compressed-bloom, ");
    assertThat(Filters.open(out)).isInstanceOf(CompressedBloomFilter.class);
    sameAnswers(Filters.open(filter), Filters.open(out));

    Path back = directory.resolve("back");
    assertThat(bloom("convert", out, "-o", back, "--to", "bloom", "-q").out()).isEmpty();
    assertThat(back).hasSameBinaryContentAs(filter);
  }

  @Test
  void compressedMessagesAreReadBack() throws IOException {
    assertThat(bloom("convert", filter, "-o", out, "--to", "compressed-message").code()).isZero();
    assertThat(Files.size(out)).isLessThan(Files.size(filter));
    Path back = directory.resolve("back");
    bloom("convert", out, "-o", back, "--from", "compressed-message");
    assertThat(Filters.open(back)).isInstanceOf(CompressedBloomFilter.class);
    sameAnswers(Filters.open(filter), Filters.open(back));
    bloom("convert", back, "-o", back, "--to", "bloom", "--force");
    Storable plain = (Storable) Filters.open(back); // a message has no description of its keys
    assertThat(plain.sameContent((Storable) Filters.open(filter))).isTrue();
    assertThat(Filters.header(back).description().isEmpty()).isTrue();
  }

  @Test
  void aCascadeOfVersion1BecomesVersion2() throws IOException {
    Path cascade = directory.resolve("v1.mlbf");
    Files.copy(RESOURCES.resolve("cascade").resolve("test_v1_murmur_mlbf"), cascade);
    assertThat(bloom("convert", cascade, "--from", "mozilla-cascade", "-o", out).code()).isZero();
    assertThat(out).hasSameBinaryContentAs(cascade);
    Map<?, ?> json =
        Json.object(
            bloom(
                    "convert",
                    cascade,
                    "-fo",
                    out,
                    "--from",
                    "mozilla-cascade",
                    "--to",
                    "mozilla-cascade-v2",
                    "--json")
                .out());
    assertThat(json.get("from")).isEqualTo("mozilla-cascade");
    assertThat(json.get("to")).isEqualTo("mozilla-cascade-v2");
    assertThat(json.get("outputBytes")).isEqualTo((double) Files.size(out));
    MozillaCascadeFilter converted = MozillaCascadeFilter.FORMAT.open(out);
    assertThat(converted.fields()).containsEntry("version", 2);
    MozillaCascadeFilter before = MozillaCascadeFilter.FORMAT.open(cascade);
    for (int i = 0; i < 1000; i++) {
      assertThat(converted.mightContain("key" + i)).isEqualTo(before.mightContain("key" + i));
    }
  }

  @Test
  void foreignFiltersAreCopied() throws IOException {
    Path guava = directory.resolve("guava");
    ForeignBloomFilter keys = GuavaFormat.create(1000, 0.01);
    numbers(1000).lines().forEach(keys::add);
    keys.writeTo(guava);
    assertThat(bloom("convert", guava, "-o", out, "--from", "guava").code()).isZero();
    assertThat(out).hasSameBinaryContentAs(guava);
    assertThat(bloom("convert", guava, "-o", guava, "--from", "guava").err()).contains("--force");
    assertThat(bloom("convert", guava, "-fo", guava, "--from", "guava", "--to", "guava").code())
        .isZero();
    assertThat(out).hasSameBinaryContentAs(guava);
  }

  @Test
  void aFilterIsExtractedFromAParquetFile() throws IOException {
    Path file = RESOURCES.resolve("foreign/parquet/arrow-bloom-words.parquet");
    assertThat(bloom("convert", file, "-o", out).err())
        .contains("parquet:GROUP:COLUMN: 0:word")
        .hasLineCount(1);
    Bloom.Run run = bloom("convert", file, "-o", out, "--from", "parquet:1:word");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("to +parquet-bitset, ");
    Filter word = ParquetFile.open(file).filter(1, "word");
    Filter single = Filters.open(out);
    for (int i = 0; i < 1000; i++) {
      assertThat(single.mightContain("word" + i)).isEqualTo(word.mightContain("word" + i));
    }
  }

  @Test
  void bip158CodesAreConverted() throws IOException {
    Path secret = Runs.secret(directory.resolve("key"), "0123456789abcdef");
    byte[] key = Files.readAllBytes(secret);
    Hasher hasher = Hasher.keyed(key);
    GolombCodedSet set =
        GolombCodedSet.ofBip158Hashes(
            LongStream.range(0, 500).map(hasher::hash).toArray(), 19, 784_931, hasher);
    set.writeTo(filter);
    assertThat(
            bloom("convert", filter, "-o", out, "--to", "bip158-codes", "--secret-file", secret)
                .err())
        .isEmpty();
    assertThat(out).hasBinaryContent(set.toBip158());
    Path back = directory.resolve("back");
    assertThat(bloom("convert", out, "-o", back, "--from", "bip158-codes").err())
        .contains("--secret-file")
        .hasLineCount(1);
    assertThat(
            bloom("convert", out, "-o", back, "--from", "bip158-codes", "--secret-file", secret)
                .code())
        .isZero();
    assertThat(back).hasSameBinaryContentAs(filter);

    GolombCodedSet other = GolombCodedSet.ofHashes(new long[] {1, 2, 3}, 0.01);
    other.writeTo(filter);
    assertThat(bloom("convert", filter, "-o", out, "-f", "--to", "bip158-codes").err())
        .contains("784,931")
        .hasLineCount(1);
  }

  @Test
  void impossibleConversionsSayWhyAndWhatToDo() throws IOException {
    Path spark = directory.resolve("spark");
    SparkFormat.create(100, 0.01).writeTo(spark);
    Bloom.Run foreign = bloom("convert", spark, "--from", "spark", "-o", out, "--to", "guava");
    assertThat(foreign.code()).isEqualTo(2);
    assertThat(foreign.err())
        .hasLineCount(1)
        .contains("a spark filter cannot become guava")
        .contains("hash function")
        .contains("bloom build --format guava");
    assertThat(bloom("convert", spark, "--from", "spark", "-o", out, "--to", "blocked").err())
        .contains("bloom build --kind blocked")
        .contains("it can become spark");
    assertThat(bloom("convert", filter, "-o", out, "--to", "nonsense").err())
        .contains("no format is named \"nonsense\"; it can become bloom, compressed-bloom");
    assertThat(out).doesNotExist();
  }

  @Test
  void badInputsAreErrors() throws IOException {
    assertThat(bloom("convert", directory.resolve("no"), "-o", out).err())
        .endsWith("no: no such file\n");
    assertThat(bloom("convert", directory, "-o", out).err()).contains("is a directory");
    Path text = Files.writeString(directory.resolve("text"), "no filter");
    assertThat(bloom("convert", text, "-o", out).err()).contains("not a filter").hasLineCount(1);
    assertThat(bloom("convert", text, "-o", out, "--from", "compressed-message").err())
        .startsWith("bloom: ")
        .hasLineCount(1);
    assertThat(bloom("convert", text, "-o", out, "--from", "nonsense").err())
        .contains("format nonsense is not one of: guava, ")
        .hasLineCount(1);
    assertThat(out).doesNotExist();
  }

  private static void sameAnswers(Filter one, Filter two) {
    for (int i = 0; i < 20_000; i++) {
      assertThat(two.mightContain("" + i)).isEqualTo(one.mightContain("" + i));
    }
    assertThat(one).isInstanceOf(BloomFilter.class);
  }

  @Test
  void formatsThatShareAHashConvert() throws IOException {
    Path foreign = RESOURCES.resolve("foreign");
    Path counting = foreign.resolve("hadoop/counting-murmur-500.bin");
    assertThat(
            bloom(
                    "convert",
                    counting,
                    "--from",
                    "hadoop-counting",
                    "--to",
                    "hadoop-bloom",
                    "-o",
                    out)
                .code())
        .isZero();
    String keys =
        IntStream.range(0, 500).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
    assertThat(bloomWith(keys, "check", out, "--format", "hadoop-bloom", "-s").code()).isZero();
    Path bits = foreign.resolve("orc/utf8bitset-5000-0.05.bin");
    assertThat(bloom("convert", bits, "--from", "orc:4", "--to", "orc", "-fo", out).code())
        .isZero();
    assertThat(out).hasSameBinaryContentAs(foreign.resolve("orc/string-5000-0.05.utf8.pb"));
    Path back = directory.resolve("back");
    assertThat(bloom("convert", out, "--from", "orc", "--to", "orc:4", "-o", back).code()).isZero();
    assertThat(back).hasSameBinaryContentAs(bits);
    assertThat(bloom("convert", out, "--from", "orc", "--to", "orc:5", "-fo", back).err())
        .contains("it can become orc, orc:4");
  }

  @Test
  void kindsWithCountersBecomePlainFilters() throws IOException {
    for (String kind : new String[] {"counting", "deletable", "multilayer"}) {
      Path counted = directory.resolve(kind);
      assertThat(bloomWith(numbers(1000), "build", "--kind", kind, "-o", counted).code()).isZero();
      assertThat(bloom("convert", counted, "--to", "bloom", "-fo", out).code()).isZero();
      Filter before = Filters.open(counted);
      Filter after = Filters.open(out);
      assertThat(after).isInstanceOf(BloomFilter.class);
      assertThat(LongStream.range(0, 20_000))
          .allMatch(i -> after.mightContain("" + i) == before.mightContain("" + i));
    }
  }
}
