package io.bloomery.cli.build;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.gzip;
import static io.bloomery.testkit.Inputs.numbers;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filter;
import io.bloomery.Filters;
import io.bloomery.cli.Bloom;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which bytes of the input become keys. */
class BuildInputTest {

  @TempDir private Path directory;
  private Path out;

  @BeforeEach
  void nameOutput() {
    out = directory.resolve("x.bloom");
  }

  @ParameterizedTest
  @CsvSource({"true, -", "true, none", "false, words.gz", "false, plainly-named"})
  void detectsGzipFromItsContentInFilesAndStandardInput(boolean standardInput, String name)
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
  void plainTextNamedGzIsPlainText() throws IOException {
    Path file = write("plain.gz", "one\n");
    assertThat(bloom("build", file, "-o", out).code()).isZero();
    assertThat(Filters.open(out).mightContain("one")).isTrue();
  }

  @Test
  void readsSeveralFilesWithoutJoiningTheirLines() throws IOException {
    Path first = write("first", "one\ntwo");
    Path second = write("second", "three\n");
    assertThat(bloomWith("four", "build", first, "-", second, "-o", out).code()).isZero();
    assertThat(Stream.of("one", "two", "three", "four")).allMatch(Filters.open(out)::mightContain);
    assertThat(Filters.open(out).mightContain("twothree")).isFalse();
  }

  @Test
  void onlyLineEndsAreStripped() throws IOException {
    bloomWith("one\r\ntw\ro\nthree\r", "build", "-o", out);
    Filter filter = Filters.open(out);
    assertThat(Stream.of("one", "tw\ro", "three\r")).allMatch(filter::mightContain);
    assertThat(Stream.of("one\r", "two", "three")).noneMatch(filter::mightContain);
  }

  @Test
  void bytesThatAreNotUtf8AreKept() throws IOException {
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
        .containsPattern("distinct keys +2\n");
    assertThat(Filters.open(out).mightContain("")).isTrue();
  }

  @Test
  void noKeysGiveAnEmptyFilter() throws IOException {
    assertThat(bloom("build", "-o", out).code()).isZero();
    assertThat(Filters.open(out).falsePositiveRate()).isZero();
  }

  @Test
  void aLineMayBeLongerThanAnyBuffer() throws IOException {
    String line = "0123456789".repeat(100_000);
    bloomWith("short\n" + line + "\nlast", "build", "-o", out);
    assertThat(Stream.of("short", line, "last")).allMatch(Filters.open(out)::mightContain);
  }

  @Test
  void damagedGzipDataIsAnErrorThatNamesTheFile() throws IOException {
    byte[] bytes = gzip(numbers(10_000));
    bytes[bytes.length / 2] ^= 4;
    Path file = Files.write(directory.resolve("words.gz"), bytes);
    Bloom.Run run = bloom("build", file, "-o", out);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: " + file + ", near byte ").hasLineCount(1);
    assertThat(out).doesNotExist();
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }
}
