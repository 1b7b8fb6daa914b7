package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user sees on a terminal, which {@code script} of util-linux emulates. */
@Timeout(300)
class TerminalTest {

  /** The progress bar appears after 300 ms of reading. */
  private static final long LONGER_THAN_PATIENCE_MILLIS = 400;

  @TempDir private Path directory;
  private Path pipe;

  @SuppressWarnings("JdkObsolete") // two threads
  private final StringBuffer raw = new StringBuffer();

  private Process terminal;
  private CompletableFuture<Void> reader;

  @BeforeEach
  void makePipe() throws Exception {
    Assumptions.assumeTrue(
        new ProcessBuilder("sh", "-c", "command -v script && script --version")
                .redirectErrorStream(true)
                .start()
                .waitFor()
            == 0,
        "script of util-linux is not installed");
    pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
  }

  /** Starts a command on its own terminal. */
  private void start(String line) throws IOException {
    Shell shell = new Shell(directory, directory.resolve("bin"));
    String bloom = directory.resolve("bin").resolve("bloom") + " " + line;
    String quoted = "'" + bloom.replace("'", "'\\''") + "'";
    terminal = shell.start("TERM=xterm exec script -qefc " + quoted + " /dev/null", true);
    reader =
        CompletableFuture.runAsync(() -> read(terminal.getInputStream()), TerminalTest::inThread);
  }

  private static void inThread(Runnable task) {
    Thread thread = new Thread(task, "terminal");
    thread.setDaemon(true);
    thread.start();
  }

  private void read(InputStream in) {
    try (in) {
      byte[] bytes = new byte[1024];
      for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
        raw.append(new String(bytes, 0, n, UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens the pipe once the command reads it; fails if the command ends without doing so. */
  private OutputStream openPipe() throws IOException, InterruptedException {
    CompletableFuture<OutputStream> opening =
        CompletableFuture.supplyAsync(this::awaitReader, TerminalTest::inThread);
    BloomProcess.await(
        () -> opening.isDone() || !terminal.isAlive(), "a command that reads the pipe");
    if (!opening.isDone()) {
      Files.newInputStream(pipe).close(); // unblocks the other thread
      opening.join().close();
      reader.join();
      throw new AssertionError("the command ended without reading the pipe: " + raw);
    }
    return opening.join();
  }

  private OutputStream awaitReader() {
    try {
      return Files.newOutputStream(pipe);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes to the pipe that the command reads until the progress bar appears. */
  private OutputStream feedUntilTheBarAppears() throws IOException, InterruptedException {
    OutputStream out = openPipe();
    out.write("a\nb\na\n".getBytes(UTF_8));
    out.flush();
    TimeUnit.MILLISECONDS.sleep(LONGER_THAN_PATIENCE_MILLIS);
    out.write("a\n".getBytes(UTF_8));
    out.flush();
    BloomProcess.await(
        () -> raw.indexOf("reading") >= 0 || !terminal.isAlive(), "the progress bar: " + raw);
    return out;
  }

  private int exitCode() throws InterruptedException {
    assertThat(terminal.waitFor(2, TimeUnit.MINUTES)).isTrue();
    reader.join();
    return terminal.exitValue();
  }

  /** What remains on the screen; understands only the control codes that the bar uses. */
  private static String screen(String raw) {
    List<StringBuilder> lines = new ArrayList<>(List.of(new StringBuilder()));
    int column = 0;
    String text = raw.replaceAll("\033\\[\\?7[lh]", "");
    for (int i = 0; i < text.length(); i++) {
      StringBuilder line = lines.get(lines.size() - 1);
      if (text.startsWith("\033[K", i)) {
        line.setLength(Math.min(line.length(), column));
        i += 2;
      } else if (text.charAt(i) == '\r') {
        column = 0;
      } else if (text.charAt(i) == '\n') {
        lines.add(new StringBuilder());
        column = 0;
      } else {
        line.replace(column, Math.min(line.length(), column + 1), text.substring(i, i + 1));
        column++;
      }
    }
    return lines.stream().map(StringBuilder::toString).collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          top PIPE                   | 3\t0\ta
          top PIPE --json            | "key":"a","count":3
          count PIPE -k a            | 3\ta
          diff PIPE b --count        | 1 only left
          add x.bloom PIPE           | keys read       4
          build PIPE -o y.bloom      | keys read      4
          """)
  void progressIsClearedBeforeResultsArePrinted(String line, String result) throws Exception {
    Files.writeString(directory.resolve("b"), "b\n");
    Bloom.bloomWith("b\n", "build", "-o", directory.resolve("x.bloom"), "-n", 1000);
    start(line.replace("PIPE", "pipe"));
    try (OutputStream out = feedUntilTheBarAppears()) {
      out.flush();
    }
    int code = exitCode();
    assertThat(code).as(raw.toString()).isLessThan(2);
    assertThat(raw.toString()).contains("reading");
    assertThat(screen(raw.toString())).contains(result).doesNotContain("reading", "\033");
  }

  @ParameterizedTest
  @CsvSource({"build pipe -o y.bloom", "add x.bloom pipe", "dedup pipe --count", "top pipe"})
  void ctrlCLeavesACleanLineAndNoFile(String line) throws Exception {
    Bloom.bloomWith("b\n", "build", "-o", directory.resolve("x.bloom"), "-n", 1000);
    start(line);
    try (OutputStream out = feedUntilTheBarAppears()) {
      out.flush();
      terminal.getOutputStream().write(3); // Ctrl-C
      terminal.getOutputStream().flush();
      assertThat(exitCode()).isEqualTo(130);
    }
    if (line.startsWith("top")) { // prints what it has counted so far
      assertThat(screen(raw.toString())).contains("keys; ").doesNotContain("reading", "\033");
    } else {
      assertThat(screen(raw.toString())).isBlank();
    }
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("pipe", "x.bloom", "bin");
    }
  }

  @Test
  void noProgressIsShownBetweenPrintedLines() throws Exception {
    start("dedup pipe");
    try (OutputStream out = openPipe()) {
      out.write("a\nb\na\n".getBytes(UTF_8));
      out.flush();
      TimeUnit.MILLISECONDS.sleep(LONGER_THAN_PATIENCE_MILLIS);
      out.write("c\n".getBytes(UTF_8));
      out.flush();
      BloomProcess.await(() -> raw.indexOf("c\r\n") >= 0, "the last line: " + raw);
    }
    assertThat(exitCode()).isZero();
    assertThat(raw.toString()).startsWith("a\r\nb\r\nc\r\n").doesNotContain("\033", "reading");
  }

  /** Otherwise a command that fails to start would make these tests hang. */
  @Test
  void aCommandThatDoesNotReadThePipeIsReported() throws Exception {
    start("no-such-command pipe");
    assertThatThrownBy(this::openPipe)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("the command ended without reading the pipe")
        .hasMessageContaining("no-such-command");
  }

  @Test
  void escapeSequencesInKeysAreEscaped() throws Exception {
    Files.writeString(directory.resolve("keys"), "a\033[2Jb\n");
    start("top keys");
    assertThat(exitCode()).isZero();
    assertThat(raw.toString()).contains("1\t0\ta\\x1b[2Jb\r\n").doesNotContain("\033[2J");
  }
}
