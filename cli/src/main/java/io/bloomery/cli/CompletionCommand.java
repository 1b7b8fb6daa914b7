package io.bloomery.cli;

import io.bloomery.cli.console.Version;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom completion}: the completion script for shells. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints a script that completes commands, options, kinds and files in bash, zsh or fish."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(bloom completion)                      # in ~/.bashrc or ~/.zshrc",
      "  bloom completion fish | source                  # in ~/.config/fish/config.fish",
      "  bloom completion >/etc/bash_completion.d/bloom  # for everyone"
    })
final class CompletionCommand implements Callable<Integer> {

  private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  @ParentCommand private Main bloom;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      description = "bash, zsh or fish. Default: a script for both bash and zsh.")
  private String shell = "bash";

  @Override
  public Integer call() {
    if (!SHELLS.contains(shell)) {
      throw new Problem(Suggestion.unknown("shell", shell, SHELLS));
    }
    CommandLine root = bloom.commandLine(bloom.model().all());
    bloom
        .console()
        .print(
            shell.equals("fish") ? FishCompletion.script(root) : AutoComplete.bash("bloom", root));
    return 0;
  }
}
