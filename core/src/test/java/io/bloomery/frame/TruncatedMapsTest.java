package io.bloomery.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Filters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A file that is truncated under a mapped filter of any kind does not make keys absent. */
@EnabledOnOs(OS.LINUX) // others do not let a mapped file be truncated, or fill it in another way
final class TruncatedMapsTest {

  @TempDir Path directory;

  /** No access faults: what is left of the page is zero, which is what a missing key looks like. */
  @Test
  void zerosUpToTheEndOfThePage() throws Exception {
    assertNothingIsLost(run("word"));
  }

  /** Every access faults. Before Java 22 code goes on, and the error arrives later. */
  @Test
  void noPageIsLeft() throws Exception {
    assertNothingIsLost(run("nothing"));
  }

  private static void assertNothingIsLost(List<String> lines) {
    assertThat(lines).hasSameSizeAs(Filters.kinds());
    assertThat(lines).allMatch(line -> line.endsWith(" 0"));
    assertThat(lines).filteredOn(line -> line.matches("\\S+ 0 [1-9]\\d* 0")).hasSizeGreaterThan(50);
  }

  /** Lines of {@link TruncatedMaps}. */
  private List<String> run(String left) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(TruncatedMaps.class.getName(), directory.toString(), left));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(out).isZero();
      return out.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
