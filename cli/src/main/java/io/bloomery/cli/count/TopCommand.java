package io.bloomery.cli.count;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.HeavyHitters;
import io.bloomery.frequency.HeavyHitters.Counted;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.Rereading;
import io.bloomery.tools.spill.RunHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom top}: the most frequent lines. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints the most frequent lines, COUNT<tab>ERROR<tab>LINE, the highest count first."
          + " The true count is never above COUNT and never below COUNT - ERROR, no matter who chooses"
          + " the lines; two lines are counted as one only if their 64-bit hashes are equal by"
          + " chance, and never with --exact.",
      "Memory is fixed: counters for all lines, and the lines that are kept. The summary says from"
          + " which true count every line is certainly printed."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom top -l 10 access.log.gz",
      "  cut -d' ' -f1 access.log | bloom top --at-least 1000",
      "  bloom top --exact urls.txt"
    })
public final class TopCommand implements Callable<Integer> {

  private static final int DEFAULT_LISTED = 20;
  private static final int LEAST_KEPT = 1024;
  private static final int KEPT_FOR_ALL = 1 << 16;
  private static final int KEPT_PER_LISTED = 8;

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files of lines, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-l", "--lines"},
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of lines to print. Default: 20, or all with --at-least.")
  private @Nullable Long wanted;

  @Option(
      names = "--at-least",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Print only counts of N or more.")
  private @Nullable Long atLeast;

  @Option(
      names = "--exact",
      description =
          "Exact results: the true list, ERROR is 0. Reads the input twice, or three times.")
  private boolean exact;

  @Option(
      names = "--keep",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of lines to keep. Default: 8 per printed line, at least 1024; 65536 with"
              + " --at-least.")
  private @Nullable Long keep;

  @Mixin private SketchOptions sketch = new SketchOptions();

  @Mixin private MemoryOption memoryLimit = new MemoryOption();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  TopCommand() {}

  @Override
  public Integer call() {
    inputOptions.check();
    output.check();
    output.refuse(files);
    return output.write(program.console(), this::top);
  }

  private int top(Console console) {
    CountMinFilter filter = sketch.filter(RunHash.hasher());
    TopRun run = new TopRun(filter, capacity(), wanted(), least());
    Reading reading = typing.canonical(inputOptions.reading(filter.hasher()));
    KeyPrinter printer = new KeyPrinter(console.out(), reading.splitter());
    KeyInput input = new KeyInput(console, files);
    boolean bar = reporting.isBarWanted(console, false);
    try (Progress progress = new Progress(console, bar, input.bytes());
        Rereading lines = new Rereading(input, reading, progress)) {
      if (exact) {
        run.runExactly(lines, memoryLimit.bytes());
        tell(console, run, lines, filter, printer);
      } else {
        Ending ending =
            new Ending(
                lines,
                () -> {
                  run.conclude();
                  tell(console, run, lines, filter, printer);
                });
        Thread interrupted = new Thread(ending, "bloom-top");
        if (!output.isGiven()) {
          Shutdown.add(interrupted);
        }
        try {
          run.read(lines);
          ending.run();
        } finally {
          Shutdown.remove(interrupted);
        }
      }
    }
    return 0;
  }

  /** Work that runs once: at the end of the input, or earlier if the process is interrupted. */
  private static final class Ending implements Runnable {
    private final Rereading lines;
    private final Runnable work;
    private boolean done;

    Ending(Rereading lines, Runnable work) {
      this.lines = lines;
      this.work = work;
    }

    @Override
    public void run() {
      lines.hold(
          () -> {
            if (!done) {
              done = true;
              work.run();
            }
          });
    }
  }

  private void tell(
      Console console, TopRun run, Rereading lines, CountMinFilter filter, KeyPrinter printer) {
    if (reporting.isJson()) {
      printJson(printer, run);
    } else {
      print(printer, run);
    }
    if (!reporting.isQuiet() && reporting.isJson()) {
      console.print(json(run, lines, filter));
    }
    console.out().flush();
    if (!reporting.isQuiet() && !reporting.isJson()) {
      console.say(text(run, lines, filter));
    }
  }

  private int wanted() {
    if (wanted == null) {
      return atLeast == null ? DEFAULT_LISTED : Integer.MAX_VALUE;
    }
    if (wanted > HeavyHitters.MAX_CAPACITY) {
      throw new Problem(
          "--lines is %d; it must be at most %d".formatted(wanted, HeavyHitters.MAX_CAPACITY));
    }
    return wanted.intValue();
  }

  private long least() {
    return atLeast == null ? 1 : atLeast;
  }

  private int capacity() {
    if (keep == null) {
      return wanted() == Integer.MAX_VALUE
          ? KEPT_FOR_ALL
          : (int)
              Math.max(
                  LEAST_KEPT,
                  Math.min(HeavyHitters.MAX_CAPACITY, (long) KEPT_PER_LISTED * wanted()));
    }
    if (wanted != null && keep < wanted) {
      throw new Problem("--keep is %d, fewer than the %d of --lines".formatted(keep, wanted));
    }
    if (keep > HeavyHitters.MAX_CAPACITY) {
      throw new Problem(
          "--keep is %d; it must be at most %d".formatted(keep, HeavyHitters.MAX_CAPACITY));
    }
    return keep.intValue();
  }

  private static void print(KeyPrinter printer, TopRun run) {
    for (Counted<byte[]> each : run.top()) {
      String numbers = each.count() + "\t" + (each.count() - each.least()) + "\t";
      printer.print(numbers, each.key(), 0, each.key().length);
    }
  }

  private static void printJson(KeyPrinter printer, TopRun run) {
    for (Counted<byte[]> each : run.top()) {
      Map<String, Object> entry = printer.json(each.key(), 0, each.key().length);
      entry.put("count", each.count());
      entry.put("least", each.least());
      printer.printJson(entry);
    }
  }

  private String text(TopRun run, Rereading lines, CountMinFilter filter) {
    StringBuilder text = new StringBuilder(Text.count(lines.keys(), "key"));
    if (lines.skipped() > 0) {
      text.append(", ").append(Text.count(lines.skipped(), "empty key")).append(" skipped");
    }
    if (run.isProven()) {
      text.append(
          run.isAll()
              ? "; certainly none is missing from the list"
              : "; certainly no other key occurred more often than a listed one");
    } else if (run.isSaturated()) {
      text.append("; any key may be missing from the list: ")
          .append(Text.count(filter.saturatedCounters(), "counter"))
          .append(" cannot count further; --exact helps");
    } else {
      text.append("; keys that occurred fewer than ")
          .append(Text.count(run.completeFrom(), "time"))
          .append(" may be missing from the list; --exact or more --memory helps");
    }
    return text.toString();
  }

  private String json(TopRun run, Rereading lines, CountMinFilter filter) {
    return new Report()
        .value("keys", lines.keys())
        .value("emptyKeysSkipped", lines.skipped())
        .value("badRows", inputOptions.badRows())
        .value("exact", exact)
        .value("proven", run.isProven())
        .value("completeFrom", run.isProven() || !run.isSaturated() ? run.completeFrom() : null)
        .value("saturatedCounters", filter.saturatedCounters())
        .value("printed", run.top().size())
        .json();
  }
}
