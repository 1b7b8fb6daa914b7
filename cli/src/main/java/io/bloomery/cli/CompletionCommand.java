package io.bloomery.cli;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code bloom completion}: the script with which shells complete what is typed. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    header = "Prints a script with which shells complete commands.",
    description = {
      "Prints a script with which bash and zsh complete commands, options, kinds and files."
    },
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(bloom completion)                      # in ~/.bashrc or ~/.zshrc",
      "  bloom completion >/etc/bash_completion.d/bloom  # for everyone"
    })
final class CompletionCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Spec private CommandSpec spec;

  /** For picocli. */
  CompletionCommand() {}

  @Override
  public Integer call() {
    program.console().print(AutoComplete.bash("bloom", spec.root().commandLine()));
    return 0;
  }
}
