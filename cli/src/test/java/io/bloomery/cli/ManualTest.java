package io.bloomery.cli;

import static io.bloomery.cli.Bloom.bloom;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The manual pages and the completion scripts for shells. */
class ManualTest {

  private static final String SET_UP = "compopt() { :; }; source ./script; complete -p bloom; ";

  @TempDir private Path directory;

  private static Set<String> commands() {
    return Bloom.commandLine().getSubcommands().keySet();
  }

  @Test
  void everyPageHasEveryOption() {
    for (String command : commands()) {
      Bloom.Run run = bloom("man", command);
      assertThat(run.code()).isZero();
      String page = command.replace("-", "\\-");
      assertThat(run.out())
          .startsWith(".TH \"BLOOM\\-" + page.toUpperCase(Locale.ROOT) + "\" 1 ")
          .contains(".SH NAME\nbloom\\-" + page + " \\- ")
          .contains(".SH SYNOPSIS", ".SH OPTIONS", ".SH EXIT STATUS", ".SH EXAMPLES")
          .contains(".BR bloom (1)")
          .doesNotContain("${", "%%");
      CommandLine line = Bloom.commandLine().getSubcommands().get(command);
      for (OptionSpec option : line.getCommandSpec().options()) {
        String name = "\\fB" + option.longestName().replace("-", "\\-") + "\\fR";
        assertThat(run.out().contains(name)).as(name).isEqualTo(!option.hidden());
      }
    }
  }

  @Test
  void allPagesAreWrittenAndGroffGivesNoWarning() throws Exception {
    assertThat(bloom("man", "--directory", directory).code()).isZero();
    assertThat(bloom("man", "--directory", directory).code()).isZero(); // replaces the older pages
    List<String> names;
    try (var files = Files.list(directory)) {
      names = files.map(file -> file.getFileName().toString()).sorted().toList();
    }
    assertThat(names)
        .hasSize(new Commands().present().size() + 1)
        .contains("bloom.1", "bloom-build.1", "bloom-man.1");
    Assumptions.assumeTrue(has("groff"), "groff is not installed");
    Shell shell = new Shell(directory, directory.resolve("bin"));
    Shell.Output output = shell.run("for f in *.1; do groff -man -Tutf8 -ww -z \"$f\"; done");
    assertThat(output.text()).isEmpty();
    assertThat(shell.run("groff -man -Tutf8 bloom-plan.1 | tr -d '\\033'").text())
        .contains("--unknown-growth")
        .contains("bloom plan -n 1e9 --rate 0.1% --deletes --memory 2G");
  }

  @Test
  void anUnknownPageIsAnError() {
    assertThat(bloom("man", "nosuch").err())
        .startsWith("bloom: command nosuch is not one of: build, check")
        .hasLineCount(1);
    assertThat(bloom("man", "--directory", directory.resolve("no")).err())
        .endsWith("no: is not a directory\n");
  }

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    Files.writeString(directory.resolve("script"), bloom("completion").out());
    Shell shell = new Shell(directory, directory.resolve("bin"));
    assertThat(shell.run(SET_UP).text()).startsWith("complete ").contains(" bloom\n");
    assertThat(complete(shell, "bloom", "pl")).isEqualTo("plan plot");
    assertThat(complete(shell, "bloom", "plan", "--unk")).isEqualTo("--unknown-growth");
    assertThat(complete(shell, "bloom", "build", "--kind", "blocked-"))
        .contains("blocked-512", "blocked-64", "blocked-counting");
    assertThat(complete(shell, "bloom", "plot", "--kinds", "cuck")).isEqualTo("cuckoo");
    assertThat(complete(shell, "bloom", "build", "--format", "sp")).isEqualTo("spark");
    assertThat(complete(shell, "bloom", "check", "--mode", ""))
        .isEqualTo("annotate present absent");
    assertThat(complete(shell, "bloom", "info", "--color", "a")).isEqualTo("auto always");
    assertThat(complete(shell, "bloom", "diff", "--only", "l")).isEqualTo("left");
    assertThat(complete(shell, "bloom", "help", "ver")).isEqualTo("verify");
  }

  @Test
  void zshTakesTheSameScript() throws Exception {
    Assumptions.assumeTrue(has("zsh"), "zsh is not installed");
    Files.writeString(directory.resolve("script"), bloom("completion", "zsh").out());
    Shell shell = new Shell(directory, directory.resolve("bin"));
    Shell.Output output =
        shell.run("zsh -n script && zsh -c 'autoload -U compinit; compinit -u; source ./script'");
    assertThat(output.text()).isEmpty();
    assertThat(output.code()).isZero();
  }

  @Test
  void fishCompletesCommandsAndOptions() throws Exception {
    Assumptions.assumeTrue(has("fish"), "fish is not installed");
    Files.writeString(directory.resolve("script"), bloom("completion", "fish").out());
    Shell shell = new Shell(directory, directory.resolve("bin"));
    assertThat(shell.run("fish -n script").text()).isEmpty();
    assertThat(shell.run("fish -c 'source script; complete -C \"bloom pl\"'").text())
        .contains("plan\t", "plot\t");
    assertThat(shell.run("fish -c 'source script; complete -C \"bloom check --mode \"'").text())
        .contains("annotate", "present", "absent");
  }

  /** Checks the script for fish without running fish. */
  @Test
  void theFishScriptHasALinePerCommandAndOption() {
    String script = bloom("completion", "fish").out();
    String word = "(-[a-z]|[A-Za-z0-9_.,…-]++|'(?:[^'\\\\]++|\\\\['\\\\])*+')";
    assertThat(script.lines()).allMatch(line -> line.matches("complete( " + word + ")+"));
    Bloom.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getCommandSpec().usageMessage().hidden()) {
                return;
              }
              assertThat(script).contains(" -f -a " + name + " -d '");
              String condition = "'__fish_seen_subcommand_from " + name;
              Predicate<String> isOfCommand =
                  line ->
                      line.contains(condition + "' ") || line.contains(condition + "; and not ");
              for (OptionSpec option : command.getCommandSpec().options()) {
                String wanted = " -l " + option.longestName().substring(2) + " ";
                assertThat(script.lines().filter(isOfCommand))
                    .as(name + wanted)
                    .anyMatch(line -> option.hidden() || line.contains(wanted));
              }
            });
    assertThat(bloom("completion", "fisch").err())
        .isEqualTo("bloom: shell fisch is unknown; did you mean fish?\n");
  }

  /** What bash offers for the last word, with the script in the shell's directory. */
  static String complete(Shell shell, String... words) throws IOException, InterruptedException {
    String command =
        SET_UP
            + "COMP_WORDS=("
            + String.join(" ", words)
            + "); COMP_CWORD="
            + (words.length - 1)
            + "; _complete_bloom; echo \"${COMPREPLY[*]}\"";
    String[] lines = shell.run(command).text().split("\n", -1);
    return lines[lines.length - 2].strip();
  }

  private static boolean has(String program) throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
  }
}
