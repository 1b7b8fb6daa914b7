package io.bloomery.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The {@code bloom} command. Without a subcommand it shows its help and exits with {@link #USAGE}.
 */
@Command(
    name = "bloom",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Builds, asks and inspects Bloom filters.")
public final class Main implements Runnable {
  /** Exit code for a command line that could not be understood, and for every other error. */
  static final int USAGE = 2;

  @Spec private CommandSpec spec;

  /** For picocli, which creates the command. */
  Main() {}

  /**
   * Runs one command line and ends the process with its exit code.
   *
   * @param args the words after {@code bloom}
   */
  public static void main(String... args) {
    System.exit(commandLine().execute(args));
  }

  /** The command with its subcommands and error handling, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new Main());
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Missing command");
  }
}
