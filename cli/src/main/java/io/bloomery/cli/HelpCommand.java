package io.bloomery.cli;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.problem.Suggestion;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code bloom help}: the help of a command. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    header = "Shows the help of a command.",
    description = {"Shows the help of bloom or of one of its commands, as --help does."},
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {"  bloom help", "  bloom help check"})
final class HelpCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "COMMAND",
      completionCandidates = CommandGroups.Names.class,
      description = "The command. Default: bloom itself.")
  private String command;

  @Override
  public Integer call() {
    boolean coloured = program.console().coloured().getAsBoolean();
    CommandLine chosen = command == null ? spec.root().commandLine() : named(spec, command);
    program
        .console()
        .printStyled(
            chosen.getUsageMessage(Help.defaultColorScheme(coloured ? Ansi.ON : Ansi.OFF)));
    return 0;
  }

  /** The command of this name. */
  static CommandLine named(CommandSpec anyone, String name) {
    CommandLine chosen = anyone.root().subcommands().get(name);
    if (chosen == null) {
      throw new Problem(Suggestion.unknown("command", name, anyone.root().subcommands().keySet()));
    }
    return chosen;
  }
}
