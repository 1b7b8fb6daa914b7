package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.FrameHeader;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.RemovableFilter;
import io.bloomery.cli.Bloom;
import io.bloomery.cli.JsonParser;
import io.bloomery.cli.SlowStream;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.hash.Hasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

public class BuildCommandTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("x.bloom");
  }

  @Test
  void aFilterBuiltFromTextAnswersInJava() throws IOException {
    Path words = write("words.txt", "zebra\nÄpfel\n日本\n𝄞 clef\n");
    Bloom.Run run = bloom("build", words, "-o", out);
    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    Filter filter = Filters.open(out);
    assertThat(Stream.of("zebra", "Äpfel", "日本", "𝄞 clef")).allMatch(filter::mightContain);
    assertThat(filter.mightContain("zebrra")).isFalse();
  }

  @Test
  void saysWhatWasBuilt() throws IOException {
    Path words = write("words.txt", numbers(1000) + "1\n\n");
    assertThat(bloom("build", words, "-o", out).out())
        .startsWith("Built " + out + "\n")
        .containsPattern("kind +blocked, BlockedBloomFilter\n")
        .containsPattern("why +One cache line per query, with all bits of a key in a block of ")
        .containsPattern("shape +[0-9,]+ blocks, [0-9]+ block bits, ")
        .containsPattern("keys read +1,001\n")
        .containsPattern("different keys +1,000\n")
        .containsPattern("repetitions +1\n")
        .containsPattern("empty keys +1 skipped\n")
        .containsPattern("bits per key +1[0-9]\\.[0-9]+\n")
        .containsPattern("promised rate +1 % \\(1 in 100\\)\n")
        .containsPattern("expected rate +[01]\\.[0-9]+ % \\(1 in [0-9]+\\)\n")
        .containsPattern("time +[0-9.]+ s, [0-9,]+ keys per second\n");
  }

  @Test
  void jsonSaysTheSame() throws IOException {
    Path words = write("words.txt", numbers(1000) + "1\n\n");
    Map<?, ?> json = JsonParser.object(bloom("build", words, "-o", out, "--json").out());
    assertThat(json.get("file")).isEqualTo(out.toString());
    assertThat(json.get("kind")).isEqualTo("blocked");
    assertThat(json.get("keysRead")).isEqualTo(1001.0);
    assertThat(json.get("differentKeys")).isEqualTo(1000.0);
    assertThat(json.get("repetitions")).isEqualTo(1.0);
    assertThat(json.get("emptyKeysSkipped")).isEqualTo(1.0);
    assertThat(json.get("promisedRate")).isEqualTo(0.01);
    assertThat((Double) json.get("expectedRate")).isBetween(0.003, 0.02);
    assertThat(json.get("fileBytes")).isEqualTo((double) Files.size(out));
  }

  @ParameterizedTest
  @CsvSource({"true, -", "true, none", "false, words.gz", "false, plainly-named"})
  void readsGzipByItsBytesFromFilesAndStandardInput(boolean standardInput, String name)
      throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    members.write(gzip("one\ntw"));
    members.write(gzip(""));
    members.write(gzip("o\nthree"));
    byte[] bytes = members.toByteArray();
    if (standardInput) {
      Object[] args =
          name.equals("-")
              ? new Object[] {"build", "-", "-o", out}
              : new Object[] {"build", "-o", out};
      assertThat(bloomWith(bytes, args).code()).isZero();
    } else {
      Path file = Files.write(directory.resolve(name), bytes);
      assertThat(bloom("build", file, "-o", out).code()).isZero();
    }
    assertThat(Stream.of("one", "two", "three")).allMatch(Filters.open(out)::mightContain);
  }

  @Test
  void plainTextThatIsNamedGzIsPlainText() throws IOException {
    Path file = write("plain.gz", "one\n");
    assertThat(bloom("build", file, "-o", out).code()).isZero();
    assertThat(Filters.open(out).mightContain("one")).isTrue();
  }

  @Test
  void readsSeveralFilesAndEndsALineAtTheEndOfEach() throws IOException {
    Path first = write("first", "one\ntwo");
    Path second = write("second", "three\n");
    assertThat(bloomWith("four", "build", first, "-", second, "-o", out).code()).isZero();
    assertThat(Stream.of("one", "two", "three", "four")).allMatch(Filters.open(out)::mightContain);
    assertThat(Filters.open(out).mightContain("twothree")).isFalse();
  }

  @Test
  void lineEndsAreNotPartOfTheKeyButOtherCarriageReturnsAre() throws IOException {
    bloomWith("one\r\ntw\ro\nthree\r", "build", "-o", out);
    Filter filter = Filters.open(out);
    assertThat(Stream.of("one", "tw\ro", "three\r")).allMatch(filter::mightContain);
    assertThat(Stream.of("one\r", "two", "three")).noneMatch(filter::mightContain);
  }

  @Test
  void bytesThatAreNotUtf8StayAsTheyAre() throws IOException {
    byte[] key = {(byte) 0xFF, 0, (byte) 0xC3, 'x', (byte) 0x80};
    bloomWith(new String(key, ISO_8859_1).concat("\n").getBytes(ISO_8859_1), "build", "-o", out);
    assertThat(Filters.open(out).mightContain(key)).isTrue();
    assertThat(Filters.open(out).mightContain(new String(key, UTF_8))).isFalse();
  }

  @Test
  void emptyLinesAreKeysOnlyOnRequest() throws IOException {
    bloomWith("\none\n\r\n", "build", "-o", out);
    assertThat(Filters.open(out).mightContain("")).isFalse();
    assertThat(bloomWith("\none\n\r\n", "build", "-fo", out, "--keep-empty").out())
        .containsPattern("keys read +3\n")
        .containsPattern("different keys +2\n");
    assertThat(Filters.open(out).mightContain("")).isTrue();
  }

  @Test
  void noKeysGiveAFilterThatHoldsNone() throws IOException {
    assertThat(bloom("build", "-o", out).code()).isZero();
    assertThat(Filters.open(out).falsePositiveRate()).isZero();
  }

  @Test
  void aLineMayBeLongerThanEveryBuffer() throws IOException {
    String line = "0123456789".repeat(100_000);
    bloomWith("short\n" + line + "\nlast", "build", "-o", out);
    assertThat(Stream.of("short", line, "last")).allMatch(Filters.open(out)::mightContain);
  }

  static Iterable<String> kinds() {
    return new FilterChoice.Names();
  }

  private static Bloom.Run build(String kind, Object... more) {
    Object[] args = {"build", "--kind", kind};
    return bloomWith(numbers(2000), Stream.of(args, more).flatMap(Stream::of).toArray());
  }

  private static boolean hasWindow(String kind) {
    return Filters.kind(kind).type().getPackageName().endsWith(".window")
        && !kind.equals("exponential-decay");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void buildsEveryKind(String kind) throws IOException {
    if (hasWindow(kind)) {
      assertThat(build(kind, "-o", out).err())
          .isEqualTo(
              "bloom: kind " + kind + " needs -n: how many of the latest keys it remembers\n");
      return;
    }
    Bloom.Run run = build(kind, "-o", out, "-p", "2%");
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).doesNotContain("  why ");
    assertThat(Filters.header(out).kind().name()).isEqualTo(kind);
    Bloom.Run check = bloomWith(numbers(2000), "check", out, "--count");
    assertThat(check.out()).isEqualTo("2,000 keys: 2,000 probably present, 0 certainly absent\n");
    assertThat(Filters.open(out).falsePositiveRate()).isBetween(0.0, 0.03);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void buildsEveryKindForANumberOfKeysAndASize(String kind) throws IOException {
    Bloom.Run atRate = build(kind, "-o", out, "-p", "2%", "-n", 2000, "--json");
    double bitsPerKey = (Double) JsonParser.object(atRate.out()).get("bitsPerKey");
    assertThat(Filters.open(out).falsePositiveRate()).isBetween(0.0, 0.03);
    Object[] size = {"-n", 2000, "--bits-per-key", 1.05 * bitsPerKey + 1};
    Bloom.Run run =
        build(
            kind,
            Stream.of(size, new Object[] {"-fo", out, "--json"}).flatMap(Stream::of).toArray());
    assertThat(run.err()).isEmpty();
    assertThat((Double) JsonParser.object(run.out()).get("promisedRate")).isBetween(0.0, 0.021);
    Bloom.Run check = bloomWith(numbers(2000), "check", out, "--mode", "absent");
    // A stable filter misses the oldest keys of its window as often as it errs otherwise.
    long most = kind.equals("stable") ? 40 : 0;
    assertThat(check.out().lines().count()).isLessThanOrEqualTo(most);
  }

  @ParameterizedTest
  @ValueSource(strings = {"blocked", "bloom", "split-block", "bloom-g", "striped", "fuse"})
  void takesASizeInsteadOfARate(String kind) throws IOException {
    Bloom.Run run =
        bloomWith(
            numbers(1000), "build", "-o", out, "--kind", kind, "--bits-per-key", "16", "--json");
    Map<?, ?> json = JsonParser.object(run.out());
    assertThat((Double) json.get("bitsPerKey")).isBetween(14.0, 16.0);
    assertThat((Double) json.get("promisedRate")).isBetween(0.0001, 0.003);
  }

  @Test
  void takesAMemoryBudget() {
    Bloom.Run run =
        bloomWith(numbers(1000), "build", "-o", out, "--memory", "2000", "-n", "1000", "--json");
    Map<?, ?> json = JsonParser.object(run.out());
    assertThat((Double) json.get("bits")).isBetween(15_000.0, 16_000.0);
    assertThat((Double) json.get("promisedRate")).isBetween(0.0001, 0.003);
    assertThat(json.get("why")).asString().startsWith("One cache line per query");
  }

  @ParameterizedTest
  @CsvSource({
    "blocked-64, block bits, 64",
    "blocked-512, block bits, 512",
    "counting-16, counter bits, 16",
    "fuse-4, arity, 4",
    "spectral-minimum, method, 1",
  })
  void takesTheVariantsOfThePlanner(String variant, String field, long value) throws IOException {
    assertThat(bloomWith(numbers(1000), "build", "-qo", out, "--kind", variant).code()).isZero();
    assertThat(Filters.header(out).numbers()).containsEntry(field, value);
    assertThat(bloomWith(numbers(1000), "check", out, "-q").code()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "--deletes, io.bloomery.RemovableFilter",
    "--counts, io.bloomery.FrequencyFilter",
    "--unknown-growth, io.bloomery.growing.ScalableBloomFilter",
    "--window -n 3002, io.bloomery.window.RecentFilter",
    "--frozen, io.bloomery.HashedFilter",
  })
  void thePlannerChoosesForWhatIsNeeded(String need, String type)
      throws IOException, ClassNotFoundException {
    Object[] args = ("build -o " + out + " " + need).split(" ", -1);
    Bloom.Run run = bloomWith(numbers(3000) + "7\n7\n", args);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("why +[A-Z].+\\.\n");
    Filter filter = Filters.open(out);
    assertThat(filter).isInstanceOf(Class.forName(type));
    assertThat(bloomWith(numbers(3000), "check", out, "-q").code()).isZero();
    if (filter instanceof FrequencyFilter counts) {
      assertThat(counts.count("7")).isBetween(3L, 20L);
    } else if (filter instanceof RemovableFilter removable) {
      assertThat(removable.remove("7")).isTrue();
      assertThat(removable.mightContain("7")).isFalse();
    }
  }

  @Test
  void keysThatMayLeaveAreAddedOnceEvenIfTheirNumberIsGiven() throws IOException {
    bloomWith("7\n".repeat(100), "build", "-o", out, "--kind", "cuckoo", "-n", 1000, "-p1e-6");
    RemovableFilter filter = Filters.open(out, RemovableFilter.class);
    assertThat(filter.remove("7")).isTrue();
    assertThat(filter.mightContain("7")).isFalse();
  }

  @Test
  void countsAreThoseOfTheInputWhicheverWayItIsRead() throws IOException {
    String input = "a\nb\na\n\na\n";
    bloomWith(input, "build", "-o", out, "--kind", "count-min");
    assertThat(Filters.open(out, FrequencyFilter.class).count("a")).isEqualTo(3);
    bloomWith(input, "build", "-fo", out, "--kind", "count-min", "-n", 10);
    assertThat(Filters.open(out, FrequencyFilter.class).count("a")).isEqualTo(3);
  }

  @Test
  void aWindowThatIsTooShortIsToldOf() {
    Bloom.Run run = bloomWith(numbers(5000), "build", "-qo", out, "--window", "-n", 1000);
    assertThat(run.err())
        .isEqualTo(
            "bloom: warning: 5,000 keys read, more than the 1,000 of -n: the oldest of them are"
                + " forgotten\n");
  }

  @ParameterizedTest
  @CsvSource({"42, 42", "-1, -1", "0xFFFFFFFFFFFFFFFF, -1", "0x10, 16"})
  void takesASeed(String option, long seed) throws IOException {
    bloomWith("one\n", "build", "-o", out, "--seed=" + option);
    FrameHeader header = Filters.header(out);
    assertThat(header.seedOrKeyCheck()).isEqualTo(seed);
    assertThat(Filters.open(out).mightContain("one")).isTrue();
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
    assertThat(Filters.open(out, Hasher.keyed(key)).mightContain("one")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"2500, 2500", "2_500, 2500", "'2,500', 2500", "2.5k, 2500", "1M, 1000000"})
  void takesTheNumberOfKeys(String option, double keys) {
    Bloom.Run run = bloomWith("one\n\ntwo\n", "build", "-o", out, "-n", option, "--json");
    Map<?, ?> json = JsonParser.object(run.out());
    assertThat(json.get("sizedForKeys")).isEqualTo(keys);
    assertThat(json.get("keysRead")).isEqualTo(2.0);
    assertThat(json.get("differentKeys")).isNull();
    assertThat(json.get("emptyKeysSkipped")).isEqualTo(1.0);
    assertThat(run.err()).isEmpty();
  }

  @Test
  void warnsWhenMoreKeysComeThanWereAnnounced() {
    Bloom.Run run = bloomWith(numbers(5000), "build", "-o", out, "-n", 1000, "-q");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("bloom: warning: 5,000 keys read, more than the 1,000 of -n: expect ")
        .contains(" % false positives, not 1 %")
        .hasLineCount(1);
  }

  @Test
  void aMillionKeysKeepTheirPromise() throws IOException {
    Path file = write("million", numbers(1_000_000));
    Map<?, ?> json =
        JsonParser.object(bloom("build", file, "-o", out, "-p", "0.1%", "--json").out());
    assertThat(json.get("differentKeys")).isEqualTo(1_000_000.0);
    assertThat((Double) json.get("expectedRate")).isBetween(0.0009, 0.00105);
    HashedFilter filter = Filters.map(out, HashedFilter.class);
    assertThat(IntStream.range(0, 1_000_000)).allMatch(i -> filter.mightContain("" + i));
  }

  @Test
  void theSameInputGivesTheSameFileWhicheverWayItIsRead() throws IOException {
    Path second = directory.resolve("second.bloom");
    bloomWith(numbers(10_000), "build", "-o", out);
    bloomWith(numbers(10_000), "build", "-o", second, "-n", 10_000);
    assertThat(second).hasSameBinaryContentAs(out);
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
      value = {
        "nosuch -o OUT|nosuch: no such file",
        "DIR -o OUT|: is a directory",
        "-o DIR|: is a directory",
        "-o nosuch/x|: there is no directory ",
        "-o -|-o needs the name of a file",
        "-o OUT --kind nosuch|kind nosuch is not one of: adaptive, ",
        "-o OUT --kind bloomier|kind bloomier needs a value for each key; this command has only keys",
        "-o OUT --kind filter-bank-binary|holds many sets and needs the set of each key",
        "-o OUT --values|the planner's choice, bloomier, needs a value for each key; this command has only keys",
        "-o OUT --deletes --window|No kind of filter here supports",
        "-o OUT --kind blocked --deletes|--kind and --deletes exclude each other",
        "-o OUT --kind cuckoo -n 100 --memory 8|bits",
        "-o OUT --memory 1Z|'1Z' is not a number such as 2G",
        "-o OUT --memory 1M --rate 1%|mutually exclusive",
        "-o OUT --delimiter ab|'ab' is not one byte",
        "-o OUT --binary 0|--binary is 0; it must be 1 to 1048576 bytes",
        "-o OUT --binary 4 --column 1|--delimiter, --binary and --column exclude each other",
        "-o OUT --header|--separator and --header need --column",
        "-o OUT --column 0|--column 0: columns are numbered from 1",
        "-o OUT --bits-per-key 0|--bits-per-key is 0.0; it must be above 0",
        "-o OUT --secret-file nosuch|nosuch: no such file",
        "-o OUT --secret-file SHORT|a key is 16 raw bytes or 32 hexadecimal digits",
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
  void damagedGzipDataAreAnErrorThatNamesTheFile() throws IOException {
    byte[] bytes = gzip(numbers(10_000));
    bytes[bytes.length / 2] ^= 4;
    Path file = Files.write(directory.resolve("words.gz"), bytes);
    Bloom.Run run = bloom("build", file, "-o", out);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: " + file + ", near byte ").hasLineCount(1);
    assertThat(out).doesNotExist();
  }

  @Test
  void progressIsShownOnATerminalAndWipedAway() throws IOException {
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

  public static String numbers(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(i).append('\n');
    }
    return lines.toString();
  }

  public static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }
}
