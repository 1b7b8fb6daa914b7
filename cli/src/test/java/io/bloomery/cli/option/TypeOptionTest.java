package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import io.bloomery.foreign.EthereumFormat;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.GuavaFormat;
import io.bloomery.foreign.XorSingleHeaderFilter;
import io.bloomery.membership.BloomFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --type}: keys other than text. */
final class TypeOptionTest {

  private static final Path FOREIGN = Path.of("../core/src/test/resources/foreign");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "guava/long-5000-0.03.bin, guava, 5000",
    "spark/v1-long-3000-30000bits.bin, spark, 3000",
    "spark/v2-long-3000-30000bits-seed42.bin, spark, 3000",
    "datasketches/long-1000-16384bits-5h-seed9001.sk, datasketches, 1000",
    "hive/bloomk-long-3000.bin, hive-bloomk, 3000",
    "orc/long-1000-0.01.words.pb, orc, 1000"
  })
  void numbersOfOtherSystemsAreFound(String name, String format, int keys) {
    Path file = FOREIGN.resolve(name);
    String numbers = longs(0, keys);
    Bloom.Run typed =
        bloomWith(
            numbers,
            "check",
            file,
            "--format",
            format,
            "--type",
            "int64",
            "--count",
            "--exit-code");
    assertThat(typed.out()).contains(" 0 certainly absent");
    assertThat(typed.code()).isZero();
    assertThat(bloomWith(numbers, "check", file, "--format", format, "-s").code()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"xor8-1000.bin, xor8", "fuse8-1000.bin, fuse8", "fuse16-1000.bin, fuse16"})
  void numericFormatsNeedNoTypeAndRefuseText(String name, String format) {
    Path file = FOREIGN.resolve("xor").resolve(name);
    assertThat(bloomWith(longs(0, 1000), "check", file, "--format", format, "-s").code()).isZero();
    Bloom.Run text = bloom("check", file, "--format", format, "-k", "zebra");
    assertThat(text.code()).isEqualTo(2);
    assertThat(text.out()).isEmpty();
    assertThat(text.err()).contains("\"zebra\" is not of type int64").hasLineCount(1);
    Bloom.Run asked = bloom("check", file, "--format", format, "--type", "text", "-k", "zebra");
    assertThat(asked.code()).isEqualTo(2);
    assertThat(asked.err()).contains("--type: ", "numbers of 64 bits");
  }

  @Test
  void parquetColumnsStateTheirType() {
    Path file = FOREIGN.resolve("parquet/arrow-bloom-words.parquet");
    Bloom.Run text = bloom("check", file, "--format", "parquet:0:i64", "-k", "word");
    assertThat(text.code()).isEqualTo(2);
    assertThat(text.err()).contains("\"word\" is not of type INT64");
    Bloom.Run wrong =
        bloom("check", file, "--format", "parquet:0:i64", "--type", "text", "-k", "1");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("the column is of type INT64");
    assertThat(bloom("check", file, "--format", "parquet:0:flba16", "-k", "00ff").err())
        .contains("2 bytes", "FIXED_LEN_BYTE_ARRAY(16)");
  }

  @Test
  void guavaCharsAndEthereumHex() throws IOException {
    Path chars = FOREIGN.resolve("guava/chars-1000-0.001.bin");
    String keys =
        IntStream.range(0, 1000).mapToObj(i -> "ключ-" + i).collect(Collectors.joining("\n"));
    byte[] utf8 = keys.getBytes(StandardCharsets.UTF_8);
    Path input = Files.write(directory.resolve("keys"), utf8);
    assertThat(bloom("check", chars, input, "--type", "utf16", "--format", "guava", "-s").code())
        .isZero();
    String address = "0x00112233445566778899aabbccddeeff00112233";
    ForeignBloomFilter logs = EthereumFormat.create();
    logs.add(HexFormat.of().parseHex(address.substring(2)));
    Path file = directory.resolve("logs");
    logs.writeTo(file);
    Bloom.Run run = bloom("check", file, "--format", "ethereum-bloom", "-k", address);
    assertThat(run.out()).isEqualTo("probably present\t" + address + "\n");
    assertThat(bloom("check", file, "--format", "ethereum-bloom", "-k", "zebra").err())
        .contains("\"zebra\" is not of type hex");
  }

  @Test
  void xorFilesHoldUnsignedNumbers() throws IOException {
    Path file = directory.resolve("x.fuse8");
    long[] numbers = {1, -1, 77};
    XorSingleHeaderFilter.ofKeys(XorSingleHeaderFilter.Kind.FUSE8, numbers).writeTo(file);
    assertThat(
            bloom("check", file, "--format", "fuse8", "-k", "18446744073709551615", "-k", "77")
                .code())
        .isZero();
  }

  @Test
  void buildAndAddTakeTypesToo() throws IOException {
    Path file = directory.resolve("x.guava");
    String keys = longs(0, 500);
    assertThat(
            bloomWith(
                    keys, "build", "--format", "guava", "--type", "int64", "-n", "600", "-o", file)
                .code())
        .isZero();
    ForeignBloomFilter expected = GuavaFormat.create(600, 0.01);
    keys.lines().forEach(key -> expected.add(Long.parseLong(key)));
    assertThat(GuavaFormat.FORMAT.open(file).toLongArray()).isEqualTo(expected.toLongArray());
    assertThat(bloom("add", file, "--format", "guava", "--type", "int64", "-k", "7").code())
        .isZero();
    assertThat(bloomWith("8\n9\n", "add", file, "--format", "guava", "--type", "int64").code())
        .isZero();
    expected.add(7L);
    expected.add(8L);
    expected.add(9L);
    assertThat(GuavaFormat.FORMAT.open(file).toLongArray()).isEqualTo(expected.toLongArray());
    assertThat(
            bloom("verify", file, "--format", "guava", "--type", "int64", "--present", input(keys))
                .code())
        .isZero();
  }

  @Test
  void nativeFiltersTakeTypesToo() throws IOException {
    Path file = directory.resolve("x.bloom");
    String keys = "1\n-5\n007\n";
    assertThat(
            bloomWith(keys, "build", "--kind", "bloom", "--type", "int64", "-n", "9", "-o", file)
                .code())
        .isZero();
    assertThat(bloom("add", file, "--type", "int64", "-k", "8").code()).isZero();
    BloomFilter filter = (BloomFilter) Filters.open(file);
    for (long key : new long[] {1, -5, 7, 8}) {
      assertThat(filter.mightContain(key)).isTrue();
    }
    assertThat(bloomWith("7\n+1\n", "check", file).out())
        .isEqualTo("probably present\t7\nprobably present\t+1\n");
    Bloom.Run other = bloomWith("7\n", "check", file, "--type", "int32");
    assertThat(other.err())
        .isEqualTo(
            "bloom: " + file + ": its keys are of type int64, not int32; leave out --type\n");
    assertThat(other.code()).isEqualTo(2);
    assertThat(bloom("check", file, "--type", "INT64", "-k", "-5", "-s").code()).isZero();
  }

  @Test
  void badValuesAreNamedWithTheirLine() throws IOException {
    Path file = directory.resolve("x.bloom");
    Path lines = input("1\n2\n\n12x\n5\n");
    Bloom.Run run = bloom("build", lines, "--type", "int64", "-o", file);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "bloom: "
                + lines
                + ", line 4: \"12x\" is not of type int64: a whole number from -2^63 to 2^63-1\n");
    assertThat(file).doesNotExist();
    Path many = input(longs(0, 100_000) + "bad\n");
    bloomWith("1\n", "build", "--type", "int64", "-o", file);
    assertThat(bloom("check", file, many, "--type", "int64", "-c").err())
        .contains(many + ", line 100001: \"bad\"");
    Path guava = FOREIGN.resolve("guava/long-5000-0.03.bin");
    assertThat(bloom("check", guava, many, "--format", "guava", "--type", "int64", "-c").err())
        .contains(many + ", line 100001: \"bad\"");
    Path csv = input("id,name\n1,a\n\"2\n\",b\nx,c\n");
    assertThat(bloom("check", file, csv, "--type", "int64", "--column", "id", "-c").err())
        .contains(", line 3: ");
  }

  @Test
  void contradictionsAreErrors() throws IOException {
    Path file = directory.resolve("x.bloom");
    assertThat(bloomWith("abcd", "build", "--binary", "4", "--type", "hex", "-o", file).err())
        .contains("--type and --binary exclude each other");
    assertThat(bloomWith("1\n", "build", "--type", "int46", "-o", file).err())
        .contains("'int46' is not one of: text, int32, int64, float, double, hex, utf16, uuid");
    Path hadoop = FOREIGN.resolve("hadoop/bloom-murmur-1000.bin");
    assertThat(
            bloom("check", hadoop, "--format", "hadoop-bloom", "--type", "int64", "-k", "1").err())
        .contains("--type: keys of type int64 are not possible", "type hex");
  }

  private Path input(String lines) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "keys", ""), lines);
  }

  private static String longs(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> i * 2654435761L - 1234567890123L + "\n")
        .collect(Collectors.joining());
  }
}
