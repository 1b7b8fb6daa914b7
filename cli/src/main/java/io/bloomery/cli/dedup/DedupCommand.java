package io.bloomery.cli.dedup;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.RecordOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.FirstRecords;
import io.bloomery.tools.spill.RunHash;
import io.bloomery.tools.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom dedup}: outputs each line once. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints each line once, in the order of the input, and a summary to standard error.",
      "No line is printed twice, unless --last or --within allow it. A new line is lost with a probability of at most 1 in a"
          + " million (--rate), no matter who chooses the lines; none with --exact. Which line is"
          + " lost differs from run to run, unless --secret-file gives the key of the hash.",
      "Lines need not be sorted; memory is about 6 bytes per distinct line, however long lines are."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom dedup urls.txt.gz -o once.txt",
      "  cat *.log | bloom dedup --duplicates | head",
      "  tail -f events.log | bloom dedup --within 10m -n 1M",
      "  bloom dedup orders.csv --column email >customers.csv",
      "  bloom dedup calls.csv --column caller --within 10m --exact --time-column begin",
      "  bloom dedup --exact ids.txt >exactly-once.txt",
      "  bloom dedup --state seen.bloom today.log >new-today.log",
      "  tail -F app.log | bloom dedup --state seen.bloom --save-every 10s"
    })
public final class DedupCommand implements Callable<Integer> {

  private static final double DEFAULT_RATE = 1e-6;

  /**
   * With --exact the filter only decides how many keys are looked up, so a small filter is best.
   */
  private static final double EXACT_RATE = 0.01;

  private static final long UNKNOWN_LINES = 1_000_000;
  private static final long FEWEST_LINES = 1 << 16;

  /** Limits the initial size to a quarter of the heap, at 48 bits per line. */
  private static final long BYTES_PER_EXPECTED_LINE = 4 * 6;

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Files of lines, plain or compressed (detected from the content). None or -: standard"
              + " input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "False-positive rate: the highest probability of losing a new line, 0.001 or 0.1%%."
              + " Default: 0.000001.")
  private @Nullable Double rate;

  @Option(
      names = {"-n", "--keys"},
      paramLabel = "N",
      converter = Converters.Count.class,
      description = {
        "Number of distinct lines to expect (with --within: in that time), 2500000 or 2.5M."
            + " Default: an estimate; if there are more, the filter grows."
      })
  private @Nullable Long keys;

  @Mixin private WindowOptions window = new WindowOptions();

  @Mixin private StateOptions stored = new StateOptions();

  @Mixin private ExactOptions exact = new ExactOptions();

  @Option(
      names = {"-d", "--duplicates"},
      description = "Print the repetitions instead: each line every time except the first.")
  private boolean duplicates;

  @Option(
      names = "--keep-empty",
      description = "Keep empty keys: print every line that has one. Default: the first only.")
  private boolean keepEmpty;

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private CountOption counting = new CountOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  @Mixin private RecordOptions records = new RecordOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  DedupCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    checkOptions();
    records.check();
    output.check();
    KeyInput input = new KeyInput(console, files);
    stored.check(input, output.isGiven() ? output.path() : null);
    String report = run(console, input);
    if (reporting.isQuiet()) {
      return 0;
    }
    if (!isListing() || reporting.isJson()) {
      console.print(report);
    } else {
      console.err().print(report);
      console.err().flush();
    }
    return 0;
  }

  /** Runs with the lines of earlier runs, if there are any, and saves them after the output. */
  private String run(Console console, KeyInput input) {
    if (!stored.isGiven()) {
      return write(console, input, null);
    }
    try (SeenState state = stored.open(records, typing, rate, keyFile, console)) {
      String report = write(console, input, state);
      if (isListing() || output.isGiven()) { // otherwise no line was written
        state.save();
      }
      return report;
    }
  }

  private String write(Console console, KeyInput input, @Nullable SeenState state) {
    boolean prints = isListing() || output.isGiven();
    return output.write(
        console, results -> dedup(console, input, state, prints ? results.out() : null));
  }

  /** Writes lines to {@code out}, if it is not null, and returns the summary. */
  private String dedup(
      Console console, KeyInput input, @Nullable SeenState state, @Nullable StandardOutput out) {
    long start = System.nanoTime();
    Hasher hasher = state != null ? state.hasher() : hasher();
    Reading read = records.reading(out != null, hasher, true);
    Reading reading = window.timed(state != null ? typing.typed(read) : typing.canonical(read));
    boolean bar = reporting.isBarWanted(console, isListing() && !output.isGiven());
    KeyPrinter json =
        out != null && reporting.isJson() && !output.isGiven()
            ? new KeyPrinter(out, reading.splitter())
            : null;
    try (DedupRun run =
        new DedupRun(
            expected -> seen(expected, hasher, state, wanted(out)),
            input.bytes(),
            new DedupRun.Passing(duplicates, keepEmpty),
            out,
            json)) {
      try (Progress progress = new Progress(console, bar, input.bytes())) {
        read(input, reading, run, progress, state);
      }
      run.finish();
      if (out != null) {
        out.flush(); // neither summary nor state if the output failed
      }
      double promised = state == null ? rate() : state.rate(rate());
      long nanos = System.nanoTime() - start;
      DedupReport report = new DedupReport(run, promised, state, records.badRows(), nanos);
      return reporting.isJson() ? report.json() : report.text();
    }
  }

  /** Reads all lines, and saves the state from time to time if the lines are handed on at once. */
  private void read(
      KeyInput input, Reading reading, DedupRun run, Progress progress, @Nullable SeenState state) {
    if (state == null || !isListing() || output.isGiven()) {
      input.read(reading, run, progress);
      return;
    }
    Console console = program.console();
    try (SavedState saving = stored.saving(state, console.out(), console)) {
      input.read(reading, saving.around(run), progress);
    }
  }

  private Hasher hasher() {
    return keyFile.isGiven() ? keyFile.hasher() : RunHash.hasher();
  }

  private void checkOptions() {
    window.check(exact.isGiven(), keys);
    exact.check();
    if (stored.isGiven() && (exact.isGiven() || window.isGiven())) {
      throw new Problem(
          "--state remembers in a filter, forever; it does not go with --exact, --last and --within");
    }
    if (reporting.isQuiet() && !isListing()) {
      throw new Problem("--quiet prints no summary; --count prints nothing else");
    }
  }

  private boolean isListing() {
    return !counting.isGiven();
  }

  private double rate() {
    if (rate != null) {
      return rate;
    }
    return exact.isGiven() ? EXACT_RATE : DEFAULT_RATE;
  }

  /** Remembers lines, sized for the estimated number of lines; 0 if there is no estimate. */
  private Seen seen(
      long estimated, Hasher hasher, @Nullable SeenState state, FirstRecords.Wanted wanted) {
    if (window.isGiven()) {
      return exact.isGiven() ? window.exact(exact.memory()) : window.filter(keys, rate(), hasher);
    }
    long expected = keys != null ? keys : expected(estimated);
    if (state != null) {
      return state.seen(keys == null && estimated == 0 ? FEWEST_LINES : expected, rate());
    }
    if (exact.isLimited()) {
      return new BoundedSeen(exact.memory(), wanted);
    }
    if (exact.isGiven()) {
      return new ExactSeen(expected, rate(), hasher, SpillFile.directory());
    }
    return new FilterSeen(FilterSeen.growing(expected, rate(), hasher));
  }

  private FirstRecords.Wanted wanted(@Nullable StandardOutput out) {
    if (out == null) {
      return FirstRecords.Wanted.NONE;
    }
    return duplicates ? FirstRecords.Wanted.REPEATED : FirstRecords.Wanted.FIRST;
  }

  private static long expected(long estimated) {
    if (estimated == 0) {
      return UNKNOWN_LINES;
    }
    long most = Runtime.getRuntime().maxMemory() / BYTES_PER_EXPECTED_LINE;
    return Math.max(FEWEST_LINES, Math.min(estimated, most));
  }
}
