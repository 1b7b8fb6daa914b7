package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.index.TrafficIndex;
import io.bloomery.net.index.TrafficIndex.Period;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Problems;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom net find}: asks an index of traffic. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints the flows that may have had certain bytes, FIRST<tab>LAST<tab>FLOW, with the times of"
          + " their first and last packet in a page of the index. None that had them in one packet"
          + " is missing; the summary says how many are expected to be false.",
      "With --packet, says of each packet of a capture whether it may have passed where the index"
          + " was made, and when: yes or no<tab>PACKET<tab>FLOW<tab>FROM<tab>TO.",
      "Exit code 0: something was found; 1: nothing; 2: pages of the index cannot be read, or bytes are too few."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net find traffic.idx --hex 4745542f61646d696e2f736574757020",
      "  bloom net find traffic.idx --excerpt worm.bin --pieces 256 --from 2024-05-01T00:00:00Z",
      "  bloom net find traffic.idx --excerpt leak.txt --exact monday.pcap",
      "  bloom net find traffic.idx --packet suspicious.pcap"
    })
public final class NetFindCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(index = "0", paramLabel = "INDEX", description = "What bloom net index wrote.")
  private Path index;

  @Option(
      names = "--excerpt",
      paramLabel = "FILE",
      description = "A file whose bytes to look for. -: standard input.")
  private List<String> excerpts = new ArrayList<>();

  @Option(
      names = "--pieces",
      paramLabel = "BYTES",
      converter = Converters.Count.class,
      description = "Look for each piece of so many bytes of the files, not for the whole.")
  private long pieces;

  @Option(names = "--hex", paramLabel = "HEX", description = "Bytes to look for, hexadecimal.")
  private List<String> hex = new ArrayList<>();

  @Option(
      names = "--packet",
      paramLabel = "CAPTURE",
      description = "A capture whose packets to look for.")
  private List<String> packets = new ArrayList<>();

  @Mixin private PeriodOption period = new PeriodOption();

  @Option(
      names = "--exact",
      paramLabel = "CAPTURE",
      description =
          "Also say which flows had the bytes in one packet of CAPTURE: yes or no before each.")
  private List<String> exact = new ArrayList<>();

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  NetFindCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    Period asked = period.period();
    if (packets.isEmpty() == (excerpts.isEmpty() && hex.isEmpty())) {
      throw new Problem("give --excerpt, --hex or --packet, and --packet without the others");
    }
    if (!packets.isEmpty() && !(exact.isEmpty() && pieces == 0)) {
      throw new Problem("--exact and --pieces are for --excerpt and --hex");
    }
    output.check();
    output.refuse(packets);
    Problems problems = new Problems(console);
    TrafficIndex opened;
    try {
      opened = TrafficIndex.open(index, e -> problems.accept(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      throw Problem.with(index, e);
    }
    boolean found = output.write(console, to -> find(to, opened, asked, problems));
    return problems.any() ? 2 : found ? 0 : 1;
  }

  private boolean find(Console to, TrafficIndex opened, Period asked, Problems problems) {
    try {
      if (!packets.isEmpty()) {
        return new PassedRun(to, opened, asked, reporting)
            .run(new CaptureInput(program.console(), packets));
      }
      FoundRun run =
          new FoundRun(
              to,
              Excerpts.read(program.console(), excerpts, pieces, hex),
              asked,
              reporting,
              problems);
      return run.run(opened, exact, program.console());
    } catch (IOException e) {
      throw Problem.with(index, e);
    }
  }
}
