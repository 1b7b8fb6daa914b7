package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.console.Console;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checked password is nowhere on the heap afterwards, not even in what nobody uses any more. */
class PasswordTracesTest {

  private static final int LENGTH = 48;

  /** Any so many characters in a row give away the password. */
  private static final int PART = 12;

  @TempDir private Path directory;

  /** Runs {@code bloom} and writes the whole heap to a file: {@code DUMP WORD...}. */
  static final class Dumping {
    private Dumping() {}

    public static void main(String[] arguments) throws IOException {
      int code = Main.run(Console.system(), Arrays.copyOfRange(arguments, 1, arguments.length));
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpHeap(arguments[0], false);
      System.exit(code);
    }
  }

  private Path words() throws IOException {
    return Files.writeString(directory.resolve("words"), "letmein\nhunter2\n");
  }

  @Test
  void afterADigest() throws Exception {
    assertNoTraces(words(), "--strict");
  }

  @Test
  void afterEachChange() throws Exception {
    assertNoTraces(words(), "--one-change");
  }

  @Test
  void afterAnNtlmDigest() throws Exception {
    assertNoTraces(
        Files.writeString(directory.resolve("hashes"), "8846F7EAEE8FB117AD06BDD830B7586C:3\n"),
        "--strict");
  }

  private void assertNoTraces(Path words, String option) throws Exception {
    Path list = directory.resolve("list.bloom");
    assertThat(bloom("password", "build", words, "-o", list, option).err()).isEmpty();
    SplittableRandom random = Seeds.random(31);
    StringBuilder drawn = new StringBuilder();
    while (drawn.length() < LENGTH) {
      drawn.append((char) ('a' + random.nextInt(26)));
    }
    String password = drawn.toString();
    Path dump = directory.resolve("heap.hprof");
    try (BloomProcess process =
        BloomProcess.startMain(Dumping.class.getName(), dump, "password", "check", list)) {
      process.type(password + "\n");
      process.endInput();
      assertThat(process.exitCode()).isZero();
      assertThat(process.out()).isEqualTo("not listed\n");
    }
    byte[] heap = Files.readAllBytes(dump);
    assertThat(indexOf(heap, "password".getBytes(UTF_8))).as("a word of the heap").isNotNegative();
    for (Charset charset : new Charset[] {UTF_8, UTF_16BE, UTF_16LE}) {
      for (int from = 0; from + PART <= LENGTH; from += PART / 2) {
        byte[] part = password.substring(from, from + PART).getBytes(charset);
        assertThat(indexOf(heap, part)).as("%s, from character %d", charset, from).isNegative();
      }
    }
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (bytes[at] == part[0]
          && Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return at;
      }
    }
    return -1;
  }
}
