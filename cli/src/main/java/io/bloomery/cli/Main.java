package io.bloomery.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
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
    subcommands = {
      BuildCommand.class,
      CheckCommand.class,
      DedupCommand.class,
      InfoCommand.class,
      MergeCommand.class,
      IntersectCommand.class,
      InfoCommand.class
      InfoCommand.class,
      PlanCommand.class,
    },
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Builds, asks and inspects Bloom filters: sets that answer \"certainly absent\" or"
          + " \"probably present\", at about 10 bits a key."
    },
    commandListHeading = "%nCommands:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom build words.txt.gz -o words.bloom",
      "  bloom check words.bloom --key zebra",
      "  bloom info words.bloom",
      "",
      "'bloom COMMAND --help' says more. Exit codes: 0 done, 1 some keys are",
      "certainly absent (check), 2 error. BLOOM_DEBUG=1 shows stack traces."
    })
public final class Main implements Runnable {
  /** Exit code for a command line that could not be understood, and for every other error. */
  static final int USAGE = 2;

  @Spec private CommandSpec spec;

  private final Console console;

  /** For picocli's annotation processor and for tools that make scripts from the command. */
  Main() {
    this(Console.system());
  }

  private Main(Console console) {
    this.console = console;
  }

  /**
   * Runs one command line and ends the process with its exit code.
   *
   * @param args the words after {@code bloom}
   */
  public static void main(String... args) {
    System.exit(run(Console.system(), args));
  }

  /** Runs one command line and returns its exit code. */
  static int run(Console console, String... args) {
    try {
      StringWriter help = new StringWriter();
      int code = commandLine(console).setOut(new PrintWriter(help)).execute(args);
      console.print(help.toString());
      console.out().flush();
      return code;
    } catch (Problem | StandardOutput.Closed | OutOfMemoryError | InternalError e) {
      return Failures.report(console, e);
    }
  }

  private static CommandLine commandLine(Console console) {
    return new CommandLine(new Main(console))
        .setErr(console.err())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, args) -> Failures.usage(console, e))
        .setExecutionExceptionHandler((e, commandLine, parsed) -> Failures.report(console, e));
  }

  /** What the commands read from and write to. */
  Console console() {
    return console;
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "Missing command");
  }
}
