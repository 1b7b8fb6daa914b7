package io.bloomery.cli.dedup;

import static io.bloomery.cli.Bloom.bloom;
import static io.bloomery.cli.Bloom.bloomWith;
import static io.bloomery.cli.Runs.assertError;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Bloom;
import io.bloomery.cli.Main;
import io.bloomery.testkit.Json;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.file.FilterLock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --state}: lines of earlier runs are not printed again. */
class StateTest {

  @TempDir private Path directory;

  private Path state;

  @BeforeEach
  void name() {
    state = directory.resolve("seen.bloom");
  }

  private String passed(String text, Object... more) {
    Object[] args = new Object[4 + more.length];
    args[0] = "dedup";
    args[1] = "--state";
    args[2] = state;
    args[3] = "-q";
    System.arraycopy(more, 0, args, 4, more.length);
    Bloom.Run run = bloomWith(text, args);
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    return run.out();
  }

  @Test
  void linesOfEarlierRunsAreNotPrinted() {
    assertThat(passed("a\nb\na\n")).isEqualTo("a\nb\n");
    assertThat(passed("b\nc\nc\n")).isEqualTo("c\n");
    assertThat(passed("d\nc\nd\na\n", "--duplicates")).isEqualTo("c\nd\na\n");
    assertThat(passed("d\n")).isEmpty();
    Bloom.Run run = bloomWith("d\ne\n", "dedup", "--state", state);
    assertThat(run.out()).isEqualTo("e\n");
    assertThat(run.err())
        .contains("state          " + state + ", 4 lines of earlier runs\n", "new            1\n");
    assertThat(bloom("info", state).out()).contains("scalable");
  }

  /**
   * A million keys, a fifth of them repeated: ten runs give the output and state of a single one.
   */
  @Test
  void tenRunsEqualASingleOne() throws IOException {
    SplittableRandom random = Seeds.random(8);
    Path secret = Files.writeString(directory.resolve("secret"), "a key of 16 byte");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    StringBuilder all = new StringBuilder();
    StringBuilder parts = new StringBuilder();
    for (int part = 0; part < 10; part++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 100_000; i++) {
        lines.append("key ").append(random.nextInt(2_000_000)).append('\n');
      }
      parts.append(passed(lines.toString(), "--secret-file", secret, "-n", "1M"));
      all.append(lines);
    }
    byte[] saved = Files.readAllBytes(state);
    state = directory.resolve("once.bloom");
    assertThat(passed(all.toString(), "--secret-file", secret, "-n", "1M").equals(parts.toString()))
        .isTrue();
    assertThat(Files.readAllBytes(state)).isEqualTo(saved);
  }

  /** 300,000 keys at a rate of 1 in 1,000, in a filter that starts out for 65,536. */
  @Test
  void theRateHoldsAsTheStateGrows() {
    int lost = 0;
    for (int part = 0; part < 10; part++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 30_000; i++) {
        lines.append(part).append(' ').append(i).append('\n');
      }
      String rate = part == 0 ? "--rate=0.001" : "--no-progress";
      lost += 30_000 - (int) passed(lines.toString(), rate).lines().count();
    }
    assertThat(passed("0 0\n5 7\n9 29999\n")).isEmpty();
    assertThat(lost).isLessThan(300 + (int) (5 * Math.sqrt(300)));
    Map<?, ?> json = Json.object(bloomWith("", "dedup", "--state", state, "--json").out());
    assertThat(json.get("promisedRate")).isEqualTo(0.001);
    assertThat((double) json.get("earlierLines")).isEqualTo(300_000.0 - lost);
  }

  @Test
  void keysCanBeTypedColumns() {
    String[] column = {"--column", "id", "--type", "int64"};
    assertThat(passed("id,x\n7,a\n8,b\n", (Object[]) column)).isEqualTo("id,x\n7,a\n8,b\n");
    assertThat(passed("id,x\n007,c\n9,d\n", (Object[]) column)).isEqualTo("id,x\n9,d\n");
    assertThat(passed("x,id\ne,8\nf,10\n", (Object[]) column)).isEqualTo("x,id\nf,10\n");
    state = directory.resolve("json.bloom");
    String line = "{\"id\": 7}\n";
    assertThat(passed(line, "--json-key", ".id")).isEqualTo(line);
    assertThat(passed(line, "--json-key", ".id")).isEmpty();
    refused("made with records --json-key .id, not lines");
  }

  @Test
  void otherOptionsAreRefused() throws IOException {
    passed("id,x\n7,a\n", "--column", "id");
    byte[] before = Files.readAllBytes(state);
    refused("made with --column id, not none");
    refused("made with --column id, not x", "--column", "x");
    refused("made with --column id, not id,x", "--column", "id,x");
    refused("made with --type text, not int64", "--column", "id", "--type", "int64");
    refused(
        "made with records lines, not --separator \\\\x3b", "--column", "id", "--separator", ";");
    refused("made with --column id, not none", "--json-key", ".id");
    refused("made with --rate 1.0E-6", "--column", "id", "--rate", "0.1");
    Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
    refused("made without a secret key", "--column", "id", "--secret-file", secret);
    refused("does not go with --exact", "--exact");
    refused("does not go with --exact", "--last", 7);
    assertThat(Files.readAllBytes(state)).isEqualTo(before);
    Files.delete(state);
    assertThat(bloomWith("a\n", "dedup", "--state", state, "--secret-file", secret).code())
        .isZero();
    refused("made with a secret key; give it with --secret-file");
    Path other = Files.writeString(directory.resolve("other"), "123456789abcdef0");
    refused("key", "--secret-file", other);
  }

  private void refused(String reason, Object... more) {
    Object[] args = new Object[3 + more.length];
    args[0] = "dedup";
    args[1] = "--state";
    args[2] = state;
    System.arraycopy(more, 0, args, 3, more.length);
    Bloom.Run run = bloomWith("id,x\n1,b\n", args);
    assertThat(run.out()).isEmpty();
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains(reason);
  }

  @Test
  void aDamagedStateIsRefused() throws IOException {
    passed("a\nb\n");
    byte[] good = Files.readAllBytes(state);
    for (int place : new int[] {0, 9, 40, 70, 100, 5_000, good.length / 2, good.length - 1}) {
      byte[] bad = good.clone();
      bad[place] ^= 4;
      Files.write(state, bad);
      refused(state.toString());
      assertThat(Files.readAllBytes(state)).isEqualTo(bad);
    }
    Files.write(state, Arrays.copyOf(good, good.length - 8));
    refused(state.toString());
    Files.write(state, new byte[0]);
    refused(state.toString());
    bloomWith("a\n", "build", "-o", state, "-f");
    refused("is not a state of bloom dedup");
    Files.delete(state);
    Files.createDirectory(state);
    refused("is a directory");
    state = directory.resolve("no/seen.bloom");
    refused("there is no directory");
  }

  @Test
  void withoutNewLinesTheFileIsNotRewritten() throws IOException {
    assertThat(passed("")).isEmpty();
    assertThat(state).doesNotExist();
    passed("a\n");
    Object before = Files.readAttributes(state, "unix:ino").get("ino");
    assertThat(passed("")).isEmpty();
    assertThat(passed("a\na\n")).isEmpty();
    assertThat(Files.readAttributes(state, "unix:ino").get("ino")).isEqualTo(before);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(state); // no lock file is left behind
    }
  }

  /** A run that prints only its summary outputs no lines, so a later run still has to. */
  @Test
  void onlyPrintedLinesAreRemembered() {
    assertThat(bloomWith("a\n", "dedup", "--state", state, "--count").out()).contains("new ");
    assertThat(bloomWith("a\n", "dedup", "--state", state, "-c", "--json").code()).isZero();
    assertThat(state).doesNotExist();
    Path out = directory.resolve("out");
    assertThat(passed("a\n", "-o", out)).isEmpty();
    assertThat(out).hasContent("a");
    assertThat(passed("a\nb\n")).isEqualTo("b\n");
    assertError(bloomWith("a\n", "dedup", "--state", state, "-o", state, "-f"), "also the output");
    assertError(bloom("dedup", "--state", out, out), "is also the input");
    assertError(
        bloomWith("a\n", "dedup", "--wait", "1s"),
        "--wait, --no-wait and --save-every are for --state");
  }

  /**
   * After a closed pipe or a full disk the state is unchanged, so the next run prints all again.
   */
  @Test
  void failedOutputLeavesTheStateUnchanged() throws IOException {
    passed("a\n");
    byte[] before = Files.readAllBytes(state);
    for (String reason : new String[] {"Broken pipe", "No space left on device"}) {
      for (int room : new int[] {0, 70_000}) {
        assertThat(fail(reason, room)).isNotZero();
        assertThat(Files.readAllBytes(state)).isEqualTo(before);
      }
    }
    assertThat(passed("b\n")).isEqualTo("b\n");
  }

  private int fail(String reason, int room) {
    OutputStream full =
        new OutputStream() {
          private int left = room;

          @Override
          public void write(int b) throws IOException {
            if (left-- <= 0) {
              throw new IOException(reason);
            }
          }
        };
    byte[] lines = "b\nc\n".concat("d\n".repeat(9)).getBytes(US_ASCII);
    if (room > 0) {
      StringBuilder many = new StringBuilder();
      for (int i = 0; i < 40_000; i++) {
        many.append("line ").append(i).append('\n');
      }
      lines = many.toString().getBytes(US_ASCII);
    }
    Console console =
        new Console(
            new ByteArrayInputStream(lines),
            new StandardOutput(full),
            new PrintWriter(Writer.nullWriter()),
            () -> false,
            () -> false);
    return Main.run(console, "dedup", "--state", state.toString());
  }

  /** Output is flushed before the state file changes. */
  @Test
  void linesAreWrittenBeforeTheStateIsSaved() {
    boolean[] early = {false};
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int offset, int length) {
            early[0] |= Files.exists(state);
            super.write(bytes, offset, length);
          }
        };
    Console console =
        new Console(
            new ByteArrayInputStream("a\n".getBytes(US_ASCII)),
            new StandardOutput(out),
            new PrintWriter(Writer.nullWriter()),
            () -> false,
            () -> false);
    assertThat(Main.run(console, "dedup", "--state", state.toString())).isZero();
    assertThat(out.toString(US_ASCII)).isEqualTo("a\n");
    assertThat(early[0]).isFalse();
    assertThat(state).exists();
  }

  @Test
  void oneProcessAtATime() {
    try (FilterLock lock = FilterLock.onNew(state, waited -> {})) {
      Bloom.Run run = bloomWith("a\n", "dedup", "--state", state, "--wait", "60ms");
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .contains(state + ": is still being changed by another bloom after 0.06 s");
      assertThat(bloomWith("a\n", "dedup", "--state", state, "--no-wait").err())
          .contains(state + ": is being changed by another bloom");
      assertThat(lock.path().getFileName()).isEqualTo(state.getFileName());
    }
    assertThat(passed("a\n", "--wait", "60ms")).isEqualTo("a\n");
  }

  /**
   * The disk of the output is full when the state is to be saved: the state stays, the run fails.
   */
  @Test
  void linesThatCouldNotBeWrittenAreNotSaved() throws Exception {
    PipedOutputStream lines = new PipedOutputStream();
    PipedInputStream input = new PipedInputStream(lines);
    CountDownLatch refused = new CountDownLatch(1);
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            refused.countDown();
            throw new IOException("No space left on device");
          }
        };
    StringWriter err = new StringWriter();
    Console console =
        new Console(
            input, new StandardOutput(full), new PrintWriter(err), () -> false, () -> false);
    Thread writer =
        new Thread(
            () -> {
              try (lines) {
                lines.write("a\n".getBytes(US_ASCII));
                lines.flush();
                refused.await();
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    writer.start();
    int code = Main.run(console, "dedup", "--state", state.toString(), "--save-every", "5ms");
    writer.join();
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("standard output: No space left on device");
    assertThat(state).doesNotExist();
    assertThat(passed("a\n")).isEqualTo("a\n");
  }
}
