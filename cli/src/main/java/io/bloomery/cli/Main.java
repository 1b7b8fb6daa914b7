package io.bloomery.cli;

import io.bloomery.Filters;
import io.bloomery.cli.console.Failures;
import io.bloomery.cli.console.GlobalOptions;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.console.WordsCommand;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OnErrorOption;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The {@code bloom} command. Without a subcommand it shows its help and exits with {@link
 * Failures#USAGE}.
 */
@Command(
    name = "bloom",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Builds, queries and inspects Bloom filters: sets that answer \"certainly absent\" or"
          + " \"probably present\", at about 10 bits per key."
    },
    commandListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom build words.txt.gz -o words.bloom",
      "  bloom check words.bloom --key zebra",
      "  bloom info words.bloom",
      "",
      "'bloom help COMMAND' says more."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:Done; where there is an answer: yes.",
      "  1:The answer is no: keys are absent, sets differ, no kind fits.",
      "  2:An error, in one line that says what to do.",
      "130:Interrupted (Ctrl-C); no partial file is left.",
      "141:The reader of standard output closed it."
    })
public final class Main implements Runnable, Program {

  /** The fewest columns that the parser's help is made for. */
  private static final int LEAST_HELP = 55;

  /** Longer lines are hard to read. */
  private static final int MOST_HELP = 132;

  private final GlobalOptions global = new GlobalOptions();
  private final CommandTable table;
  private final Console console;
  private @Nullable CommandSpec spec; // null until the parser is made

  Main(CommandTable table, Console console) {
    this.table = table;
    this.console = console;
  }

  /**
   * Runs one command line and ends the process with its exit code.
   *
   * @param args the arguments after {@code bloom}
   */
  public static void main(String... args) {
    Thread.currentThread().setUncaughtExceptionHandler(Main::abort);
    if (isForFilters(args)) {
      load();
    }
    Console console = Console.system();
    int code;
    try {
      Arguments.requireDirectory();
      code = run(console, Arguments.exact(args));
    } catch (Problem e) {
      code = Failures.report(console, e);
    }
    System.exit(code);
  }

  /** What escapes all else, such as a heap too small to start in. The JVM would exit with 1: no. */
  private static void abort(Thread thread, Throwable e) {
    try {
      Throwable first = e; // where a class could not be loaded, why
      while (first.getCause() != null) {
        first = first.getCause();
      }
      System.err.println("bloom: " + first);
    } finally {
      Runtime.getRuntime().halt(Failures.USAGE);
    }
  }

  /** Whether these arguments name a command that works with filters of any kind. */
  private static boolean isForFilters(String... args) {
    if (args.length == 0) {
      return false;
    }
    Optional<CommandEntry> first = new Commands().line(args[0]);
    return first.isPresent()
        && first.get().part() == Parts.LIBRARY
        && first.get().group() != CommandGroup.HELP;
  }

  /** Starts to load what most commands need, in the background. */
  static void load() {
    new Loader().start();
  }

  /** Runs one command line and returns its exit code. */
  public static int run(Console console, String... args) {
    return new Main(new Commands(), console).run(args);
  }

  /** Runs one command line and returns its exit code. */
  int run(String... args) {
    try {
      int code = answer(args);
      console.out().flush();
      return code;
    } catch (Problem | StandardOutput.Closed | OutOfMemoryError | InternalError e) {
      return Failures.report(console(), e);
    }
  }

  private int answer(String... args) {
    if (isVersion(args)) {
      console.print(String.join("\n", new Version().getVersion()) + "\n");
      return 0;
    }
    Optional<WordsCommand> plain = plain(args);
    return plain.isPresent() ? call(plain.get(), args) : parse(args);
  }

  /** Whether only the version is asked for, which needs no option parser. */
  private static boolean isVersion(String... args) {
    return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
  }

  private int parse(String... args) {
    StringWriter help = new StringWriter();
    int code = commandLine(model().of(args)).setOut(new PrintWriter(help)).execute(args);
    console.printStyled(help.toString());
    return code;
  }

  /**
   * The command, if it can run without the option parser and none of the arguments is an option.
   */
  private Optional<WordsCommand> plain(String... args) {
    for (String word : args) {
      if (word.isEmpty() || word.charAt(0) == '-') {
        return Optional.empty();
      }
    }
    Optional<CommandEntry> first = args.length < 2 ? Optional.empty() : table.line(args[0]);
    if (first.isEmpty() || !first.get().part().isPresent()) {
      return Optional.empty();
    }
    return WordsCommand.class.isAssignableFrom(first.get().type())
        ? Optional.of((WordsCommand) first.get().create())
        : Optional.empty();
  }

  private int call(WordsCommand command, String... args) {
    try {
      return command.call(this, Arrays.asList(args).subList(1, args.length));
    } catch (RuntimeException e) {
      return Failures.report(console(), e);
    }
  }

  /** The commands for the option parser. */
  CommandModel model() {
    return new CommandModel(table, this);
  }

  /** An option parser for these commands. */
  CommandLine commandLine(CommandSpec commands) {
    CommandLine commandLine = new CommandLine(commands);
    Handlers handlers = new Handlers();
    model().format(commandLine);
    return commandLine
        .setErr(console.err())
        .registerConverter(Double.class, new Converters.Decimal())
        .setExpandAtFiles(false) // a key that begins with @ is a key
        .setCaseInsensitiveEnumValuesAllowed(true)
        .registerConverter(Path.class, new Names())
        .setParameterExceptionHandler(handlers)
        .setExecutionExceptionHandler(handlers)
        .setExecutionStrategy(handlers);
  }

  /** Runs commands and reports failures. A class, since the JVM cannot archive such lambdas. */
  private final class Handlers
      implements IParameterExceptionHandler, IExecutionExceptionHandler, IExecutionStrategy {

    @Override
    public int handleParseException(ParameterException e, String[] words) {
      return Failures.usage(console(), e);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
      return Failures.report(console(), e);
    }

    @Override
    public int execute(ParseResult parsed) {
      boolean coloured = console().coloured().getAsBoolean();
      parsed
          .commandSpec()
          .commandLine()
          .setColorScheme(Help.defaultColorScheme(coloured ? Ansi.ON : Ansi.OFF));
      if (isHelpRequested(parsed)) {
        int columns = console().size().columns();
        parsed
            .commandSpec()
            .commandLine()
            .setUsageHelpWidth(Math.max(LEAST_HELP, Math.min(MOST_HELP, columns)));
      }
      CommandLine last = parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
      try {
        OnErrorOption.check(last.getCommandSpec());
      } catch (Problem e) {
        return Failures.report(console(), e);
      }
      return new CommandLine.RunLast().execute(parsed);
    }
  }

  private static boolean isHelpRequested(ParseResult parsed) {
    for (CommandLine command : parsed.asCommandLineList()) {
      if (command.isUsageHelpRequested()) {
        return true;
      }
    }
    return false;
  }

  /** Converts the bytes of a name to a path. */
  private static final class Names implements ITypeConverter<Path> {
    @Override
    public Path convert(String name) {
      return Octets.path(name);
    }
  }

  /**
   * Loads the kinds of filters while the options are being read. If it fails, so does the command
   * when it needs them, and says why.
   */
  private static final class Loader extends Thread {
    private Loader() {
      super("bloom-loader");
      setDaemon(true);
      setUncaughtExceptionHandler((thread, e) -> {});
    }

    @Override
    public void run() {
      Filters.kinds();
    }
  }

  /** The options that every command has. */
  GlobalOptions global() {
    return global;
  }

  /** Sets the parser's model of this command. */
  void setSpec(CommandSpec spec) {
    this.spec = spec;
  }

  @Override
  public Console console() {
    return console.with(global.colours(), global.debug());
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec, "spec").commandLine(), "Missing command");
  }
}
