package io.bloomery.cli.count;

import io.bloomery.FrameHeader.Description;
import io.bloomery.FrequencyFilter;
import io.bloomery.FrequencyFilter.CountError;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.ExitCodeOption;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.StampOption;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.file.FilterSource;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.KeyForm;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.CountedKeys;
import io.bloomery.tools.spill.KeyTable;
import io.bloomery.tools.spill.Rereading;
import io.bloomery.tools.spill.RunHash;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom count}: how often lines occur. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints each distinct line once after its exact count, as sort | uniq -c does; what does not"
          + " fit in memory goes to a temporary file.",
      "With --key or --keys-file it prints COUNT<tab>KEY for these keys, and with --running every"
          + " line as it is read, after its count so far. Both use a small, fixed amount of memory:"
          + " a count is never too low, so it is printed as \"at most 5\"; the summary says by how"
          + " much it may be too high. With --exact it is exact.",
      "With -o it saves its counters as a filter, which --filter continues or looks up; redirect"
          + " standard output to keep what is printed.",
      "Exit code: 0 done, 2 error. For keys given by --key, or with --exit-code: 1 if one of the keys"
          + " never occurred."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom count access.log.gz --key /index.html --key /login",
      "  bloom count --order count access.log | head",
      "  tail -f access.log | bloom count --running --at-least 3",
      "  bloom count mon.log -o mon.bloom --key /login",
      "  bloom count --filter mon.bloom --key /login"
    })
public final class CountCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files of lines, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description = "A key; may be repeated.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--keys-file",
      paramLabel = "KEYS",
      description = "A file of keys to look up, one per line; - for standard input.")
  private @Nullable String keysFile;

  @Option(
      names = "--running",
      description = "Print every line as it is read, with its count so far.")
  private boolean running;

  @Option(
      names = "--total",
      description = "Print every line with its final count, after counting all of them.")
  private boolean total;

  @Option(
      names = "--at-least",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Print only counts of N or more.")
  private @Nullable Long atLeast;

  @Option(
      names = "--exact",
      description =
          "Exact results: counts also with --key, --keys-file, --running and --total; with the last two all"
              + " distinct lines must fit in memory.")
  private boolean exact;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "Order of the distinct lines: key (by bytes), count (highest first) or first (by first"
              + " occurrence). Default: key.")
  private CountedKeys.@Nullable Order order;

  @Mixin private SketchOptions sketch = new SketchOptions();

  @Mixin private MemoryOption memoryLimit = new MemoryOption();

  @Option(
      names = "--filter",
      paramLabel = "FILTER",
      description = "Begin with the counts of this filter; without FILE nothing else is counted.")
  private @Nullable Path filterFile;

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private ExitCodeOption exitCode = new ExitCodeOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  CountCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    inputOptions.check();
    checkOptions();
    return output.replace(console, () -> isList() ? list(console) : count(console));
  }

  private int count(Console console) {
    OpenFilter opened = filter();
    FrequencyFilter filter = frequency(opened);
    Hasher hasher = filter == null ? RunHash.hasher() : filter.hasher();
    Reading reading =
        opened == null
            ? typing.reading(inputOptions, hasher)
            : typing.reading(inputOptions, opened);
    List<String> names = filterFile != null && files.isEmpty() ? null : files;
    KeyInput lines = names == null ? null : new KeyInput(console, names);
    boolean bar = reporting.isBarWanted(console, !isAsked());
    long bytes = lines == null ? 0 : lines.bytes();
    try (Progress progress = new Progress(console, bar, bytes);
        Rereading input = lines == null ? null : new Rereading(lines, reading, progress);
        Rereading asked =
            keysFile == null
                ? null
                : new Rereading(
                    new KeyInput(console, List.of(keysFile)),
                    new Reading(new LineSplitter(), hasher, false)
                        .limitedByOption(inputOptions.maxRecord())
                        .of(reading.keys())
                        .in(reading.form()),
                    read -> {})) {
      Counts counts = filter != null ? new Counts.ByFilter(filter) : exact(asked, reading);
      long least = atLeast == null ? 0 : atLeast;
      KeyPrinter printer = new KeyPrinter(console.out(), reading.splitter());
      CountRun run = new CountRun(counts, least, printer, reporting.isJson());
      run(run, input, asked, reading);
      if (output.isGiven()) {
        save(Objects.requireNonNull(opened, "filter"), reading);
      }
      if (!reporting.isQuiet()) {
        tell(console, run, input, filter);
      }
      return exitCode.of(run.absent() == 0, keysFile == null);
    }
  }

  /** Whether each distinct key is printed once. */
  private boolean isList() {
    return !running && !total && !isAsked();
  }

  private int list(Console console) {
    OpenFilter opened = filterFile != null || output.isGiven() ? filter() : null;
    FrequencyFilter filter = frequency(opened);
    Hasher hasher = RunHash.hasher(); // of the table, even if the filter's is public
    Reading reading =
        opened == null
            ? typing.reading(inputOptions, hasher)
            : typing.reading(inputOptions, opened);
    if (opened != null && !reading.keys().isText()) {
      throw new Problem(
          "%s: its keys are of type %s, and distinct lines are found by their bytes; use --key, --keys-file, --running or --total"
              .formatted(
                  Octets.name(opened.path()),
                  opened.description().text(Description.KEY_TYPE).orElse("")));
    }
    KeyInput lines = new KeyInput(console, files);
    Totals totals =
        new Totals(
            order == null ? CountedKeys.Order.KEY : order,
            atLeast == null ? 0 : atLeast,
            memoryLimit.bytes(),
            hasher,
            filter,
            filterFile != null);
    KeyPrinter printer = new KeyPrinter(console.out(), reading.splitter());
    boolean bar = reporting.isBarWanted(console, false);
    FrequencyFilter bounding = filterFile == null ? null : filter;
    try (Progress progress = new Progress(console, bar, lines.bytes());
        Rereading input = new Rereading(lines, reading, progress)) {
      if (reporting.isJson()) {
        totals.printJson(input, printer);
      } else {
        totals.print(input, printer);
      }
      if (output.isGiven()) {
        save(Objects.requireNonNull(opened, "filter"), reading);
      }
      if (!reporting.isQuiet()) {
        tell(console, totals, input, bounding);
      }
    }
    return 0;
  }

  private void tell(
      Console console, Totals totals, Rereading input, @Nullable FrequencyFilter filter) {
    if (reporting.isJson()) {
      console.print(json(totals, input, filter));
    } else {
      console.out().flush();
      String distinct = Text.count(totals.distinct(), "distinct key") + "; ";
      console.say(keysCounted(input) + distinct + certainty(filter));
    }
  }

  private String json(Totals totals, Rereading input, @Nullable FrequencyFilter filter) {
    return certainty(counted(input), filter)
        .value("distinct", totals.distinct())
        .value("printed", totals.printed())
        .value("temporaryBytes", totals.spilledBytes())
        .json();
  }

  private static String keysCounted(Rereading input) {
    String counted = Text.count(input.keys(), "key") + " counted; ";
    return input.skipped() == 0
        ? counted
        : counted + Text.count(input.skipped(), "empty key") + " skipped; ";
  }

  private boolean isAsked() {
    return keysFile != null || !keys.isEmpty();
  }

  private void checkOptions() {
    if (exact && (output.isGiven() || filterFile != null || sketch.isErrorGiven())) {
      throw new Problem("--exact has no filter; it does not go with --filter, -o and --error");
    }
    if (exact) {
      typing.refuseExact();
    }
    if (isList()) {
      checkList();
    } else if (order != null) {
      throw new Problem(
          "--order is for distinct lines; it does not go with --key, --keys-file, --running and"
              + " --total");
    }
    if (running && (total || isAsked())) {
      throw new Problem(
          "--running prints every line; it does not go with --total, --key and --keys-file");
    }
    if (filterFile != null && sketch.isGiven()) {
      throw new Problem("--filter has its size already; leave out --memory and --error");
    }
    if (total && isAsked()) {
      throw new Problem("--total prints lines; it does not go with --key and --keys-file");
    }
    if (filterFile != null && files.isEmpty() && !isAsked()) {
      throw new Problem("say what to look up in --filter: --key or --keys-file; or FILE to count");
    }
    boolean readsInput = files.isEmpty() ? filterFile == null : files.contains("-");
    if (filterFile != null
        && FilterSource.isStandardInput(filterFile)
        && (readsInput || KeyInput.STANDARD_INPUT.equals(keysFile))) {
      throw new Problem("standard input cannot be both --filter and lines or keys; name a file");
    }
    if (readsInput && KeyInput.STANDARD_INPUT.equals(keysFile)) {
      throw new Problem("standard input cannot be both lines and keys; name a file");
    }
    output.check();
  }

  private void checkList() {
    if (typing.isGiven()) {
      throw new Problem(
          "distinct lines are found by their bytes; --type needs --key, --keys-file, --running or"
              + " --total");
    }
    if (sketch.isGiven() && !exact && !output.isGiven() && filterFile == null) {
      throw new Problem(
          "--memory and --error are for --key, --keys-file, --running, --total and -o; distinct"
              + " lines are counted exactly, within --memory-limit");
    }
    if (order == CountedKeys.Order.COUNT && filterFile != null) {
      throw new Problem("--order count needs exact counts; it does not go with --filter");
    }
  }

  private static @Nullable FrequencyFilter frequency(@Nullable OpenFilter opened) {
    return opened == null ? null : (FrequencyFilter) opened.filter();
  }

  /** Saves the filter, with the description of the file that it began with, if any. */
  private void save(OpenFilter opened, Reading reading) {
    Description described =
        filterFile == null
            ? new StampOption()
                .stamp(
                    typing.stamp(Description.NONE.with(Description.KEY_TYPE, typing.name(reading))))
            : opened.description();
    OpenFilter counted = new OpenFilter(output.path(), opened.filter(), described);
    Saving.save(counted.writer(), output.path());
  }

  private @Nullable OpenFilter filter() {
    if (exact) {
      return null;
    }
    if (filterFile == null) {
      return new OpenFilter(Path.of("filter"), sketch.filter(newHasher()), Description.NONE);
    }
    Path named = filterFile;
    OpenFilter opened =
        FilterSource.read(
            program.console(),
            named,
            path -> {
              FilterFile file = FilterFile.read(path, false);
              return new OpenFilter(named, file.open(keyFile), file.header().description());
            });
    if (opened.filter() instanceof FrequencyFilter) {
      return opened;
    }
    throw new Problem(
        FilterSource.name(filterFile)
            + ": does not count; 'bloom count FILE -o OUT' makes a filter that does");
  }

  /** The hasher of a new filter: a public function only if the filter is saved. */
  private Hasher newHasher() {
    if (keyFile.isGiven()) {
      return keyFile.newHasher();
    }
    return output.isGiven() ? Hasher.xxh3() : RunHash.hasher();
  }

  private Counts exact(@Nullable Rereading asked, Reading reading) {
    Hasher hasher = Objects.requireNonNull(reading.hasher(), "hasher");
    KeyTable table = new KeyTable();
    if (!isAsked()) {
      return new Counts.OfAll(table, memoryLimit.bytes());
    }
    for (byte[] key : bytes(reading.form())) {
      table.add(key, 0, key.length, hasher.hash(key));
    }
    if (asked != null) {
      asked.first(table::add, true);
    }
    return new Counts.OfSome(table);
  }

  /** The keys of the command line in a form. */
  private List<byte[]> bytes(KeyForm form) {
    return keys.stream().map(Octets::bytes).map(key -> form.of(key, 0, key.length)).toList();
  }

  private void run(
      CountRun run, @Nullable Rereading input, @Nullable Rereading asked, Reading reading) {
    if (!isAsked()) {
      Rereading lines = Objects.requireNonNull(input, "lines, since no key is looked up");
      if (total) {
        run.count(lines, true);
        run.annotate(lines);
      } else {
        run.annotateAsTheyCome(lines);
      }
      return;
    }
    if (input != null) {
      run.count(input, false);
    }
    Hasher hasher = Objects.requireNonNull(reading.hasher(), "hasher");
    for (byte[] key : bytes(reading.form())) {
      run.ask(key, 0, key.length, reading.keys().hash(hasher, key, 0, key.length));
    }
    if (asked != null) {
      if (exact) {
        asked.again(run::ask);
      } else {
        asked.first(run::ask, false);
      }
    }
  }

  private void tell(
      Console console, CountRun run, @Nullable Rereading input, @Nullable FrequencyFilter filter) {
    if (reporting.isJson()) {
      console.print(json(run, input, filter));
    } else {
      console.out().flush();
      console.say(text(run, input, filter));
    }
  }

  private String text(CountRun run, @Nullable Rereading input, @Nullable FrequencyFilter filter) {
    StringBuilder text = new StringBuilder();
    if (input != null) {
      text.append(keysCounted(input));
    }
    if (isAsked()) {
      text.append(
          "%s of %s never occurred; "
              .formatted(Text.count(run.absent()), Text.count(run.asked(), "key")));
    }
    return text.append(certainty(filter)).toString();
  }

  private static String certainty(@Nullable FrequencyFilter filter) {
    if (filter == null) {
      return "counts are exact";
    }
    if (filter.countError().isPresent()) {
      return "counts are " + SketchOptions.bound(filter.countError().get());
    }
    return filter.isUpperBound() ? "counts are never too low" : "counts are estimates";
  }

  private Report counted(@Nullable Rereading input) {
    return new Report()
        .value("keys", input == null ? 0 : input.keys())
        .value("emptyKeysSkipped", input == null ? 0 : input.skipped())
        .value("badRows", inputOptions.badRows());
  }

  private static Report certainty(Report report, @Nullable FrequencyFilter filter) {
    Optional<CountError> error = filter == null ? Optional.empty() : filter.countError();
    return report
        .value("exact", filter == null)
        .value("bound", filter == null ? "exact" : filter.isUpperBound() ? "atMost" : "none")
        .value("total", error.map(CountError::total).orElse(null))
        .value("tooHighByAtMost", error.map(CountError::tooHighByAtMost).orElse(null))
        .value("exceptForShare", error.map(CountError::exceptForShare).orElse(null));
  }

  private String json(CountRun run, @Nullable Rereading input, @Nullable FrequencyFilter filter) {
    return certainty(counted(input), filter).value("printed", run.printed()).json();
  }
}
