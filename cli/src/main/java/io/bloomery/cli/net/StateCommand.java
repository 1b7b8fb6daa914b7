package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.state.StateOptions;
import io.bloomery.net.state.StateOptions.BackEnd;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.RunHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom net state}: follows TCP connections. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Follows the states of TCP connections in 24 bits per connection, and prints"
          + " STATE<tab>ENTERED<tab>PACKETS: how often connections came into a state, and how many"
          + " packets left them there.",
      "States may be wrong or unknown. With --exact, an exact table is kept beside, and the share of"
          + " packets with a wrong state is printed for each of three structures of the same size."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net state traffic.pcap",
      "  bloom net state --flows 10M --timeout 5m --json monday.pcapng.gz",
      "  tcpdump -w - tcp | bloom net state --exact"
    })
public final class StateCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Captures, pcap or pcapng, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--flows",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Connections expected at a time: 50k, 10M. Default: 100,000.")
  private long flows = 100_000;

  @Option(
      names = "--bits",
      paramLabel = "N",
      description = "Bits per expected connection, 16 to 40. Default: 24.")
  private int bits = StateOptions.BITS;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description =
          "Forget connections without packets for TIME, 30s or 5m, by the times of packets; at the"
              + " latest after twice as long. Default: 5m.")
  private Duration timeout = Duration.ofMinutes(5);

  @Option(
      names = "--structure",
      paramLabel = "KIND",
      converter = StateRun.Structure.class,
      completionCandidates = StateRun.Structures.class,
      description =
          "fingerprint: fingerprints with states; stateful: cells with a state and a counter;"
              + " direct: a filter of connections with states. Default: fingerprint.")
  private BackEnd structure = BackEnd.FINGERPRINT;

  @Option(names = "--exact", description = "Compare with an exact table.")
  private boolean exact;

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  StateCommand() {}

  @Override
  public Integer call() {
    StateOptions options;
    try {
      options = new StateOptions(structure, flows, bits, RunHash.hasher());
    } catch (IllegalArgumentException e) {
      throw new Problem("--" + String.valueOf(e.getMessage()).replace("bitsPerFlow", "bits"));
    }
    long room = Runtime.getRuntime().maxMemory() / 2;
    long memory = flows * bits / Byte.SIZE * (exact ? 3 : 1);
    if (memory > room) {
      throw new Problem(
          "--flows takes %s; at most %s fit".formatted(Text.bytes(memory), Text.bytes(room)));
    }
    output.check();
    output.refuse(files);
    return output.write(program.console(), console -> run(console, options));
  }

  private int run(Console console, StateOptions options) {
    CaptureInput input = new CaptureInput(console, files);
    StateRun run = new StateRun(console, options, timeout, exact, reporting);
    if (!reporting.isQuiet() && !reporting.isJson()) {
      console.say(run.memory());
    }
    Thread interrupted = new Thread(() -> input.hold(() -> run.end(input)), "bloom-state");
    if (!output.isGiven()) {
      Shutdown.add(interrupted);
    }
    boolean bar = reporting.isBarWanted(console, false);
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      input.read(run::take, progress);
      input.hold(() -> run.end(input));
    } finally {
      Shutdown.remove(interrupted);
    }
    return 0;
  }
}
