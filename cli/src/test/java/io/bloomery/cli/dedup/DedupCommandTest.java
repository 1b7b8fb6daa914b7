package io.bloomery.cli.dedup;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.testkit.Inputs.gzip;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.cli.Main;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DedupCommandTest {

  @TempDir private Path directory;

  /** What {@code awk '!s[$0]++'} prints, or {@code awk 's[$0]++'} for the repeated lines. */
  private static String model(String text, boolean repeated) {
    Set<String> seen = new HashSet<>();
    StringBuilder out = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      if (seen.add(line) != repeated) {
        out.append(line).append('\n');
      }
    }
    return out.toString();
  }

  /** Lines of random bytes: many repeat, some differ in one byte, the last has no line end. */
  private static String randomLines(SplittableRandom random, int count) {
    List<String> pool = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      String line;
      int kind = random.nextInt(10);
      if (kind < 4 && !pool.isEmpty()) {
        line = pool.get(random.nextInt(pool.size()));
      } else if (kind < 6 && !pool.isEmpty()) {
        line = pool.get(random.nextInt(pool.size())) + (char) (1 + random.nextInt(9));
      } else {
        int length = random.nextInt(200) == 0 ? random.nextInt(20_000) : random.nextInt(40);
        StringBuilder fresh = new StringBuilder();
        for (int j = 0; j < length; j++) {
          char next = (char) random.nextInt(256);
          fresh.append(next == '\n' || next == '\r' ? 'x' : next);
        }
        line = fresh.toString();
      }
      pool.add(line);
      text.append(i == 0 ? "" : "\n").append(line);
    }
    // An empty last line without a line end would not count as a line.
    return text.append("end").toString();
  }

  @Test
  void eachLineIsPrintedOnceInOrder() {
    Bloom.Run run = bloomWith("b\na\nb\nc\na\nb\n", "dedup");
    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("b\na\nc\n");
    assertThat(run.err())
        .contains("lines read     6\n", "new            3\n", "repeated       3\n")
        .contains("0.0001 % (1 in 1,000,000)")
        .contains("expected loss  less than 0.001 lines");
  }

  @Test
  void duplicatesPrintsRepeatedLinesInstead() {
    assertThat(bloomWith("b\na\nb\nc\na\nb\n", "dedup", "--duplicates").out())
        .isEqualTo("b\na\nb\n");
    assertThat(bloomWith("b\na\nb\nc\na\nb\n", "dedup", "-d", "--exact").out())
        .isEqualTo("b\na\nb\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--exact"})
  void lineEndsAreKeptAndAddedAtTheEndOfFiles(String option) throws IOException {
    Path one = Files.writeString(directory.resolve("one"), "a\r\nb\na");
    Path two = Files.write(directory.resolve("two"), gzip("c\nb\nd"));
    Path empty = Files.writeString(directory.resolve("empty"), "");
    Object[] args = {"dedup", one, empty, two, "-", "-q"};
    Object[] all = option.isEmpty() ? args : new Object[] {"dedup", one, empty, two, "-", option};
    // Lines keep their line end; the last line of a file gets one if it lacks it.
    assertThat(bloomWith("e\nd\n\n\nx\r\n", all).out()).isEqualTo("a\r\nb\nc\nd\ne\n\nx\r\n");
    assertThat(bloomWith("", "dedup").out()).isEmpty();
    assertThat(bloomWith("", "dedup").code()).isZero();
    assertThat(bloomWith("\n", "dedup").out()).isEqualTo("\n");
  }

  @Test
  void emptyLinesAreLinesUnlessAllAreKept() {
    assertThat(bloomWith("\na\n\n\na\n", "dedup").out()).isEqualTo("\na\n");
    assertThat(bloomWith("\na\n\n\na\n", "dedup", "--keep-empty").out()).isEqualTo("\na\n\n\n");
    assertThat(bloomWith("\na\n\n\na\n", "dedup", "--keep-empty", "-d").out()).isEqualTo("a\n");
  }

  @Test
  void aColumnIsTheKeyAndOneHeaderIsPrinted() throws IOException {
    Path one = Files.writeString(directory.resolve("one.csv"), "id,mail\n1,a\n2,\"a\"\n3,b\n4,");
    Path two = Files.writeString(directory.resolve("two.csv"), "mail,id\r\nb,5\r\nc,6\r\n,7");
    String once = "id,mail\n1,a\n3,b\n4,\n6,c\r\n";
    assertThat(bloom("dedup", one, two, "--column", "mail").out()).isEqualTo(once);
    assertThat(bloom("dedup", one, two, "--column", "mail", "--exact").out()).isEqualTo(once);
    assertThat(bloom("dedup", one, two, "--column", "mail", "--keep-empty").out())
        .isEqualTo(once + "7,\r\n");
    assertThat(bloom("dedup", one, two, "--column", "mail", "-d").out())
        .isEqualTo("id,mail\n2,\"a\"\n5,b\r\n7,\r\n");
  }

  @Test
  void recordsCanHaveOtherDelimitersOrAFixedLength() {
    assertThat(bloomWith("a;b\n;a;b\n;c", "dedup", "--delimiter", ";").out()).isEqualTo("a;b\n;c;");
    assertThat(bloomWith("aabbaacc", "dedup", "--binary", 2).out()).isEqualTo("aabbcc");
    assertError(bloomWith("a", "dedup", "--binary", 2, "--column", 1), "exclude each other");
  }

  @ParameterizedTest
  @CsvSource({"1, 0.1", "2, 0.5", "3, 0.9", "4, 0.01"})
  void exactOutputIsExactAtAnyRate(int seed, double rate) {
    String text = randomLines(Seeds.random(seed), 20_000);
    byte[] input = text.getBytes(ISO_8859_1);
    Bloom.Run run = bloomWith(input, "dedup", "--exact", "-p", rate, "-n", 100);
    assertThat(run.latin1()).isEqualTo(model(text, false));
    Bloom.Run repeated =
        bloomWith(input, "dedup", "--exact", "-p", rate, "-n", 100, "-c", "--json");
    assertThat(repeated.out()).contains("\"exact\":true", "\"expectedLoss\":0.0");
    Map<?, ?> facts = Json.object(repeated.out());
    long fresh = model(text, false).chars().filter(c -> c == '\n').count();
    assertThat(facts.get("newLines")).isEqualTo((double) fresh);
    if (rate >= 0.1) {
      // About 70 at 10 %: the layers after the first are larger and have lower rates.
      assertThat((double) facts.get("rescuedLines")).isGreaterThan(rate >= 0.5 ? 100 : 25);
    }
    assertThat(bloomWith(input, "dedup", "--exact", "-p", rate, "-d").latin1())
        .isEqualTo(model(text, true));
  }

  @Test
  void aHighRateLosesAsManyLinesAsExpected() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append('\n');
    }
    Bloom.Run run = bloomWith(text.toString(), "dedup", "-p", "0.1", "-n", 1000, "-c", "--json");
    Map<?, ?> facts = Json.object(run.out());
    double lost = (double) facts.get("repeatedLines");
    double expected = (double) facts.get("expectedLoss");
    // The loss is Poisson-distributed; five standard deviations.
    assertThat(lost)
        .isBetween(expected - 5 * Math.sqrt(expected), expected + 5 * Math.sqrt(expected));
    assertThat(expected).isBetween(200.0, 2000.0);
    assertThat(bloomWith(text.toString(), "dedup", "-q").out()).isEqualTo(text.toString());
  }

  @Test
  void longLinesAndBinaryBytesAreKept() {
    String line = "\u0000\u00ff\t\r".repeat(400_000);
    String text = line + "y\n" + line + "z\n" + line + "y\n" + "\u0000\n\u0000\n";
    for (String option : List.of("--quiet", "--exact")) {
      Bloom.Run run = bloomWith(text.getBytes(ISO_8859_1), "dedup", option);
      assertThat(run.latin1()).isEqualTo(line + "y\n" + line + "z\n" + "\u0000\n");
    }
  }

  @Test
  void aWindowOfLinesForgetsOlderLines() {
    StringBuilder text = new StringBuilder("first\nfirst\n");
    for (int i = 0; i < 1000; i++) {
      text.append(i).append('\n');
    }
    text.append("first\n");
    assertThat(bloomWith(text.toString(), "dedup", "--last", 100).out().split("first", -1))
        .hasSize(3);
    assertThat(bloomWith(text.toString(), "dedup", "--last", "1100").out().split("first", -1))
        .hasSize(2);
    // A line that occurred within the window is always dropped.
    SplittableRandom random = Seeds.random(3);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      lines.add(Integer.toString(random.nextInt(3000)));
    }
    Bloom.Run run =
        bloomWith(String.join("\n", lines) + "\n", "dedup", "--last", 500, "--duplicates");
    List<String> dropped = run.out().lines().toList();
    List<String> certain = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.subList(Math.max(0, i - 500), i).contains(lines.get(i))) {
        certain.add(lines.get(i));
      }
    }
    assertThat(dropped).containsSubsequence(certain);
    assertThat(dropped.size()).isLessThan(2 * certain.size());
  }

  @Test
  void aTimeWindowNeedsTheNumberOfLines() throws Exception {
    assertThat(bloomWith("a\na\nb\n", "dedup", "--within", "1h", "-n", "1k").out())
        .isEqualTo("a\nb\n");
    assertError(bloomWith("a\n", "dedup", "--within", "1h"), "--within needs -n");
    assertError(bloomWith("a\n", "dedup", "--within", "1y", "-n", 5), "'1y' is not a time");
    assertError(bloomWith("a\n", "dedup", "--last", 5, "-n", 5), "leave out -n");
    assertThat(bloomWith("a\n", "dedup", "--last", 5, "--within", "1h").code()).isEqualTo(2);
  }

  /** A filter remembers for less than twice the window. */
  @Test
  void afterAPauseLongerThanTheWindowALineIsNewAgain() throws Exception {
    PipedOutputStream typing = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(typing);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] words = {"dedup", "--within", "50ms", "-n", "10", "-q"};
    Thread command = new Thread(() -> run(in, out, new StringWriter(), words));
    command.start();
    typing.write("a\na\n".getBytes(US_ASCII));
    typing.flush();
    await(out, "a\n");
    long printed = System.currentTimeMillis();
    while (System.currentTimeMillis() < printed + 2 * 50) {
      Thread.sleep(1);
    }
    typing.write("a\n".getBytes(US_ASCII));
    typing.flush();
    await(out, "a\na\n");
    typing.close();
    command.join();
  }

  private static void await(ByteArrayOutputStream out, String text) throws InterruptedException {
    while (!out.toString(US_ASCII).equals(text)) {
      Thread.sleep(1);
    }
  }

  @Test
  void summaryOnStandardOutputOrAsJson() {
    Bloom.Run count = bloomWith("a\na\nb\n", "dedup", "--count");
    assertThat(count.out()).contains("new            2").doesNotContain("\na\n");
    assertThat(count.err()).isEmpty();
    Map<?, ?> facts = Json.object(bloomWith("a\na\nb\n", "dedup", "-c", "--json").out());
    assertThat(facts.toString())
        .startsWith(
            "{linesRead=3.0, newLines=2.0, repeatedLines=1.0, badRows=0.0, exact=false, promisedRate=1.0E-6");
    assertThat(bloomWith("a\na\n", "dedup", "-q").err()).isEmpty();
    assertError(bloomWith("a\n", "dedup", "-q", "-c", "--json"), "--quiet prints no summary");
  }

  @Test
  void aSecretKeyChangesNothingButTheHashes() throws IOException {
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
    assertThat(bloomWith("a\nb\na\n", "dedup", "--secret-file", key).out()).isEqualTo("a\nb\n");
    assertThat(bloomWith("a\nb\na\n", "dedup", "--exact", "--secret-file", key).out())
        .isEqualTo("a\nb\n");
  }

  @Test
  void linesAreFlushedWhenTheInputPauses() throws Exception {
    PipedOutputStream typing = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(typing);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Thread command = new Thread(() -> run(in, out, new StringWriter(), "dedup"));
    command.start();
    typing.write("a\nb\na\nc".getBytes(US_ASCII));
    typing.flush();
    await(out, "a\nb\n");
    typing.write("\nb\nd\n".getBytes(US_ASCII));
    typing.flush();
    await(out, "a\nb\nc\nd\n");
    typing.close();
    command.join();
  }

  @Test
  void aClosedPipeEndsTheCommandQuietly() {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    StringWriter err = new StringWriter();
    byte[] lines = "x\n".repeat(1000).concat("y\n").getBytes(US_ASCII);
    assertThat(run(new ByteArrayInputStream(lines), closed, err, "dedup")).isEqualTo(141);
    assertThat(err.toString()).isEmpty();
  }

  static boolean hasFullDevice() {
    return Files.exists(Path.of("/dev/full"));
  }

  @Test
  @EnabledIf("hasFullDevice")
  void aFullDiskIsAnErrorWithoutSummary() throws IOException {
    try (OutputStream full = Files.newOutputStream(Path.of("/dev/full"))) {
      StringWriter err = new StringWriter();
      byte[] lines = "x\ny\n".getBytes(US_ASCII);
      assertThat(run(new ByteArrayInputStream(lines), full, err, "dedup")).isEqualTo(2);
      assertThat(err.toString()).startsWith("bloom: standard output: ").hasLineCount(1);
    }
  }

  @Test
  void badFilesAreNamed() throws IOException {
    assertError(bloom("dedup", directory.resolve("no")), "no: no such file");
    assertError(bloom("dedup", directory), "is a directory");
    byte[] packed = gzip("a\nb\n");
    packed[packed.length - 6] ^= 1;
    Path damaged = Files.write(directory.resolve("damaged"), packed);
    assertError(bloom("dedup", damaged), damaged + ", near byte ");
  }

  private static int run(InputStream in, OutputStream out, StringWriter err, String... args) {
    Console console =
        new Console(
            in, new StandardOutput(out), new PrintWriter(err, true), () -> false, () -> false);
    return Main.run(console, args);
  }

  private static void assertError(Bloom.Run run, String message) {
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(run.out()).isEmpty();
  }
}
