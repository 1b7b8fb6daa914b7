package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.trace.TraceOptions;
import io.bloomery.net.trace.Traceback;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Problems;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom net trace}: which way packets came. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Follows each packet of a capture back from router to router by the index that each of them"
          + " keeps, and prints its graph: NUMBER<tab>FROM<tab>TO for each step, and"
          + " NUMBER<tab>SOURCE<tab>- for each router behind which nobody passed it.",
      "TOPOLOGY has a line A B for each link, and A = DIRECTORY for each index of bloom net index,"
          + " from where TOPOLOGY is. Routers without an index are passed through.",
      "Exit code 0: some packet was traced; 1: none; 2: pages of an index cannot be read."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net trace network.txt --at gateway --packet attack.pcap",
      "  bloom net trace network.txt --at gateway --packet attack.pcap --within 5m --json"
    })
public final class TraceCommand implements Callable<Integer> {

  private static final int MOST_ROUTERS = 100_000;

  @ParentCommand private Program program;

  @Parameters(index = "0", paramLabel = "TOPOLOGY", description = "Links and indexes of routers.")
  private Path topology;

  @Option(
      names = "--at",
      paramLabel = "ROUTER",
      required = true,
      description = "The router nearest to where the packets were seen.")
  private String start;

  @Option(
      names = "--packet",
      paramLabel = "CAPTURE",
      required = true,
      description = "A capture of the packets.")
  private List<String> packets;

  @Option(
      names = "--within",
      paramLabel = "TIME",
      converter = Converters.Time.class,
      description = "How far times of routers may differ: 10s, 5m. Default: 1m.")
  private Duration within = TraceOptions.DEFAULT.within();

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  TraceCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    output.check();
    output.refuse(packets);
    Problems problems = new Problems(console);
    TraceOptions options;
    try {
      options = new TraceOptions(within, MOST_ROUTERS);
    } catch (IllegalArgumentException e) {
      throw new Problem("--" + e.getMessage());
    }
    Traceback network = Topology.read(topology, options, problems);
    if (!network.routers().contains(start)) {
      throw new Problem(topology, "has no router " + start);
    }
    CaptureInput input = new CaptureInput(console, packets);
    boolean found = output.write(console, to -> trace(to, network, input));
    return problems.any() ? 2 : found ? 0 : 1;
  }

  private boolean trace(Console to, Traceback network, CaptureInput input) {
    TraceRun run = new TraceRun(to, network, start, reporting);
    boolean bar = reporting.isBarWanted(program.console(), !output.isGiven());
    try (Progress progress = new Progress(program.console(), bar, input.bytes())) {
      input.read(run::take, progress);
    }
    return run.end(input);
  }
}
