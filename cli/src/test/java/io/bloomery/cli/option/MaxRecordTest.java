package io.bloomery.cli.option;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.bloomery.cli.Bloom;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --max-record}: a longer record is an error that names its line. */
class MaxRecordTest {

  private static final String TOO_LONG = "longer than 1,000 bytes; --max-record allows more";

  @TempDir private Path directory;

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  /** The line end counts: 1,000 bytes pass and 1,001 do not, wherever blocks end. */
  @ParameterizedTest
  @CsvSource({"1, 1", "5, 1", "200000, 1", "1, 8", "200000, 8"})
  void linesUpToTheLimitPass(int before, int threads) throws IOException {
    String some = "a line\n".repeat(before - 1);
    String longest = "x".repeat(999) + "\n";
    Object[] args = ("dedup --count --max-record 1k --threads " + threads).split(" ");
    assertThat(bloomWith(some + longest + some, args).code()).isZero();
    for (String input : new String[] {"x" + longest + some, "x" + longest.strip() + "xx"}) {
      byte[] lines = (some + input).getBytes(UTF_8);
      String error = "standard input, line " + before + ": " + TOO_LONG;
      assertError(bloomWith(lines, args), error);
      assertError(bloomWith(gzip(lines), args), error);
      assertError(bloomWith(Zstd.compress(lines), args), error);
    }
  }

  /** Input without any line end fails at the limit instead of filling the memory. */
  @Test
  void aRecordWithoutAnEndIsRefusedEarly() {
    byte[] zeros = new byte[40_000_000];
    Bloom.Run run = bloomWith(zeros, "dedup", "--count");
    assertError(
        run,
        "standard input, line 1: longer than 16,777,216 bytes (17 MB); --max-record allows more");
    assertThat(bloomWith(zeros, "dedup", "--count", "--max-record", "64M").code()).isZero();
  }

  @Test
  void linesAreNumberedPerFile() throws IOException {
    Path first = Files.writeString(directory.resolve("first"), "a\nb\nc\n");
    Path second = Files.writeString(directory.resolve("second"), "d\n" + "e".repeat(2000));
    assertError(
        bloom("dedup", "--count", "--max-record", "1k", first, second),
        second + ", line 2: " + TOO_LONG);
  }

  @Test
  void recordsWithAnotherDelimiterAreNumbered() {
    String records = "a\nb\0c\0" + "\n".repeat(1000) + "\0";
    assertError(
        bloomWith(records, "dedup", "--count", "--max-record", "1k", "--delimiter", "\\0"),
        "standard input, record 3: " + TOO_LONG);
  }

  /** A quote that is closed too late is reported at the line where its row begins. */
  @Test
  void rowsAreReportedAtTheirFirstLine() throws IOException {
    String rows = "id,name\n1,\"two\nlines\"\n2,\"open\n" + "3,x\n".repeat(500) + "\"\n";
    Path file = Files.writeString(directory.resolve("rows.csv"), rows);
    String error = "line 4: " + TOO_LONG;
    assertError(bloom("dedup", "--count", "--column", "id", "--max-record", "1k", file), error);
    assertError(bloom("join", "--count", "--on", "id", "--max-record", "1k", file, file), error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "build -o OUT",
        "build -o OUT -n 10",
        "build -o OUT --format guava",
        "count --exact",
        "count --key a",
        "top",
        "dedup",
        "diff - EMPTY",
        "check FILTER",
        "add FILTER",
        "verify FILTER --present -",
      })
  void everyCommandAppliesTheLimit(String line) throws IOException {
    Path empty = Files.createFile(directory.resolve("empty"));
    Path filter = directory.resolve("x.bloom");
    Path out = directory.resolve("y.bloom");
    assertThat(bloomWith("a\n", "build", "-o", filter).code()).isZero();
    String words =
        line.replace("EMPTY", empty.toString())
            .replace("FILTER", filter.toString())
            .replace("OUT", out.toString());
    Object[] args = (words + " --max-record 1k").split(" ");
    Bloom.Run run = bloomWith("a\n" + "b".repeat(1000) + "\n", args);
    assertThat(run.err()).isEqualTo("bloom: standard input, line 2: " + TOO_LONG + "\n");
    assertThat(run.code()).isEqualTo(2);
    assertThat(out).doesNotExist();
  }

  @Test
  void theLimitItselfIsBounded() {
    assertError(bloom("top", "--max-record", "2GiB"), "--max-record is 2,147,483,648 bytes");
    assertError(
        bloom("join", "a", "b", "--on", "x", "--max-record", "2GiB"), "must be at most 1GiB");
    assertError(
        bloom("top", "--binary", "1000", "--max-record", "100"),
        "--binary is 1000, more than the 100 bytes of --max-record");
  }
}
