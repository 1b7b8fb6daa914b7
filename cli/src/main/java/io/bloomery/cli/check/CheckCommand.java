package io.bloomery.cli.check;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.file.VerifyOption;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.ExitCodeOption;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.option.SilentOption;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.FilterSource;
import io.bloomery.tools.file.ParquetInput;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom check}: looks up keys in a filter. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Looks up keys in a filter, one per line, and prints ANSWER<tab>KEY for each, where ANSWER is"
          + " \"certainly absent\" or \"probably present\"; then the counts, to standard error."
          + " Filters of other systems are queried as they are (see bloom info).",
      "With --column and Parquet files, it says for each row group of each file whether it may hold"
          + " a key, and how many row groups need not be read.",
      "Exit code: 0 done, 2 error. For keys given by --key alone and for ranges, or with"
          + " --exit-code: 1 if some are certainly absent."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom check words.bloom --key zebra --key zebrra",
      "  bloom check seen.bloom today.txt.gz --mode absent >new.txt",
      "  bloom check users.bloom orders.csv --column email --mode present",
      "  cut -f3 log.tsv | bloom check urls.bloom --count",
      "  bloom check seen.bloom today.txt --against seen.txt --mode present",
      "  bloom check --column city --key Oslo *.parquet",
      "  bloom check times.bloom --from 1763583000 --to 1763586599",
      "  bloom check -s revoked.bloom --key \"$id\" && ask-the-database \"$id\""
    })
public final class CheckCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "FILTER",
      description =
          "A filter of Bloomery or of another system, plain or compressed; -: standard input.")
  private Path filter;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "KEYS-FILE",
      description = "Files of keys, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description = "A key; may be repeated.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "KEY",
      description =
          "The smallest key of a range: looks up whether any key of it is in a filter of ranges; may"
              + " be repeated, each with --to.")
  private List<String> from = new ArrayList<>();

  @Option(names = "--to", paramLabel = "KEY", description = "The largest key of a range.")
  private List<String> to = new ArrayList<>();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "annotate: every key with its answer; present: only the keys that are present; absent:"
              + " all others, including empty ones. Default: annotate.")
  private Answers.@Nullable Mode mode;

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private CountOption counting = new CountOption();

  @Mixin private ExitCodeOption exitCode = new ExitCodeOption();

  @Mixin private SilentOption silent = new SilentOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  @Mixin private AgainstOption against = new AgainstOption();

  @Mixin private VerifyOption verifying = new VerifyOption();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  CheckCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    inputOptions.check();
    verifying.check();
    if (mode != null && !isListing()) {
      throw new Problem("--mode prints keys; --count and --silent print none");
    }
    if (FilterSource.isStandardInput(filter) && isReadFromInput()) {
      throw new Problem("standard input cannot be both filter and keys; name a file of keys");
    }
    checkRanges();
    against.check(isReadFromInput() || FilterSource.isStandardInput(filter));
    output.check();
    output.refuse(files);
    output.refuse(against.isGiven() ? List.of(against.file()) : List.of());
    output.refuse(List.of(Octets.name(filter)));
    if (output.isGiven() && silent.isGiven()) {
      throw new Problem("--silent prints nothing; leave out -o");
    }
    return output.write(
        console, results -> FilterSource.read(console, filter, path -> check(results, path)));
  }

  /** Prints the answers to {@code results} and everything else to the console. */
  private int check(Console results, Path path) {
    Console console = program.console();
    if (!format.isGiven() && !inputOptions.columns().isEmpty() && ParquetInput.isParquet(path)) {
      return queryRowGroups(console, results, path);
    }
    OpenFilter opened = FilterFile.map(path, verifying.isWanted(), keyFile, format);
    if (!reporting.isQuiet() && !silent.isGiven()) {
      typing
          .doubt(opened)
          .ifPresent(
              line -> console.say("bloom: %s %s".formatted(FilterSource.name(filter), line)));
    }
    if (!from.isEmpty()) {
      return answerRanges(console, results, opened);
    }
    if (!against.isGiven()) {
      return answer(console, results, opened, null);
    }
    if (!isReadFromInput()) {
      return confirm(() -> console, results, opened);
    }
    try (KeptInput kept = new KeptInput(console.in())) {
      return confirm(() -> kept.rewind(console), results, opened);
    }
  }

  private void checkRanges() {
    if (from.size() != to.size()) {
      throw new Problem("--from and --to are the two ends of a range; give both");
    }
    if (!from.isEmpty() && (!keys.isEmpty() || !files.isEmpty() || against.isGiven())) {
      throw new Problem("--from and --to take no keys besides: leave out --key, files, --against");
    }
  }

  private int answerRanges(Console console, Console results, OpenFilter opened) {
    RangeAnswers answers =
        new RangeAnswers(opened, typing, mode == null ? Answers.Mode.ANNOTATE : mode);
    for (int i = 0; i < from.size(); i++) {
      answers.ask(from.get(i), to.get(i));
    }
    if (isListing()) {
      results.print(answers.lines(reporting.isJson()));
      results.out().flush();
    }
    if (!silent.isGiven()) {
      tell(console, answers.text(), answers.json(FilterSource.name(filter)));
    }
    return exitCode.of(answers.absent() == 0, true);
  }

  /** Reads keys twice; each console supplied reads standard input from its beginning. */
  private int confirm(Supplier<Console> consoles, Console results, OpenFilter opened) {
    Console first = consoles.get();
    try (FalsePositives wrong =
        against.falsePositives(
            first,
            opened.filter(),
            FilterSource.name(filter),
            () -> typing.reading(inputOptions, opened),
            keys.stream().map(Octets::bytes).toList(),
            input(first))) {
      return answer(consoles.get(), results, opened, wrong);
    }
  }

  private boolean isReadFromInput() {
    return files.isEmpty()
        ? keys.isEmpty() && from.isEmpty()
        : files.contains(KeyInput.STANDARD_INPUT);
  }

  /** The input with keys, or null if all keys are on the command line. */
  private @Nullable KeyInput input(Console console) {
    return keys.isEmpty() || !files.isEmpty() ? new KeyInput(console, files) : null;
  }

  private int answer(
      Console console, Console results, OpenFilter opened, @Nullable FalsePositives wrong) {
    KeyInput input = input(console);
    Reading keysOnly = typing.reading(inputOptions, opened);
    Reading reading = isListing() ? inputOptions.printing(keysOnly) : keysOnly;
    Answers answers =
        new Answers(
            opened.filter(),
            reading,
            isListing() ? results.out() : null,
            mode == null ? Answers.Mode.ANNOTATE : mode,
            reporting.isJson());
    if (wrong != null) {
      answers.correct(wrong);
    }
    if (silent.isGiven()) {
      answers.stopAtAbsent();
    }
    keys.forEach(key -> answers.ask(Octets.bytes(key)));
    try {
      if (input != null) {
        input.read(reading, answers, bytes -> {});
      }
    } finally {
      answers.flush();
    }
    if (!silent.isGiven()) {
      tell(console, text(answers), json(answers));
    }
    return exitCode.of(answers.absent() == 0, isAsked());
  }

  /** Looks up keys in a column of Parquet files: FILTER and all other files. */
  private int queryRowGroups(Console console, Console results, Path path) {
    if (against.isGiven()) {
      throw new Problem("--against needs one filter, not those of row groups; see --format");
    }
    if (inputOptions.columns().size() > 1) {
      throw new Problem("--column names one column of the Parquet files, not several");
    }
    typing.refuseCase("Parquet files");
    List<String> asked = keys.isEmpty() ? typedKeys(console) : keys;
    RowGroups groups = new RowGroups(inputOptions.columns().get(0), asked, typing);
    Answers.Mode shown = mode == null ? Answers.Mode.ANNOTATE : mode;
    boolean json = reporting.isJson();
    groups.ask(FilterSource.name(filter), path, results, isListing() ? shown : null, json);
    for (String file : files) {
      if (!ParquetInput.isParquet(Octets.path(file))) {
        throw new Problem(
            file
                + ": is not a Parquet file; with --column and a Parquet FILTER all files must be,"
                + " and keys come from --key or standard input");
      }
      groups.ask(file, Octets.path(file), results, isListing() ? shown : null, json);
    }
    if (silent.isGiven()) {
      return exitCode.of(!groups.isSomeAbsent(), true);
    }
    tell(console, groups.text(), groups.json());
    return exitCode.of(!groups.isSomeAbsent(), !keys.isEmpty());
  }

  /** Whether keys are printed, with or without their answers. */
  private boolean isListing() {
    return output.isGiven() || (!counting.isGiven() && !silent.isGiven());
  }

  /** Whether the exit code is the answer: all keys are on the command line, as for grep. */
  private boolean isAsked() {
    return silent.isGiven() || (files.isEmpty() && !keys.isEmpty());
  }

  /** Reads keys from standard input, one per line. */
  private static List<String> typedKeys(Console console) {
    List<String> lines = new ArrayList<>();
    Reading reading = new Reading(new LineSplitter(), null, false);
    new KeyInput(console, List.of())
        .read(
            reading,
            block -> {
              for (int i = 0; i < block.count(); i++) {
                int start = block.keyStarts()[i];
                lines.add(Octets.text(block.bytes(), start, block.keyEnds()[i] - start));
              }
              return true;
            },
            bytes -> {});
    return lines;
  }

  private void tell(Console console, String text, String json) {
    if (counting.isGiven()) {
      console.print(reporting.isJson() ? json : text + "\n");
    } else if (!reporting.isQuiet() && reporting.isJson()) {
      console.print(json);
    } else if (!reporting.isQuiet()) {
      console.say(text);
    }
  }

  private static String text(Answers answers) {
    String text =
        "%s: %s %s, %s %s"
            .formatted(
                Text.count(answers.present() + answers.absent(), "key"),
                Text.count(answers.present()),
                answers.words().present(),
                Text.count(answers.absent()),
                answers.words().absent());
    if (answers.wrong() >= 0) {
      text += ", " + Text.count(answers.wrong(), "false positive") + " among them";
    }
    return answers.skipped() == 0
        ? text
        : text + "; " + Text.count(answers.skipped(), "empty key") + ", not looked up";
  }

  private String json(Answers answers) {
    Report report =
        new Report()
            .value("file", FilterSource.name(filter))
            .value("keys", answers.present() + answers.absent());
    if (answers.wrong() < 0) {
      report.value("probablyPresent", answers.present()).value("certainlyAbsent", answers.absent());
    } else {
      report
          .value("present", answers.present())
          .value("absent", answers.absent())
          .value("falsePositives", answers.wrong());
    }
    return report
        .value("emptyKeysSkipped", answers.skipped())
        .value("badRows", inputOptions.badRows())
        .json();
  }
}
