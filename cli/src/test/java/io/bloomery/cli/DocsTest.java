package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Checks that commands print what the documentation shows. The commands of a page run from top to
 * bottom in one directory with a copy of {@code examples/}. To write the actual outputs to a page,
 * run this test with the system property {@code docs.update}, and review the changes.
 */
class DocsTest {

  private static final Path ROOT = Path.of("..");
  private static final Path COMMANDS = ROOT.resolve("docs/cli.md");

  private static final String BORDERS = "(?<![0-9.])(?=[0-9.])|(?<=[0-9.])(?![0-9.])";
  private static final boolean UPDATE = System.getProperty("docs.update") != null;

  @TempDir private Path directory;

  @TestFactory
  Stream<DynamicTest> commandPage() throws IOException {
    return examples(COMMANDS);
  }

  /** The pages of applications, each in its own directory. */
  @TestFactory
  Stream<DynamicContainer> applicationPages() throws IOException {
    List<DynamicContainer> pages = new ArrayList<>();
    for (Path file : applications()) {
      pages.add(DynamicContainer.dynamicContainer(file.getFileName().toString(), examples(file)));
    }
    return pages.stream();
  }

  private static List<Path> applications() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/apps"))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private Stream<DynamicTest> examples(Path file) throws IOException {
    DocPage page = new DocPage(file);
    Path work = Files.createDirectory(directory.resolve(file.getFileName().toString()));
    Shell shell = new Shell(work, directory.resolve(file.getFileName() + ".bin")).linked().served();
    shell.copy(ROOT.resolve("examples"), "examples");
    List<List<String>> outputs = new ArrayList<>();
    Stream<DynamicTest> tests =
        page.sections().stream()
            .flatMap(section -> section.examples().stream())
            .map(
                example ->
                    DynamicTest.dynamicTest(
                        "line " + example.line() + ": " + example.command(),
                        () -> check(file, example, shell, outputs)));
    DynamicTest last =
        UPDATE
            ? DynamicTest.dynamicTest(
                "update", () -> Files.writeString(file, page.withOutputs(outputs)))
            : DynamicTest.dynamicTest("pictures", () -> checkPictures(file.getParent(), work));
    return Stream.concat(tests, Stream.of(last)).onClose(shell::close);
  }

  /** Pictures next to the page are those that its commands drew, up to the last digits. */
  private static void checkPictures(Path shown, Path drawn) throws IOException {
    try (Stream<Path> files = Files.list(drawn)) {
      for (Path picture : files.filter(file -> file.toString().endsWith(".svg")).toList()) {
        Path beside = shown.resolve(picture.getFileName());
        if (Files.exists(beside)) {
          String[] expected = Files.readString(beside).split(BORDERS, -1);
          String[] real = Files.readString(picture).split(BORDERS, -1);
          assertThat(real).as("parts of %s", beside).hasSameSizeAs(expected);
          for (int i = 0; i < real.length; i++) {
            if (!real[i].equals(expected[i])) {
              assertThat(Double.parseDouble(real[i]))
                  .as("%s, number %d", beside, i)
                  .isCloseTo(Double.parseDouble(expected[i]), within(0.02));
            }
          }
        }
      }
    }
  }

  private static void check(
      Path file, DocPage.Example example, Shell shell, List<List<String>> outputs)
      throws IOException, InterruptedException {
    Shell.Output output = shell.run(example.command());
    List<String> real = output.text().lines().toList();
    outputs.add(real);
    if (!UPDATE && !DocPage.isSame(example.output(), real)) {
      fail(
          "%s:%d shows (-) other output than is printed (+), exit code %d:%n$ %s%n%s"
              .formatted(
                  file.getFileName(),
                  example.line(),
                  output.code(),
                  example.command(),
                  DocPage.difference(example.output(), real)));
    }
  }

  @Test
  void everyCommandHasASectionWithAnExampleThatRuns() throws IOException {
    List<String> missing = new ArrayList<>(commands().keySet());
    for (DocPage.Section section : sections()) {
      String call = "bloom " + section.title();
      if (section.examples().stream().anyMatch(example -> example.command().contains(call))) {
        missing.remove(section.title());
      }
    }
    assertThat(missing)
        .as("commands without a section in a page that has an example that runs")
        .isEmpty();
  }

  /** In the section of the command or in one that belongs to no command. */
  @Test
  void everyOptionIsExplained() throws IOException {
    Map<String, CommandLine> commands = commands();
    List<String> missing = new ArrayList<>();
    List<DocPage.Section> sections = sections();
    commands.forEach(
        (name, command) -> {
          List<DocPage.Section> about =
              sections.stream()
                  .filter(s -> s.title().equals(name) || !commands.containsKey(s.title()))
                  .toList();
          for (OptionSpec option : command.getCommandSpec().options()) {
            if (!isForAll(option) && about.stream().noneMatch(s -> explains(s, option))) {
              missing.add("bloom " + name + " " + option.longestName());
            }
          }
        });
    assertThat(missing).as("options that no page explains").isEmpty();
  }

  private static boolean explains(DocPage.Section section, OptionSpec option) {
    return section.text().matches("(?s).*[`( ]" + option.longestName() + "(?![a-z-]).*");
  }

  private static boolean isForAll(OptionSpec option) {
    return option.hidden() || option.usageHelp() || option.versionHelp();
  }

  @Test
  void onlyTimesMayDiffer() {
    assertThat(DocPage.isSame("  time   0.47 s", "  time   1,000.2 s")).isTrue();
    assertThat(DocPage.isSame("  time   0.47 s", "  time   0.47 ms")).isFalse();
    assertThat(DocPage.isSame("  rate   0.47 %", "  rate   0.48 %")).isFalse();
    assertThat(DocPage.difference(List.of("a", "b", "d"), List.of("a", "c", "d", "e")))
        .isEqualTo("  a\n- b\n+ c\n  d\n+ e\n");
  }

  private static List<DocPage.Section> sections() throws IOException {
    List<DocPage.Section> sections = new ArrayList<>(new DocPage(COMMANDS).sections());
    for (Path file : applications()) {
      sections.addAll(new DocPage(file).sections());
    }
    return sections;
  }

  /** The commands by name; an application itself is not a command, only its subcommands are. */
  private static Map<String, CommandLine> commands() {
    Map<String, CommandLine> commands = new LinkedHashMap<>();
    Bloom.commandLine()
        .getSubcommands()
        .forEach(
            (first, command) -> {
              if (command.getSubcommands().isEmpty()) {
                commands.put(first, command);
              }
              command
                  .getSubcommands()
                  .forEach((second, below) -> commands.put(first + " " + second, below));
            });
    return commands;
  }
}
