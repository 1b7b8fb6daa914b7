package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.numbers;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdCompressCtx;
import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How input is split into keys: delimiters, records, columns, compressed input. */
class InputOptionsTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("x.bloom");
  }

  private Bloom.Run build(String input, Object... options) {
    Object[] args = {"build", "-fo", out, "-p", "1e-9"};
    return bloomWith(
        input.getBytes(ISO_8859_1), Stream.of(args, options).flatMap(Stream::of).toArray());
  }

  private void assertHolds(String... keys) throws IOException {
    Filter filter = Filters.open(out);
    assertThat(Stream.of(keys)).allMatch(key -> filter.mightContain(key.getBytes(ISO_8859_1)));
  }

  private void assertLacks(String... keys) throws IOException {
    Filter filter = Filters.open(out);
    assertThat(Stream.of(keys)).noneMatch(key -> filter.mightContain(key.getBytes(ISO_8859_1)));
  }

  @ParameterizedTest
  @CsvSource({"\\0, 0", "\\t, 9", "\\x1f, 31", "\\xFF, 255", ";, 59", "\\\\, 92", "\\r, 13"})
  void anyByteCanBeTheDelimiter(String option, int delimiter) throws IOException {
    String end = new String(new byte[] {(byte) delimiter}, ISO_8859_1);
    Bloom.Run run =
        build("one\r\ntwo".concat(end) + "three\n" + end + end + "4", "--delimiter", option);
    assertThat(run.err()).isEmpty();
    if (delimiter == '\r') {
      assertHolds("one", "\ntwo", "three\n", "4");
    } else {
      assertHolds("one\r\ntwo", "three\n", "4");
      assertLacks("one", "three");
    }
    assertThat(run.out()).containsPattern("empty keys +1 skipped");
  }

  @Test
  void outputLinesEndWithTheDelimiterOfTheInput() {
    build("one\0two\0", "--delimiter", "\\0");
    assertThat(
            bloomWith("two\0x\ny\0one", "check", out, "--delimiter", "\\0", "--mode", "absent")
                .out())
        .isEqualTo("x\ny\0");
    assertThat(bloomWith("two\0x", "check", out, "--delimiter", "\\0").out())
        .isEqualTo("probably present\ttwo\0certainly absent\tx\0");
  }

  @Test
  void keysOfAFixedNumberOfBytes() throws IOException {
    build("aaa\n\0bccc", "--binary", 3);
    assertHolds("aaa", "\n\0b", "ccc");
    assertThat(bloomWith("ccc\0\0\0", "check", out, "--binary", 3, "--mode", "absent").out())
        .isEqualTo("\0\0\0");
    assertThat(bloomWith("ccc\0\0\0", "check", out, "--binary", 3).out())
        .isEqualTo("probably present\t636363\ncertainly absent\t000000\n");
    Bloom.Run run = build("aaab", "--binary", 3);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "bloom: standard input: ends within a record: 1 byte is left of 3 (--binary 3)\n");
  }

  @Test
  void recordsMayCrossBlocks() {
    StringBuilder records = new StringBuilder();
    for (int i = 0; i < 100_000; i++) {
      records.append("%07d".formatted(i));
    }
    build(records.toString(), "--binary", 7);
    assertThat(bloomWith(records.toString(), "check", out, "--binary", 7, "-c").out())
        .isEqualTo("100,000 keys: 100,000 probably present, 0 certainly absent\n");
  }

  private static final String CSV =
      "id,name,\"e-mail \"\"new\"\"\"\r\n"
          + "1,Ann,a@x\r\n"
          + "2,\"Bob, the \"\"B\"\"\",b@x\n"
          + "\n"
          + "3,\"two\nlines\",\"c@x\"\n"
          + "4,5\" pipe,\n"
          + "5,last,d@x";

  @Test
  void aColumnByItsName() throws IOException {
    assertThat(build(CSV, "--column", "name").err()).isEmpty();
    assertHolds("Ann", "Bob, the \"B\"", "two\nlines", "5\" pipe", "last");
    assertLacks("name", "1", "a@x");
    assertThat(build(CSV, "--column", "e-mail \"new\"").out())
        .containsPattern("keys read +4\n")
        .containsPattern("empty keys +1 skipped\n");
    assertHolds("a@x", "b@x", "c@x", "d@x");
    assertLacks("a@x\r", "\"c@x\"", "");
  }

  @Test
  void aColumnByItsNumber() throws IOException {
    build(CSV, "--column", 2);
    assertHolds("name", "Ann");
    build(CSV, "--column", 2, "--header");
    assertHolds("Ann");
    assertLacks("name");
  }

  @Test
  void tabsSeparateWithoutQuotes() throws IOException {
    build("name\tage\n\"Ann\t3\n\"a\"\"b\"\t4\n", "--column", "name");
    assertHolds("\"Ann", "\"a\"\"b\"");
    assertLacks("a\"b");
  }

  @Test
  void otherSeparatorsAndByteOrderMarks() throws IOException {
    String mark = "\u00ef\u00bb\u00bf";
    build(mark + "name;age\n\"A;n\";3\n", "--column", "name", "--separator", ";");
    assertHolds("A;n");
    build(mark + "Ann,3\n", "--column", 1);
    assertHolds("Ann");
  }

  @Test
  void eachFileHasItsOwnHeaderRow() throws IOException {
    Path first = Files.writeString(directory.resolve("1"), "a,b\n1,2");
    Path second = Files.writeString(directory.resolve("2"), "b\ta\n3\t4\n");
    assertThat(bloom("build", first, second, "-o", out, "-p1e-9", "--column", "b").err()).isEmpty();
    assertHolds("2", "3");
    assertLacks("1", "4", "a", "b");
  }

  @Test
  void checkPrintsRowsWithTheirHeader() {
    build("Ann\n", "--keep-empty");
    String rows = "id,name\n1,\"Ann\"\r\n2,Bob";
    assertThat(bloomWith(rows, "check", out, "--column", "name", "--mode", "present").out())
        .isEqualTo("id,name\n1,\"Ann\"\r\n");
    assertThat(bloomWith(rows, "check", out, "--column", "name", "--mode", "absent").out())
        .isEqualTo("id,name\n2,Bob\n");
    assertThat(bloomWith(rows, "check", out, "--column", "name").out())
        .isEqualTo("answer,id,name\nprobably present,1,\"Ann\"\r\ncertainly absent,2,Bob\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,b^1,2|c|standard input, near byte 7: no column is named \"c\"; the first row has: a, b",
        "a,b,a^1,2,3|a|columns 1 and 3 are both named \"a\"; give the number of one, and --header",
        "a,b^1,2|3|there is no column 3; the first row has 2 columns",
        "a,b^1,2^3^|b|standard input, line 3: the row \"3\" has no column 2",
        "a,b^1,\"2^3,4|b|standard input, line 2: the row \"1,\"2\" has a quote that is never closed",
        "a,b^1,\"2\"3^|b|the row \"1,\"2\"3\" goes on after a closing quote",
      })
  void malformedRowsAreErrors(String rows, String column, String message) {
    Bloom.Run run = build(rows.replace('^', '\n'), "--column", column);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(out).doesNotExist();
  }

  /** Random rows quoted as CSV are read back unchanged, whatever the block size. */
  @ParameterizedTest
  @ValueSource(ints = {8, 17, 64, 4096})
  void randomRowsAreReadBack(int blockBytes) {
    SplittableRandom random = Seeds.random(blockBytes);
    for (int round = 0; round < 50; round++) {
      List<String> expected = new ArrayList<>();
      StringBuilder csv = new StringBuilder("k,v\n");
      for (int row = random.nextInt(30); row > 0; row--) {
        String key = randomText(random);
        expected.add(key);
        csv.append(written(key, random)).append(',').append(written(randomText(random), random));
        csv.append(random.nextBoolean() ? "\n" : "\r\n");
      }
      List<String> keys = new ArrayList<>();
      Reading reading =
          new Reading(
              new ColumnSplitter(List.of("k"), (byte) ',', false), null, true, 3, blockBytes);
      Console console =
          new Console(
              new ByteArrayInputStream(csv.toString().getBytes(ISO_8859_1)),
              new StandardOutput(OutputStream.nullOutputStream()),
              new PrintWriter(Writer.nullWriter()),
              () -> false,
              () -> false);
      new KeyInput(console, List.of()).read(reading, block -> collect(block, keys), bytes -> {});
      assertThat(keys).isEqualTo(expected);
    }
  }

  private static boolean collect(Block block, List<String> keys) {
    for (int i = 0; i < block.count(); i++) {
      int start = block.keyStarts()[i];
      keys.add(new String(block.bytes(), start, block.keyEnds()[i] - start, ISO_8859_1));
    }
    return true;
  }

  private static String randomText(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      text.append("ab\",\n\r ;".charAt(random.nextInt(8)));
    }
    return text.toString();
  }

  private static String written(String value, SplittableRandom random) {
    boolean plain = value.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
    return plain && random.nextBoolean() ? value : "\"" + value.replace("\"", "\"\"") + "\"";
  }

  private static byte[] zstd(String text) {
    try (ZstdCompressCtx compressor = new ZstdCompressCtx()) {
      return compressor.setChecksum(true).compress(text.getBytes(UTF_8)); // like the zstd program
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void zstdIsDetectedFromItsContent(boolean standardInput) throws IOException {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.write(zstd("one\ntw"));
    frames.write(zstd(""));
    frames.write(zstd("o\n" + numbers(100_000)));
    byte[] bytes = frames.toByteArray();
    if (standardInput) {
      assertThat(bloomWith(bytes, "build", "-o", out).err()).isEmpty();
    } else {
      Path file = Files.write(directory.resolve("plainly-named"), bytes);
      assertThat(bloom("build", file, "-o", out).err()).isEmpty();
    }
    assertHolds("one", "two", "0", "99999");
  }

  @Test
  void damagedZstdDataIsAnErrorThatNamesTheFile() throws IOException {
    byte[] bytes = zstd(numbers(10_000));
    Path file = Files.write(directory.resolve("cut"), Arrays.copyOf(bytes, bytes.length - 5));
    Bloom.Run run = bloom("build", file, "-o", out);
    assertThat(run.err())
        .startsWith("bloom: " + file + ", near byte ")
        .contains(": the zstd data are cut off")
        .hasLineCount(1);
    bytes[bytes.length / 2] ^= 4;
    Files.write(file, bytes);
    run = bloom("build", file, "-o", out);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(": the zstd data are ").hasLineCount(1);
    assertThat(out).doesNotExist();
  }
}
