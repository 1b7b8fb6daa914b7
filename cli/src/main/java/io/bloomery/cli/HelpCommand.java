package io.bloomery.cli;

import io.bloomery.cli.console.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom help}: the help of a command. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {"Shows the help of bloom or of one of its commands, as --help does."},
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {"  bloom help", "  bloom help check"})
final class HelpCommand implements Callable<Integer> {

  @ParentCommand private Main bloom;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      completionCandidates = Commands.Names.class,
      description = "The command, of one word or two. Default: bloom itself.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() {
    boolean coloured = bloom.console().coloured().getAsBoolean();
    CommandSpec root =
        bloom.commandLine(bloom.model().of(words.toArray(String[]::new))).getCommandSpec();
    bloom
        .console()
        .printStyled(
            CommandModel.below(root, words)
                .commandLine()
                .getUsageMessage(Help.defaultColorScheme(coloured ? Ansi.ON : Ansi.OFF)));
    return 0;
  }
}
