package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit codes that docs/cli.md documents. */
class ExitCodesTest {

  private static final Pattern ROW =
      Pattern.compile("^\\| `bloom ([^`]*)` \\| ([0-9]+) \\|", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("`([a-z]+)`");

  @TempDir private Path directory;

  private static String section() throws IOException {
    return new DocPage(Path.of("..", "docs", "cli.md"))
        .sections().stream()
            .filter(section -> section.title().equals("Exit codes"))
            .findFirst()
            .orElseThrow()
            .text();
  }

  private static Set<String> commands() {
    return new Commands()
        .all().stream()
            .filter(entry -> entry.group() != CommandGroup.HELP && entry.application().isEmpty())
            .filter(entry -> entry.group() != CommandGroup.APPLICATIONS)
            .map(CommandEntry::words)
            .collect(Collectors.toSet());
  }

  @Test
  void everyExitCodeIsTheDocumentedOne() throws IOException {
    prepare();
    List<String> wrong = new ArrayList<>();
    Matcher rows = ROW.matcher(section());
    int count = 0;
    for (; rows.find(); count++) {
      Object[] words =
          Stream.of(rows.group(1).split(" ", -1)).map(this::inDirectory).toArray(Object[]::new);
      Bloom.Run run = bloom(words);
      if (run.code() != Integer.parseInt(rows.group(2))) {
        wrong.add(rows.group() + " but is " + run.code() + ": " + run.err());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(count).isGreaterThan(20);
  }

  private void prepare() throws IOException {
    Path seen = Files.writeString(directory.resolve("seen.txt"), "alice\nbob\ncarol\n");
    Path today = Files.writeString(directory.resolve("today.txt"), "bob\ndave\nalice\nerin\n");
    Path filter = directory.resolve("seen.bloom");
    assertThat(bloom("build", seen, "-o", filter, "--deletes", "-p", "1e-4").code()).isZero();
    assertThat(bloom("index", today, "-o", directory.resolve("logs.bloomidx")).code()).isZero();
    Path letters = directory.resolve("letters.bloom");
    Path secret = directory.resolve("secret");
    Bloom.Run run =
        bloom(
            "secure-index",
            "build",
            today,
            "-o",
            letters,
            "-p",
            "1e-9",
            "--secret-file",
            secret,
            "--generate-secret");
    assertThat(run.err()).isEmpty();
  }

  private Object inDirectory(String word) {
    Path file = directory.resolve(word);
    return Files.exists(file) || word.startsWith("nosuch") ? file : word;
  }

  @Test
  void everyCommandIsInTheTableOrListedAsWithoutAnswer() throws IOException {
    String section = section();
    Set<String> named = new HashSet<>();
    Matcher rows = ROW.matcher(section);
    while (rows.find()) {
      named.add(rows.group(1).split(" ", -1)[0]);
    }
    String others =
        section
            .lines()
            .filter(line -> line.contains("have no answer but what they make or print"))
            .findFirst()
            .orElseThrow();
    NAME.matcher(others).results().map(match -> match.group(1)).forEach(named::add);
    assertThat(named).containsExactlyInAnyOrderElementsOf(commands());
  }

  @Test
  void everyCommandCanBeQuiet() {
    Bloom.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (commands().contains(name)) {
                assertThat(command.getCommandSpec().findOption("--quiet")).as(name).isNotNull();
              }
            });
  }
}
