package io.bloomery.cli;

import io.bloomery.Filters;
import io.bloomery.cli.add.AddCommand;
import io.bloomery.cli.bench.BenchCommand;
import io.bloomery.cli.build.BuildCommand;
import io.bloomery.cli.check.CheckCommand;
import io.bloomery.cli.check.VerifyCommand;
import io.bloomery.cli.combine.IntersectCommand;
import io.bloomery.cli.combine.MergeCommand;
import io.bloomery.cli.console.Console;
import io.bloomery.cli.console.Failures;
import io.bloomery.cli.console.GlobalOptions;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.StandardOutput;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.count.CountCommand;
import io.bloomery.cli.count.TopCommand;
import io.bloomery.cli.dedup.DedupCommand;
import io.bloomery.cli.index.FindCommand;
import io.bloomery.cli.index.IndexCommand;
import io.bloomery.cli.index.SecureIndexCommand;
import io.bloomery.cli.join.DiffCommand;
import io.bloomery.cli.join.JoinCommand;
import io.bloomery.cli.plan.PlanCommand;
import io.bloomery.cli.plot.PlotCommand;
import io.bloomery.cli.reconcile.ReconcileCommand;
import io.bloomery.cli.remove.RemoveCommand;
import io.bloomery.tools.problem.Problem;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The {@code bloom} command. Without a subcommand it shows its help and exits with {@link
 * Failures#USAGE}.
 */
@Command(
    name = "bloom",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      BuildCommand.class,
      CheckCommand.class,
      AddCommand.class,
      RemoveCommand.class,
      DedupCommand.class,
      MergeCommand.class,
      IntersectCommand.class,
      DiffCommand.class,
      JoinCommand.class,
      ReconcileCommand.class,
      CountCommand.class,
      TopCommand.class,
      IndexCommand.class,
      FindCommand.class,
      SecureIndexCommand.class,
      InfoCommand.class,
      VerifyCommand.class,
      ConvertCommand.class,
      PlanCommand.class,
      PlotCommand.class,
      BenchCommand.class,
      HelpCommand.class,
      ManCommand.class,
      CompletionCommand.class,
    },
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
      "130:Interrupted (Ctrl-C); no half file is left.",
      "141:The reader of standard output went away."
    })
public final class Main implements Runnable, Program {
  @Spec private CommandSpec spec;

  @Mixin private GlobalOptions global = new GlobalOptions();

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
    if (args.length > 0 && args[0].equals("find")) {
      FindCommand.load();
    } else if (!isVersion(args) && !isHelp(args)) {
      load();
    }
    System.exit(run(Console.system(), args));
  }

  /** Begins to load what most commands need. */
  static void load() {
    new Loader().start();
  }

  /** Runs one command line and returns its exit code. */
  public static int run(Console console, String... args) {
    Main main = new Main(console);
    try {
      int code = main.answer(args);
      console.out().flush();
      return code;
    } catch (Problem | StandardOutput.Closed | OutOfMemoryError | InternalError e) {
      return Failures.report(main.console(), e);
    }
  }

  private int answer(String... args) {
    if (isVersion(args)) {
      console.print(String.join("\n", new Version().getVersion()) + "\n");
      return 0;
    }
    return isPlain(args) ? plain(args) : parse(args);
  }

  /** Whether only the version is asked for, which needs no parser of options. */
  private static boolean isVersion(String... args) {
    return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
  }

  /** Whether only the help of {@code bloom} itself is asked for. */
  private static boolean isHelp(String... args) {
    return args.length == 1 && (args[0].equals("--help") || args[0].equals("-h"));
  }

  private int parse(String... args) {
    StringWriter help = new StringWriter();
    int code = commandLine(args).setOut(new PrintWriter(help)).execute(args);
    console.printStyled(help.toString());
    return code;
  }

  /** Whether the words are of {@code info} or {@code find}, and none of them is an option. */
  private static boolean isPlain(String... args) {
    boolean plain = args.length > 1 && (args[0].equals("info") || args[0].equals("find"));
    for (int i = 1; plain && i < args.length; i++) {
      plain = !args[i].isEmpty() && args[i].charAt(0) != '-';
    }
    return plain;
  }

  /** What the parser of options would do, which takes three times as long as all the rest. */
  private int plain(String... args) {
    List<String> words = Arrays.asList(args).subList(1, args.length);
    try {
      if (args[0].equals("find")) {
        return new FindCommand(this, words).call();
      }
      List<Path> files = new ArrayList<>();
      for (String word : words) {
        files.add(Path.of(word));
      }
      return new InfoCommand(this, files).call();
    } catch (RuntimeException e) {
      return Failures.report(console(), e);
    }
  }

  private CommandLine commandLine(String... args) {
    CommandLine commandLine = new CommandLine(model(args));
    Handlers handlers = new Handlers();
    List<String> sections = new ArrayList<>(commandLine.getHelpSectionKeys());
    sections.remove(UsageMessageSpec.SECTION_KEY_HEADER); // the list of commands has it
    commandLine.setHelpSectionKeys(sections);
    commandLine
        .getHelpSectionMap()
        .put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::list);
    return commandLine
        .setErr(console.err())
        .setExpandAtFiles(false) // a key that begins with @ is a key
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(handlers)
        .setExecutionExceptionHandler(handlers)
        .setExecutionStrategy(handlers);
  }

  /**
   * Runs commands and reports what goes wrong. A class: the JVM cannot archive lambdas of these.
   */
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
      return new CommandLine.RunLast().execute(parsed);
    }
  }

  /** Loads the kinds of filters while the options are being read. */
  private static final class Loader extends Thread {
    private Loader() {
      super("bloom-loader");
      setDaemon(true);
    }

    @Override
    public void run() {
      Filters.kinds();
    }
  }

  /**
   * The class of a command, by its name; null if there is none or it needs to know the others. A
   * switch loads one class; reading the annotation above would load them all.
   */
  static Class<?> command(String name) {
    return switch (name) {
      case "add" -> AddCommand.class;
      case "bench" -> BenchCommand.class;
      case "build" -> BuildCommand.class;
      case "check" -> CheckCommand.class;
      case "convert" -> ConvertCommand.class;
      case "count" -> CountCommand.class;
      case "dedup" -> DedupCommand.class;
      case "diff" -> DiffCommand.class;
      case "find" -> FindCommand.class;
      case "index" -> IndexCommand.class;
      case "info" -> InfoCommand.class;
      case "intersect" -> IntersectCommand.class;
      case "join" -> JoinCommand.class;
      case "merge" -> MergeCommand.class;
      case "plan" -> PlanCommand.class;
      case "plot" -> PlotCommand.class;
      case "reconcile" -> ReconcileCommand.class;
      case "remove" -> RemoveCommand.class;
      case "secure-index" -> SecureIndexCommand.class;
      case "top" -> TopCommand.class;
      case "verify" -> VerifyCommand.class;
      default -> null;
    };
  }

  /** As much of the commands and their options as these words need. */
  private Object model(String... args) {
    if (isHelp(args)) {
      return summaries();
    }
    Class<?> asked = args.length == 0 ? null : command(args[0]);
    return asked == null ? this : only(asked);
  }

  /** This command with the names and summaries of the others, which is all that its help shows. */
  private CommandSpec summaries() {
    Command own = Main.class.getAnnotation(Command.class);
    CommandSpec bloom = CommandSpec.wrapWithoutInspection(this);
    bloom.updateCommandAttributes(own, CommandLine.defaultFactory());
    bloom.mixinStandardHelpOptions(true);
    bloom.addMixin("global", CommandSpec.forAnnotatedObject(global));
    for (Class<?> each : own.subcommands()) {
      Command command = each.getAnnotation(Command.class);
      CommandSpec summary = CommandSpec.create().name(command.name());
      summary.usageMessage().header(command.header());
      bloom.addSubcommand(null, summary);
    }
    return bloom;
  }

  /** This command with one subcommand: to look at the options of all takes longer than most do. */
  private CommandSpec only(Class<?> command) {
    return CommandSpec.wrapWithoutInspection(this)
        .name("bloom")
        .addMixin("global", CommandSpec.forAnnotatedObject(global))
        .addSubcommand(null, new CommandLine(command));
  }

  @Override
  public Console console() {
    return console.with(global.colours(), global.debug());
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }
}
