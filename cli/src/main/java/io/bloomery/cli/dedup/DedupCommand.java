package io.bloomery.cli.dedup;

import io.bloomery.cli.console.Console;
import io.bloomery.cli.console.Problem;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Progress;
import io.bloomery.cli.console.StandardOutput;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.input.KeyInput;
import io.bloomery.cli.input.Reading;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.RecordOptions;
import io.bloomery.cli.spill.TemporaryFile;
import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom dedup}: passes each line once. */
@Command(
    name = "dedup",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Passes each line once, in the order of the input, and says at the end, on standard error,"
          + " how many lines that were.",
      "No line passes twice. A line that is new is lost with a probability of at most 1 in a"
          + " million (--rate), none with --verify. Lines need not be sorted; memory is about 6"
          + " bytes for each different line, however long lines are."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom dedup urls.txt.gz >once.txt",
      "  cat *.log | bloom dedup --duplicates | head",
      "  tail -f events.log | bloom dedup --within 10m -n 1M",
      "  bloom dedup orders.csv --column email >customers.csv",
      "  bloom dedup --verify ids.txt >exactly-once.txt"
    })
public final class DedupCommand implements Callable<Integer> {

  private static final double DEFAULT_RATE = 1e-6;

  /** A filter for --verify decides how much is looked up, so a small one is best. */
  private static final double VERIFY_RATE = 0.01;

  private static final long UNKNOWN_LINES = 1_000_000;
  private static final long FEWEST_LINES = 1 << 16;

  /** The share of the heap that may be taken before anything was read, in bits: 48 for a line. */
  private static final long BYTES_PER_EXPECTED_LINE = 4 * 6;

  /** For how long lines are remembered. */
  static final class Window {
    @Option(
        names = "--last",
        paramLabel = "N",
        converter = Converters.Count.class,
        description = "Drop a line only if it is among the last N lines. Default: for ever.")
    private Long last;

    @Option(
        names = "--within",
        paramLabel = "TIME",
        converter = Converters.Time.class,
        description =
            "Drop a line only if it came within TIME before: 500ms, 30s, 10m, 2h, 7d. Needs -n.")
    private Duration within;

    /** For picocli. */
    Window() {}
  }

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Files of lines, plain, gzip or zstd (detected from the content). None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "Highest probability to lose a line that is new, 0.001 or 0.1%%. Default: 0.000001.")
  private Double rate;

  @Option(
      names = {"-n", "--keys"},
      paramLabel = "N",
      converter = Converters.Count.class,
      description = {
        "Different lines to expect (with --within: in that time), 2500000 or 2.5M. Default: an"
            + " estimate; if more come the filter grows."
      })
  private Long keys;

  @ArgGroup(exclusive = true)
  private Window window = new Window();

  @Option(
      names = "--verify",
      description =
          "Lose nothing: look for each probable repetition in a temporary file of the lines.")
  private boolean verify;

  @Option(
      names = {"-d", "--duplicates"},
      description = "Print the repetitions instead, each line every time but the first.")
  private boolean duplicates;

  @Option(
      names = "--keep-empty",
      description = "Pass all lines with an empty key. Default: the first.")
  private boolean keepEmpty;

  @Option(
      names = {"-c", "--count"},
      description = "Print only the summary, to standard output.")
  private boolean count;

  @Option(names = "--json", description = "Print only the summary, as one line of JSON.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no summary.")
  private boolean quiet;

  @Option(names = "--no-progress", description = "Show no progress bar.")
  private boolean noProgress;

  @Mixin private RecordOptions records = new RecordOptions();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  /** For picocli. */
  DedupCommand() {}

  @Override
  public Integer call() {
    long start = System.nanoTime();
    Console console = program.console();
    checkOptions();
    records.check();
    KeyInput input = new KeyInput(console, files);
    Hasher hasher = keyFile.isGiven() ? keyFile.hasher() : Hasher.xxh3();
    Reading reading = new Reading(records.splitter(), hasher, true);
    StandardOutput out = count || json ? null : console.out();
    try (DedupRun run =
        new DedupRun(
            expected -> seen(expected, hasher),
            input.bytes(),
            new DedupRun.Passing(duplicates, keepEmpty),
            out,
            reading.splitter().recordEnd())) {
      try (Progress progress = new Progress(console.err(), showsBar(console), input.bytes())) {
        input.read(reading, run, progress);
      }
      if (out != null) {
        out.flush(); // what was lost on the way is not to be summed up
      }
      DedupReport report = new DedupReport(run, rate(), System.nanoTime() - start);
      if (json) {
        console.print(report.json());
      } else if (count) {
        console.print(report.text());
      } else if (!quiet) {
        console.err().print(report.text());
        console.err().flush();
      }
    }
    return 0;
  }

  private void checkOptions() {
    boolean windowed = window.last != null || window.within != null;
    if (verify && windowed) {
      throw new Problem("--verify remembers for ever; it does not go with --last and --within");
    }
    if (window.within != null && keys == null) {
      throw new Problem("--within needs -n, the number of different lines in that time");
    }
    if (window.last != null && keys != null) {
      throw new Problem("--last says how many lines are remembered; leave out -n");
    }
    if (quiet && (count || json)) {
      throw new Problem("--quiet prints no summary; --count and --json print nothing else");
    }
  }

  private boolean showsBar(Console console) {
    boolean lines = !count && !json;
    return !noProgress
        && !quiet
        && console.watched().getAsBoolean()
        && !(lines && console.out().isTerminal());
  }

  private double rate() {
    if (rate != null) {
      return rate;
    }
    return verify ? VERIFY_RATE : DEFAULT_RATE;
  }

  /** What remembers lines, made for as many as were estimated, 0 if there is no estimate. */
  private Seen seen(long estimated, Hasher hasher) {
    if (window.last != null) {
      return new FilterSeen(RecentFilter.create(RecentShape.forKeys(window.last, rate()), hasher));
    }
    if (window.within != null) {
      return new FilterSeen(
          RecentFilter.create(RecentShape.forKeys(keys, rate()).withWindow(window.within), hasher));
    }
    long expected = keys != null ? keys : expected(estimated);
    if (verify) {
      return new ExactSeen(expected, rate(), hasher, TemporaryFile.directory());
    }
    return new FilterSeen(FilterSeen.growing(expected, rate(), hasher));
  }

  private static long expected(long estimated) {
    if (estimated == 0) {
      return UNKNOWN_LINES;
    }
    long most = Runtime.getRuntime().maxMemory() / BYTES_PER_EXPECTED_LINE;
    return Math.max(FEWEST_LINES, Math.min(estimated, most));
  }
}
