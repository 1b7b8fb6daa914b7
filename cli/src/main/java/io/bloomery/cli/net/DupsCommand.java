package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.dups.DuplicateFilters;
import io.bloomery.net.dups.DuplicateOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.RunHash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom net dups}: repetitions, by five filters side by side. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Counts the packets of captures, or with --lines the lines of files, that repeat one of the"
          + " --window before, by five filters that forget, each in its memory for the same rate.",
      "Packets are the same if they differ only in what routers change. With --exact, a table counts"
          + " what each filter missed and what it took for a repetition; it grows with the stream."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net dups mirror.pcap",
      "  bloom net dups --window 1M --fpr 0.1% --exact monday.pcapng.gz",
      "  tail -f clicks.log | bloom net dups --lines"
    })
public final class DupsCommand implements Callable<Integer> {

  private static final long WINDOW = 100_000;
  private static final double RATE = .01;

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Captures, or with --lines text, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--window",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "A repetition is one of the N items before: 100k, 1M. Default: 100k.")
  private long window = WINDOW;

  @Option(
      names = {"-p", "--fpr"},
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description = "Share of new items that may be taken for repetitions. Default: 0.01.")
  private double rate = RATE;

  @Option(names = "--lines", description = "FILE has lines, clicks for example, not packets.")
  private boolean lines;

  @Option(names = "--exact", description = "Count the errors, in memory that grows.")
  private boolean exact;

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  DupsCommand() {}

  @Override
  public Integer call() {
    output.check();
    output.refuse(files);
    DuplicateOptions options;
    try {
      options = new DuplicateOptions(window, rate, RunHash.hasher());
    } catch (IllegalArgumentException e) {
      throw new Problem("--" + String.valueOf(e.getMessage()).replace("rate", "fpr"));
    }
    long memory = DuplicateFilters.memory(options);
    long room = Runtime.getRuntime().maxMemory() / 2;
    if (memory > room) {
      throw new Problem(
          "the filters take %s; at most %s fit; a smaller --window helps"
              .formatted(Text.bytes(memory), Text.bytes(room)));
    }
    CaptureInput input = new CaptureInput(program.console(), CaptureInput.expanded(files));
    if (!reporting.isQuiet() && !reporting.isJson()) {
      program
          .console()
          .say("the filters take " + Text.bytes(memory) + (exact ? ", and a table" : ""));
    }
    return output.write(program.console(), console -> run(console, input, options));
  }

  private int run(Console console, CaptureInput input, DuplicateOptions options) {
    DupsRun run = new DupsRun(console, options, exact, reporting);
    Thread interrupted =
        new Thread(() -> input.hold(() -> run.end(lines ? null : input)), "bloom-dups");
    if (!output.isGiven()) {
      Shutdown.add(interrupted);
    }
    boolean bar = reporting.isBarWanted(program.console(), false);
    try (Progress progress = new Progress(program.console(), bar, input.bytes())) {
      if (lines) {
        input.readLines(run::takeLine, progress);
      } else {
        input.read(run::take, progress);
      }
      input.hold(() -> run.end(lines ? null : input));
    } finally {
      Shutdown.remove(interrupted);
    }
    return 0;
  }
}
