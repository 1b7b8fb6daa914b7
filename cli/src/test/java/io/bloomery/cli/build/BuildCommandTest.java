package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.ShapedFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.SlowStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class BuildCommandTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("x.bloom");
  }

  @Test
  void theLibraryReadsAFilterBuiltFromText() throws IOException {
    Path words = write("words.txt", "zebra\nÄpfel\n日本\n𝄞 clef\n");
    Bloom.Run run = bloom("build", words, "-o", out);
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    Filter filter = Filters.open(out);
    assertThat(Stream.of("zebra", "Äpfel", "日本", "𝄞 clef")).allMatch(filter::mightContain);
    assertThat(filter.mightContain("zebrra")).isFalse();
  }

  @Test
  void reportsWhatWasBuilt() throws IOException {
    Path words = write("words.txt", numbers(1000) + "1\n\n");
    assertThat(bloom("build", words, "-o", out).out())
        .startsWith("Built " + out + "\n")
        .containsPattern("kind +blocked, BlockedBloomFilter\n")
        .containsPattern("why +One cache line per query, with all bits of a key in a block of ")
        .containsPattern("shape +[0-9,]+ blocks, [0-9]+ block bits, ")
        .containsPattern("keys read +1,001\n")
        .containsPattern("distinct keys +1,000\n")
        .containsPattern("repetitions +1\n")
        .containsPattern("empty keys +1 skipped\n")
        .containsPattern("bits per key +1[0-9]\\.[0-9]+\n")
        .containsPattern("promised rate +1 % \\(1 in 100\\)\n")
        .containsPattern("expected rate +[01]\\.[0-9]+ % \\(1 in [0-9]+\\)\n")
        .containsPattern("time +[0-9.]+ s, [0-9,]+ keys per second\n");
  }

  @Test
  void jsonHasTheReport() throws IOException {
    Path words = write("words.txt", numbers(1000) + "1\n\n");
    Map<?, ?> json = Json.object(bloom("build", words, "-o", out, "--json").out());
    assertThat(json.get("file")).isEqualTo(out.toString());
    assertThat(json.get("kind")).isEqualTo("blocked");
    assertThat(json.get("keysRead")).isEqualTo(1001.0);
    assertThat(json.get("distinctKeys")).isEqualTo(1000.0);
    assertThat(json.get("repetitions")).isEqualTo(1.0);
    assertThat(json.get("emptyKeysSkipped")).isEqualTo(1.0);
    assertThat(json.get("promisedRate")).isEqualTo(0.01);
    assertThat(json.get("expectedRate")).isEqualTo(Filters.open(out).falsePositiveRate());
    assertThat(json.get("fileBytes")).isEqualTo((double) Files.size(out));
  }

  @Test
  void takesAMemoryBudget() throws IOException {
    Bloom.Run run =
        bloomWith(numbers(1000), "build", "-o", out, "--memory", "2000", "-n", "1000", "--json");
    Map<?, ?> json = Json.object(run.out());
    assertThat((Double) json.get("bits")).isBetween(15_000.0, 16_000.0);
    ShapedFilter<?> filter = Filters.open(out, ReadOptions.as(ShapedFilter.class));
    assertThat(json.get("bits")).isEqualTo((double) filter.sizeInBits());
    assertThat(json.get("promisedRate")).isEqualTo(filter.shape().falsePositiveRate(1000));
    // It has a fifth of the false positives of blocked-512 in the same memory.
    assertThat(json.get("kind")).isEqualTo("cuckoo");
    assertThat(json.get("why")).asString().contains("slower than blocked-512");
  }

  @ParameterizedTest
  @CsvSource({
    "42, 42",
    "-1, -1",
    "+5, 5",
    "0x10, 16",
    "0XfF, 255",
    "-0x10, -16",
    "0xFFFFFFFFFFFFFFFF, -1",
    "18446744073709551615, -1",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775808, -9223372036854775808",
    "-9223372036854775808, -9223372036854775808",
    "-0x8000000000000000, -9223372036854775808"
  })
  void takesASeed(String option, long seed) throws IOException {
    bloomWith("one\n", "build", "-o", out, "--seed=" + option);
    FrameHeader header = Filters.header(out);
    assertThat(header.seedOrKeyCheck()).isEqualTo(seed);
    assertThat(Filters.open(out).mightContain("one")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "18446744073709551616",
        "-9223372036854775809",
        "0x10000000000000000",
        "-0x8000000000000001",
        "0x-1",
        "--1",
        "0x",
        "ten",
        "1.5"
      })
  void refusesAnInvalidSeed(String option) {
    Bloom.Run run = bloomWith("one\n", "build", "-o", out, "--seed=" + option);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("'" + option + "' is not a 64-bit number").contains("0x…");
    assertThat(out).doesNotExist();
  }

  @Test
  void takesAKeyAsRawBytesOrAsHexadecimalDigits() throws IOException {
    byte[] key = "0123456789abcdef".getBytes(UTF_8);
    Path raw = Files.write(directory.resolve("raw"), key);
    Path hex = write("hex", "30313233343536373839616263646566\n");
    bloomWith("one\n", "build", "-o", out, "--secret-file", raw);
    Path second = directory.resolve("second.bloom");
    bloomWith("one\n", "build", "-o", second, "--secret-file", hex);
    assertThat(second).hasSameBinaryContentAs(out);
    assertThat(
            Filters.open(out, ReadOptions.defaults().withHasher(Hasher.keyed(key)))
                .mightContain("one"))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"2500, 2500", "2_500, 2500", "'2,500', 2500", "2.5k, 2500", "1M, 1000000"})
  void takesTheNumberOfKeys(String option, double keys) {
    Bloom.Run run = bloomWith("one\n\ntwo\n", "build", "-o", out, "-n", option, "--json");
    Map<?, ?> json = Json.object(run.out());
    assertThat(json.get("sizedForKeys")).isEqualTo(keys);
    assertThat(json.get("keysRead")).isEqualTo(2.0);
    assertThat(json.get("distinctKeys")).isNull();
    assertThat(json.get("emptyKeysSkipped")).isEqualTo(1.0);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void warnsAboutMoreKeysThanExpected() {
    Bloom.Run run = bloomWith(numbers(5000), "build", "-o", out, "-n", 1000, "-q");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("bloom: warning: 5,000 keys read, more than the 1,000 of -n: expect ")
        .contains(" % false positives, not 1 %")
        .hasLineCount(1);
  }

  @Test
  void aMillionKeysHaveThePromisedRate() throws IOException {
    Path file = write("million", numbers(1_000_000));
    Map<?, ?> json = Json.object(bloom("build", file, "-o", out, "-p", "0.1%", "--json").out());
    assertThat(json.get("distinctKeys")).isEqualTo(1_000_000.0);
    assertThat(json.get("sizedForKeys")).isEqualTo((double) (4 << 18));
    // The filter is sized for 1,048,576 keys at 0.1 % and holds 1,000,000.
    double expected = BlockShape.forKeys(4 << 18, 0.001).falsePositiveRate(1_000_000);
    assertThat((Double) json.get("expectedRate")).isCloseTo(expected, withinPercentage(2));
    HashedFilter filter = Filters.map(out, ReadOptions.as(HashedFilter.class));
    assertThat(IntStream.range(0, 1_000_000)).allMatch(i -> filter.mightContain("" + i));
  }

  @Test
  void theSameInputGivesTheSameFileHoweverItIsRead() throws IOException {
    Path second = directory.resolve("second.bloom");
    bloomWith(numbers(10_000), "build", "-o", out);
    bloomWith(numbers(10_000), "build", "-o", second, "-n", 10_240);
    assertThat(second).hasSameBinaryContentAs(out);
  }

  /** Sets of similar size give filters of the same shape, which is never too small. */
  @Test
  void countedKeysAreRoundedUpToFixedSteps() {
    for (long count = 1; count < 100_000; count += 1 + count / 50) {
      long rung = BuildChoice.rung(count);
      assertThat(rung).isBetween(count, count + count / 4);
      assertThat(BuildChoice.rung(rung)).isEqualTo(rung);
      assertThat(BuildChoice.rung(2 * rung)).isEqualTo(2 * rung);
      assertThat(Long.toBinaryString(rung).replaceAll("0*$", "")).hasSizeLessThanOrEqualTo(3);
    }
    assertThat(BuildChoice.rung(1L << 40)).isEqualTo(1L << 40);
    assertThat(BuildChoice.rung((1L << 40) + 1)).isEqualTo(5L << 38);
  }

  @Test
  void doesNotOverwriteUnlessForced() throws IOException {
    Files.writeString(out, "precious");
    Bloom.Run run = bloomWith("one\n", "build", "-o", out);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).isEqualTo("bloom: " + out + ": exists; --force overwrites it\n");
    assertThat(out).hasContent("precious");
    assertThat(bloomWith("one\n", "build", "-o", out, "--force").code()).isZero();
    assertThat(Filters.open(out).mightContain("one")).isTrue();
  }

  @Test
  void doesNotOverwriteItsInput() throws IOException {
    Path words = write("words", "one\n");
    Bloom.Run run = bloom("build", words, "-fo", words);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("is also the input").hasLineCount(1);
    assertThat(words).hasContent("one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "nosuch -o OUT|nosuch: no such file",
        "DIR -o OUT|: is a directory",
        "-o DIR|: is a directory",
        "-o nosuch/x|: there is no directory ",
        "-o -|-o needs the name of a file",
        "-o OUT --kind nosuch|kind nosuch is not one of: adaptive, ",
        "-o OUT --kind bloomier|kind bloomier needs a value for each key; this command has only"
            + " keys",
        "-o OUT --kind filter-bank-binary|holds many sets and needs the set of each key",
        "-o OUT --values|the planner's choice, bloomier, needs a value for each key; this command"
            + " has only keys",
        "-o OUT --deletes --window|No kind of filter here supports",
        "-o OUT --kind blocked --deletes|--kind and --deletes exclude each other",
        "-o OUT --kind cuckoo -n 100 --memory 8|bits",
        "-o OUT --memory 1Z|'1Z' is not a number such as 2G",
        "-o OUT --memory 1M --rate 1%|mutually exclusive",
        "-o OUT --delimiter ab|'ab' is not one byte",
        "-o OUT --binary 0|--binary is 0; it must be 1 to 1048576 bytes",
        "-o OUT --binary 4 --column 1|--delimiter, --binary, --column and --json-key exclude each other",
        "-o OUT --header|--separator and --header need --column",
        "-o OUT --column 0|--column 0: columns are numbered from 1",
        "-o OUT --bits-per-key 0|--bits-per-key is 0.0; it must be above 0",
        "-o OUT --secret-file nosuch|nosuch: no such file",
        "-o OUT --secret-file SHORT|a secret is 16 or 32 raw bytes, or 32 or 64 hexadecimal digits",
        "-o OUT --secret-file SHORT --seed 1|--seed and --secret-file exclude each other",
        "-o OUT -p 1e-30|1.0E-30",
      })
  void errorsAreOneLineAndLeaveNothingBehind(String args, String message) throws IOException {
    Path brief = write("brief", "secret");
    String line =
        args.replace("DIR", directory.toString())
            .replace("OUT", out.toString())
            .replace("SHORT", brief.toString());
    Bloom.Run run = bloomWith("one\n", (Object[]) ("build " + line).split(" ", -1));
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
    assertThat(directory).isDirectoryNotContaining("glob:**.{bloom,tmp}");
  }

  @Test
  void progressIsShownOnATerminalAndCleared() throws IOException {
    Bloom.Run run = Bloom.bloomOnTerminal(new SlowStream(numbers(2000), 40), "build", "-o", out);
    assertThat(run.code()).isZero();
    assertThat(run.err())
        .startsWith("reading keys, one per line; Ctrl-D ends\n")
        .contains("reading ")
        .endsWith("\r\033[K");
    assertThat(run.out()).startsWith("Built ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--no-progress", "--quiet"})
  void progressCanBeTurnedOff(String option) {
    Bloom.Run run =
        Bloom.bloomOnTerminal(new SlowStream(numbers(2000), 40), "build", "-o", out, option);
    assertThat(run.err()).isEqualTo("reading keys, one per line; Ctrl-D ends\n");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  /** Hexadecimal digits are decoded with and without a line end. */
  @Test
  void aLineEndAfterTheDigitsIsIgnored() throws IOException {
    for (int digits : new int[] {32, 64}) {
      String text = "0123456789abcDEF".repeat(digits / 16);
      Path filter = directory.resolve(digits + ".bloom");
      Path plain = Files.writeString(directory.resolve(digits + ".plain"), text);
      Path line = Files.writeString(directory.resolve(digits + ".line"), text + "\n");
      Path crlf = Files.writeString(directory.resolve(digits + ".crlf"), text + "\r\n");
      Path raw = Files.write(directory.resolve(digits + ".raw"), HexFormat.of().parseHex(text));
      bloomWith("one\ntwo\n", "build", "-o", filter, "--secret-file", plain);
      for (Path secret : List.of(plain, line, crlf, raw)) {
        assertThat(bloom("check", filter, "-k", "one", "--secret-file", secret).code())
            .as(secret.toString())
            .isZero();
      }
    }
  }
}
