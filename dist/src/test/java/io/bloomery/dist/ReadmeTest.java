package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the README's commands line by line, exactly as printed, with the packed {@code bloom}. Two
 * programs are replaced by stand-ins: {@code ./check}, which runs this test, and {@code mvn}, whose
 * line {@code examples/consumer/run} takes from the README.
 */
class ReadmeTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern SHELL = Pattern.compile("(?ms)^```sh\n(.*?)^```$");
  private static final Pattern FENCE = Pattern.compile("(?m)^```(\\w*)$");

  @TempDir private Path directory;

  private static List<String> commands() throws IOException {
    List<String> lines = new ArrayList<>();
    SHELL
        .matcher(Files.readString(ROOT.resolve("README.md")))
        .results()
        .forEach(block -> block.group(1).lines().forEach(lines::add));
    return lines;
  }

  private Path tool(Path to, String text) throws IOException {
    Files.writeString(to, "#!/bin/sh\n" + text + "\n");
    ExecutableJar.makeExecutable(to);
    return to;
  }

  @Test
  void everyLineRunsAsItIsPrinted() throws Exception {
    Path work = Files.createDirectory(directory.resolve("clone"));
    Path tools = Files.createDirectory(directory.resolve("tools"));
    Path packed = Path.of("target", "bloom").toAbsolutePath();
    Files.createDirectory(work.resolve("examples"));
    Files.copy(
        ROOT.resolve("examples/words.txt.gz"), work.resolve("examples").resolve("words.txt.gz"));
    Files.copy(
        ROOT.resolve("core/src/test/resources/foreign/parquet/arrow-bloom-words.parquet"),
        work.resolve("part-0001.parquet"));
    Files.writeString(work.resolve("access.log"), "GET /\nGET /a\nGET /\n");
    Files.writeString(work.resolve("visits.csv"), "day,user\nmon,ann\nmon,bob\ntue,ann\n");
    Files.writeString(work.resolve("old.txt"), "a\nb\n");
    Files.writeString(work.resolve("new.txt"), "b\nc\n");
    Files.copy(packed, work.resolve("bloom"), StandardCopyOption.COPY_ATTRIBUTES);
    tool(work.resolve("check"), "echo checked >check.log");
    tool(
        tools.resolve("mvn"),
        "mkdir -p dist/target && cp '" + packed + "' dist/target/ && echo \"$*\" >mvn.log");
    Path home = Files.createDirectory(directory.resolve("home"));
    Map<String, String> environment =
        Map.of(
            "HOME",
            home.toString(),
            "XDG_CACHE_HOME",
            "/dev/null", // prevents a class data archive from being made during the test
            "JAVA_HOME",
            System.getProperty("java.home"),
            "PATH",
            home.resolve("bin") + File.pathSeparator + tools + ":/usr/bin:/bin");

    List<String> commands = commands();
    assertThat(commands)
        .hasSizeGreaterThan(6)
        .anyMatch(line -> line.startsWith("./bloom build examples/words.txt.gz -o words.bloom "))
        .anyMatch(line -> line.startsWith("./check "));
    for (String line : commands) {
      Run run = Run.of(work, environment, "bash", "-c", line);
      assertThat(run.code()).as(line + "\n" + run.text()).isZero();
      if (line.contains("--key zebra")) {
        assertThat(run.text()).startsWith("probably present\tzebra");
      }
    }
    assertThat(work.resolve("once.log")).hasContent("GET /\nGET /a");
    assertThat(work.resolve("words.bloom")).isNotEmptyFile();
    assertThat(work.resolve("mvn.log")).hasContent("-Dfast install");
    assertThat(work.resolve("check.log")).exists();
    assertThat(ROOT.resolve("check")).isExecutable();
  }

  /** All code is in blocks that some test runs. */
  @Test
  void everyBlockHasAKnownLanguage() throws IOException {
    List<String> fences =
        FENCE
            .matcher(Files.readString(ROOT.resolve("README.md")))
            .results()
            .map(fence -> fence.group(1))
            .toList();
    for (int i = 0; i < fences.size(); i++) {
      assertThat(fences.get(i)).matches(i % 2 == 0 ? "sh|java|xml" : "");
    }
  }
}
