package io.bloomery.cli.console;

import io.bloomery.tools.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** An application: the first of a command's two words, which only groups its subcommands. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n")
public abstract class ApplicationCommand implements Program, Runnable {

  @ParentCommand private Program program;

  @Spec private CommandSpec spec;

  @Override
  public final Console console() {
    return program.console();
  }

  @Override
  public final void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
