package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.flows.FlowOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.RunHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom net flows}: the largest flows of captures. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints the flows with the most packets or bytes, AMOUNT<tab>ERROR<tab>FLOW, the largest"
          + " first. The true amount is never above AMOUNT and never below AMOUNT - ERROR; the"
          + " summary says which flows may be missing. With --exact, a second pass over the"
          + " captures counts the candidates: EXACT<tab>AMOUNT<tab>FLOW.",
      "Memory is fixed, whatever the number of flows. Interrupted, it prints what it has counted."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net flows --top 10 --bytes traffic.pcap",
      "  bloom net flows --by src --exact monday.pcapng.gz tuesday.pcapng.gz",
      "  tcpdump -w - | bloom net flows --every 10s",
      "  bloom net flows --every 1m --plot flows.svg traffic.pcap"
    })
public final class FlowsCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Captures, pcap or pcapng, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--top",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of flows to print. Default: 20.")
  private long top = 20;

  @Mixin private ByOption by = new ByOption();

  @Option(names = "--bytes", description = "Count bytes of IP packets. Default: packets.")
  private boolean bytes;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "Report every TIME, 10s or 5m, by the times of packets. Default: at the end.")
  private @Nullable Duration every;

  @Option(names = "--exact", description = "Read the captures twice, and print exact amounts.")
  private boolean exact;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description = "Size of the counters: 64M, 1GiB. Default: 4MiB.")
  private long memory = FlowOptions.COUNTER_BYTES;

  @Mixin private PlotOption plot = new PlotOption();

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  FlowsCommand() {}

  @Override
  public Integer call() {
    FlowOptions options = options();
    if (exact && (files.isEmpty() || files.contains(KeyInput.STANDARD_INPUT))) {
      throw new Problem("--exact reads captures twice, and standard input can be read once");
    }
    if (plot.isGiven() && every == null) {
      throw new Problem(
          "--plot draws amounts over time: give the length of an interval by --every");
    }
    plot.check(output.isForced());
    output.check();
    output.refuse(files);
    return output.write(program.console(), console -> run(console, options));
  }

  private FlowOptions options() {
    Duration length = every == null ? Duration.ZERO : every;
    int most = (int) Math.min(top, Integer.MAX_VALUE);
    long room = Runtime.getRuntime().maxMemory() / 2;
    if (memory > room) {
      throw new Problem(
          "--memory is %s; at most %s fit".formatted(Text.bytes(memory), Text.bytes(room)));
    }
    try {
      return new FlowOptions(by.by(), bytes, most, length, memory, RunHash.hasher());
    } catch (IllegalArgumentException e) {
      throw new Problem("--" + String.valueOf(e.getMessage()).replace("counterBytes", "memory"));
    }
  }

  private int run(Console console, FlowOptions options) {
    CaptureInput input = new CaptureInput(console, files);
    if (!reporting.isQuiet() && !reporting.isJson()) {
      console.say("counting takes " + Text.bytes(options.memory()));
    }
    FlowsRun run =
        new FlowsRun(console, options, new FlowsRun.Form(exact, plot.isGiven(), reporting));
    Thread interrupted = new Thread(() -> input.hold(() -> run.end(input)), "bloom-flows");
    if (!output.isGiven() && !exact) {
      Shutdown.add(interrupted);
    }
    boolean bar = reporting.isBarWanted(console, every != null && !exact);
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      input.read(run::take, progress);
      if (exact) {
        run.recount(new CaptureInput(console, files));
      }
      input.hold(() -> run.end(input));
    } finally {
      Shutdown.remove(interrupted);
    }
    plot.draw(run.intervals(), options);
    return 0;
  }
}
