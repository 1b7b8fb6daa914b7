package io.bloomery.cli.check;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.gzip;
import static io.bloomery.testkit.Inputs.numbers;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.cli.Main;
import io.bloomery.cli.Runs;
import io.bloomery.testkit.Json;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckCommandTest {

  @TempDir private Path directory;
  private Path filter;

  @BeforeEach
  void build() {
    filter = directory.resolve("x.bloom");
    assertThat(bloomWith("one\ntwo\nthree\n", "build", "-o", filter, "-p", "1e-9").code()).isZero();
  }

  @Test
  void allPresentIsCode0() {
    Bloom.Run run = bloom("check", filter, "--key", "one", "-k", "two");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("probably present\tone\nprobably present\ttwo\n");
    assertThat(run.err()).isEqualTo("2 keys: 2 probably present, 0 certainly absent\n");
  }

  @Test
  void someAbsentIsCode1() {
    Bloom.Run run = bloom("check", filter, "--key", "one", "--key", "four");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("probably present\tone\ncertainly absent\tfour\n");
    assertThat(run.err()).isEqualTo("2 keys: 1 probably present, 1 certainly absent\n");
  }

  @Test
  void readsStandardInputAndFilesPlainAndGzip() throws IOException {
    Path plain = Files.writeString(directory.resolve("plain"), "one\r\nfour");
    Path packed = Files.write(directory.resolve("packed"), gzip("two\n"));
    Bloom.Run run = bloomWith("three\n", "check", filter, plain, "-", packed, "--key", "five");
    assertThat(run.code()).isZero();
    assertThat(run.out().lines())
        .containsExactly(
            "certainly absent\tfive",
            "probably present\tone",
            "certainly absent\tfour",
            "probably present\tthree",
            "probably present\ttwo");
    assertThat(bloomWith("three\n", "check", filter).out()).isEqualTo("probably present\tthree\n");
  }

  @Test
  void keysOnTheCommandLineLeaveStandardInputAlone() {
    assertThat(bloomWith("four\n", "check", filter, "--key", "one").code()).isZero();
  }

  @Test
  void noKeysAtAllIsCode0() {
    assertThat(bloom("check", filter).err())
        .isEqualTo("0 keys: 0 probably present, 0 certainly absent\n");
  }

  @ParameterizedTest
  @CsvSource({"absent, four", "present, one", "ABSENT, four"})
  void modeAbsentAndPresentPrintBareKeys(String only, String expected) {
    Bloom.Run run = bloomWith("one\nfour\n", "check", filter, "--mode", only);
    assertThat(run.code()).isZero();
    assertThat(bloomWith("one\nfour\n", "check", filter, "--mode", only, "--exit-code").code())
        .isEqualTo(1);
    assertThat(run.out()).isEqualTo(expected + "\n");
    assertThat(run.err()).contains("1 certainly absent");
  }

  @Test
  void bytesPassThroughUnchanged() {
    byte[] key = {(byte) 0xFF, 0, '\t', (byte) 0xC3, '\r'};
    String line = new String(key, ISO_8859_1) + "\n";
    byte[] input = line.getBytes(ISO_8859_1);
    assertThat(bloomWith(input, "check", filter, "--mode", "absent").bytes()).isEqualTo(input);
  }

  @Test
  void countPrintsTheCountsOnly() {
    Bloom.Run run = bloomWith("one\n\nfour\n", "check", filter, "--count");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo("2 keys: 1 probably present, 1 certainly absent; 1 empty key, not looked up\n");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void quietPrintsNoSummary() {
    Bloom.Run run = bloomWith("one\nfour\n", "check", filter, "-q", "--mode", "absent");
    assertThat(run).isEqualTo(new Bloom.Run(0, "four\n", ""));
    assertThat(bloom("check", filter, "-q", "-k", "four"))
        .isEqualTo(new Bloom.Run(1, "certainly absent\tfour\n", ""));
  }

  @Test
  void silentPrintsNothing() {
    Bloom.Run run = bloomWith("one\nfour\n", "check", filter, "-s");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEmpty();
  }

  @Test
  void jsonHasTheCounts() {
    Bloom.Run run = bloomWith("one\n\nfour\n", "check", filter, "-c", "--json", "--exit-code");
    assertThat(run.code()).isEqualTo(1);
    assertThat(Json.object(run.out()).toString())
        .isEqualTo(
            "{file="
                + filter
                + ", keys=2.0, probablyPresent=1.0, certainlyAbsent=1.0, emptyKeysSkipped=1.0, badRows=0.0}");
  }

  @Test
  void emptyKeysAreLookedUpOnRequest() {
    assertThat(bloomWith("\n", "check", filter).out()).isEqualTo("empty key\t\n");
    assertThat(bloomWith("\n", "check", filter).code()).isZero();
    assertThat(bloomWith("\n", "check", filter, "--keep-empty").out())
        .isEqualTo("certainly absent\t\n");
    assertThat(bloom("check", filter, "--key", "").out()).isEqualTo("certainly absent\t\n");
  }

  @Test
  void manyKeysKeepTheirOrder() {
    Path many = directory.resolve("many.bloom");
    String input = numbers(100_000);
    bloomWith(input, "build", "-o", many);
    Bloom.Run run = bloomWith(input, "check", many, "--mode", "present", "--exit-code");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo(input);
  }

  @Test
  void keysLongerThanABatchAreLookedUp() {
    String key = "x".repeat(3_000_000);
    Path longer = directory.resolve("long.bloom");
    bloomWith("a\n" + key + "\nb\n", "build", "-o", longer);
    Bloom.Run run = bloomWith("a\n" + key + "\nb\n", "check", longer, "--mode", "present");
    assertThat(run.out()).isEqualTo("a\n" + key + "\nb\n");
  }

  @Test
  void answersAreFlushedWhenTheInputPauses() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream typing =
        new ByteArrayInputStream("x\n".getBytes(US_ASCII)) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            if (available() == 0) {
              assertThat(out.toString(US_ASCII)).isEqualTo("certainly absent\tx\n");
            }
            return super.read(bytes, offset, length);
          }
        };
    Console console =
        new Console(
            typing,
            new StandardOutput(out),
            new PrintWriter(Writer.nullWriter()),
            () -> false,
            () -> false);
    assertThat(Main.run(console, "check", filter.toString())).isZero();
  }

  @Test
  void aKeyedFilterNeedsItsKey() throws IOException {
    Path right = Runs.secret(directory.resolve("right"), "0123456789abcdef");
    Path wrong = Runs.secret(directory.resolve("wrong"), "0123456789abcdeF");
    Path keyed = directory.resolve("keyed.bloom");
    bloomWith("one\n", "build", "-o", keyed, "--secret-file", right);
    assertThat(bloom("check", keyed, "--key", "one", "--secret-file", right).code()).isZero();
    assertError(
        bloom("check", keyed, "--key", "one"),
        "made with a secret key; give it with --secret-file");
    assertError(bloom("check", keyed, "--key", "one", "--secret-file", wrong), "wrong key");
    assertError(
        bloom("check", filter, "--key", "one", "--secret-file", right),
        "made without a secret key");
  }

  @Test
  void damageIsReportedWithItsOffset() throws IOException {
    byte[] bytes = Files.readAllBytes(filter);
    bytes[4100] ^= 1;
    Files.write(filter, bytes);
    assertThat(bloom("check", filter, "--key", "one", "--no-verify").code()).isLessThan(2);
    assertError(bloom("check", filter, "--key", "one"), filter + ", byte ");
    assertError(bloom("check", filter, "--key", "one", "--verify"), filter + ", byte ");
    Files.write(filter, Arrays.copyOf(bytes, bytes.length - 1));
    assertError(bloom("check", filter, "--key", "one"), filter + ", byte ");
    Files.write(filter, new byte[0]);
    assertError(bloom("check", filter, "--key", "one"), filter + ", byte 0: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--count", "--silent"})
  void modeIsRefusedWithOptionsThatPrintNoKeys(String option) {
    assertError(bloom("check", filter, "--mode", "absent", option), "--mode prints keys");
  }

  @Test
  void missingFilesAreErrors() {
    assertError(bloom("check", directory, "--key", "one"), "is a directory, not a filter");
    assertError(bloom("check", directory.resolve("no"), "--key", "one"), "no: no such file");
    assertError(bloom("check", filter, directory.resolve("no")), "no: no such file");
  }

  @Test
  void aFullDiskIsAnErrorAndAClosedPipeIsNot() {
    assertThat(printingTo("No space left on device")).isEqualTo(2);
    assertThat(printingTo("Broken pipe")).isEqualTo(141);
  }

  /** The exit code when standard output fails after 100,000 bytes. */
  private int printingTo(String failure) {
    OutputStream failing =
        new OutputStream() {
          private long room = 100_000;

          @Override
          public void write(int b) throws IOException {
            if (--room < 0) {
              throw new IOException(failure);
            }
          }
        };
    StringWriter err = new StringWriter();
    Console console =
        new Console(
            new ByteArrayInputStream(numbers(50_000).getBytes(US_ASCII)),
            new StandardOutput(failing),
            new PrintWriter(err, true),
            () -> false,
            () -> false);
    int code = Main.run(console, "check", filter.toString());
    assertThat(err.toString())
        .isEqualTo(code == 2 ? "bloom: standard output: " + failure + "\n" : "");
    return code;
  }

  @ParameterizedTest
  @CsvSource({"annotate, 2", "present, 1", "absent, 1"})
  void eachModePrintsItsLines(String mode, long lines) {
    Bloom.Run run = bloomWith("one\nfour\n", "check", filter, "--mode", mode);
    assertThat(run.out()).hasLineCount((int) lines);
    assertThat(bloomWith("one\n", "check", filter, "--mode", "none").err())
        .startsWith("bloom: Invalid value for option '--mode'")
        .hasLineCount(1);
  }

  private static void assertError(Bloom.Run run, String message) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
