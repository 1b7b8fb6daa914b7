package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Inputs;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures outside the program give a one-line error and the right exit code. */
class FailuresTest {

  @TempDir private Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.writeString(directory.resolve("keys"), Inputs.numbers(1000));
    Files.createFile(directory.resolve("empty"));
    Files.createDirectory(directory.resolve("dir"));
    for (String name : List.of("a.bloom", "b.bloom")) {
      assertThat(run("build keys -o " + name + " -n 1000").code()).isZero();
    }
    assertThat(run("build keys -o c.bloom -n 1000 --deletes").code()).isZero();
    assertThat(run("index keys -o i.bloom").code()).isZero();
  }

  /** Replaces words that name files of the directory by their paths. */
  private Bloom.Run run(String line) {
    return bloom((Object[]) words(line));
  }

  private String[] words(String line) {
    String[] words = line.split(" ", -1);
    for (int i = 1; i < words.length; i++) {
      if (words[i].matches("[a-z]+\\.(bloom|svg)|keys|empty|dir|nosuch|secret")) {
        words[i] = directory.resolve(words[i]).toString();
      }
    }
    return words;
  }

  private static void assertOneLine(Bloom.Run run, String message) {
    assertThat(run.err()).startsWith("bloom: ").contains(message).hasLineCount(1);
    assertThat(run.code()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "build ? -o x.bloom",
        "build keys -o x.bloom --weights ?",
        "plan -n 9 --weights ?",
        "check a.bloom ?",
        "add a.bloom ?",
        "remove c.bloom ?",
        "dedup ?",
        "count ?",
        "top ?",
        "distinct ?",
        "partition --by key -n 2 ?",
        "sample --by key 50% ?",
        "join ? keys --on 1",
        "join keys ? --on 1",
        "diff ? keys",
        "diff keys ?",
        "reconcile ? keys",
        "reconcile keys ?",
        "reconcile ? --serve",
        "deny build ? -o x.bloom",
        "deny build keys -o x.bloom --allow ?",
        "deny check ? -k a",
        "revoked check a.bloom --public-key ? -k 1",
        "net flows ?",
        "net match ? keys",
        "net match empty ?",
        "net scan --list empty ?",
        "net state ?",
        "net scan --list ? empty",
        "net index x.idx ?",
        "net dups ?",
        "net trace ? --at a --packet keys",
        "known version ? --among keys",
        "known version keys --among ?",
        "verify a.bloom --present ?",
        "verify a.bloom --absent ?",
        "secure-index build keys -o x.bloom --secret-file ?",
      })
  void unreadableFilesOfKeysAreErrors(String line) throws IOException {
    assertOneLine(run(line.replace("?", "nosuch")), "nosuch: no such file");
    assertOneLine(run(line.replace("?", "dir")), "dir: is a directory");
    assertThat(Files.exists(directory.resolve("x.bloom"))).isFalse();
    Path secret = Files.writeString(directory.resolve("secret"), "x\n");
    if (secret.toFile().setReadable(false) && !Files.isReadable(secret)) {
      assertOneLine(run(line.replace("?", "secret")), "secret: permission denied");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check ? keys",
        "info ?",
        "add ? keys",
        "remove ? keys",
        "count --filter ? --key 1",
        "convert ? -o x.bloom --to compressed-bloom",
        "bench ? --rounds 3",
        "merge ? a.bloom -o x.bloom",
        "merge a.bloom ? -o x.bloom",
        "intersect ? a.bloom -o x.bloom",
        "find 1 ?",
        "which 1 ? -q",
        "index --update ?",
      })
  void unreadableFiltersAreErrors(String line) throws IOException {
    assertOneLine(run(line.replace("?", "nosuch")), "nosuch: no such file");
    assertOneLine(run(line.replace("?", "dir")), "dir: is a directory");
    assertOneLine(run(line.replace("?", "empty")), "empty");
    assertOneLine(run(line.replace("?", "keys")), "keys");
    assertThat(Files.exists(directory.resolve("x.bloom"))).isFalse();
    Path secret = Files.copy(directory.resolve("a.bloom"), directory.resolve("secret"));
    if (secret.toFile().setReadable(false) && !Files.isReadable(secret)) {
      assertOneLine(run(line.replace("?", "secret")), "secret: permission denied");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"build empty -o x.bloom", "check a.bloom empty", "dedup empty"})
  void anEmptyFileHasNoKeys(String line) {
    assertThat(run(line).code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "build keys -o x.bloom",
        "check a.bloom keys",
        "dedup keys",
        "count keys",
        "top keys",
        "sample 50% keys",
        "diff keys empty",
        "reconcile keys empty",
        "info a.bloom",
        "verify a.bloom",
        "index keys -o x.bloom",
        "find 1 i.bloom",
        "plan -n 1M",
        "plot fill --kinds bloom",
        "completion",
        "help",
        "man",
      })
  void fullAndClosedOutputsEndTheCommand(String line) throws IOException {
    Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full");
    StringWriter err = new StringWriter();
    try (OutputStream full = new FileOutputStream("/dev/full")) {
      assertThat(Main.run(console(full, err), words(line))).isEqualTo(2);
    }
    assertThat(err.toString()).endsWith("bloom: standard output: No space left on device\n");
    err = new StringWriter();
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    assertThat(Main.run(console(closed, err), words(line.replace("-o x", "--force -o x"))))
        .isEqualTo(141);
    assertThat(err.toString()).doesNotContain("bloom: ");
  }

  private static Console console(OutputStream out, StringWriter err) {
    return new Console(
        InputStream.nullInputStream(),
        new StandardOutput(out),
        new PrintWriter(err, true),
        () -> false,
        () -> false);
  }

  @Test
  void aFullOutputDeviceIsAnError() throws IOException {
    Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full");
    assertOneLine(run("build keys -o /dev/full"), "No space left on device");
    assertOneLine(run("index keys -o /dev/full"), "No space left on device");
    assertOneLine(run("merge a.bloom b.bloom -o /dev/full"), "No space left on device");
    Files.createSymbolicLink(directory.resolve("x.svg"), Path.of("/dev/full"));
    assertOneLine(run("plot fill --kinds bloom -f -o x.svg"), "No space left on device");
  }

  @Test
  void aFullDiskLeavesNothingBehind() throws Exception {
    Path small = Files.createDirectory(directory.resolve("small"));
    Assumptions.assumeTrue(
        shell("mount -t tmpfs -o size=64k tmpfs " + small) == 0, "only root can mount");
    try {
      Bloom.Run run = run("build keys -n 1M -o " + small.resolve("x.bloom"));
      assertOneLine(run, "No space left on device");
      Files.writeString(directory.resolve("many"), Inputs.numbers(200_000));
      run = run("index %s/many --share 99%% -p 1e-6 -o ".formatted(directory) + small.resolve("x"));
      assertOneLine(run, "No space left on device");
      try (var files = Files.list(small)) {
        assertThat(files).isEmpty();
      }
    } finally {
      assertThat(shell("umount " + small)).isZero();
    }
  }

  private static int shell(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  @Test
  void aClosedPipeEndsTheCommandQuietly() throws Exception {
    Shell shell = new Shell(directory, directory.resolve("bin"));
    Shell.Output output =
        shell.run("seq 1 1000000 | bloom check a.bloom | head -n 1; echo ${PIPESTATUS[1]}");
    assertThat(output.text()).isEqualTo("probably present\t1\n141\n");
  }

  /** Interrupts the command once its temporary file appears, so while it is writing. */
  @Test
  void anInterruptWhileWritingLeavesNoFile() throws Exception {
    Path out = Files.createDirectory(directory.resolve("out"));
    Process process =
        new Shell(out, directory.resolve("bin"))
            .start("exec bloom build ../keys -n 200M -o x.bloom");
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (isEmpty(out) && process.isAlive() && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
    assertThat(shell("kill -INT " + process.pid())).isZero();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(isEmpty(out)).isTrue();
  }

  /** Interrupts the command while it waits for keys: it has taken more than a pipe holds. */
  @ParameterizedTest
  @ValueSource(strings = {"build -o x.bloom", "dedup"})
  void anInterruptWhileReadingIsCode130(String line) throws Exception {
    Path out = Files.createDirectory(directory.resolve("out"));
    Process process =
        new Shell(out, directory.resolve("bin")).start("exec bloom " + line + " >/dev/null", true);
    process.getOutputStream().write("key\n".repeat(100_000).getBytes(UTF_8));
    process.getOutputStream().flush();
    assertThat(shell("kill -INT " + process.pid())).isZero();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isEqualTo(130);
    assertThat(isEmpty(out)).isTrue();
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (var files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"build -o x.bloom", "build -n 9 -o x.bloom", "check a.bloom", "dedup"})
  void aLineOverAGigabyteIsAOneLineError(String line) throws Exception {
    Shell shell = new Shell(directory, directory.resolve("bin"));
    for (String heap : List.of("-Xmx300m", "-Xmx3g")) {
      Shell.Output output =
          shell.run(
              "export BLOOM_JAVA_OPTS="
                  + heap
                  + "; head -c 1100000000 /dev/zero | tr '\\0' a | bloom "
                  + line);
      assertThat(output.text()).startsWith("bloom: ").hasLineCount(1);
      assertThat(output.code()).isEqualTo(2);
      assertThat(Files.exists(directory.resolve("x.bloom"))).isFalse();
    }
  }

  /** Bare arrays do not say how their keys are hashed. */
  @Test
  void anArrayOfOldBloomfilterJsIsNamed() throws IOException {
    Path file = Files.writeString(directory.resolve("bare.json"), "[0,0,1073741824,0]");
    assertThat(bloom("info", file, "--format", "bloomfilter-js").err())
        .contains("bare.json, byte 0: a bare array, as version 0.0.x writes, says neither");
  }
}
