package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.LockOption;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.index.IndexOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.file.FilterLock;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom net index}: keeps digests of captures. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Keeps digests of captures in the directory INDEX, which bloom net find asks who sent certain"
          + " bytes or a packet, and when. It adds to an index that is there.",
      "They take a fiftieth of the traffic, and all of them no more than --budget: the oldest are"
          + " deleted. Interrupted, it keeps what it has read."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net index traffic.idx monday.pcap",
      "  bloom net index traffic.idx captures/ --budget 100G",
      "  tcpdump -w - | bloom net index traffic.idx --every 1m --join"
    })
public final class NetIndexCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "INDEX",
      description = "A directory; made if there is none.")
  private Path index;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Captures, pcap or pcapng, plain or compressed, and directories of files with pcap or cap"
              + " in their names. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Mixin private DigestOptions digests = new DigestOptions();

  @Mixin private LockOption lock = new LockOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  NetIndexCommand() {}

  @Override
  public Integer call() {
    lock.check();
    Console console = program.console();
    IndexOptions options = digests.options();
    CaptureInput input = new CaptureInput(console, CaptureInput.expanded(files));
    try {
      Files.createDirectories(index);
    } catch (IOException e) {
      throw Problem.with(index, e);
    }
    if (!reporting.isQuiet() && !reporting.isJson()) {
      console.say("indexing takes " + Text.bytes(options.memory()));
    }
    FilterLock held = lock.lockNew(index.resolve("pages"), console);
    try {
      run(new IndexRun(console, index, options, reporting), input);
    } finally {
      held.close();
    }
    return 0;
  }

  private void run(IndexRun run, CaptureInput input) {
    Thread interrupted = new Thread(() -> input.hold(() -> run.end(input)), "bloom-index");
    Shutdown.add(interrupted);
    boolean bar = reporting.isBarWanted(program.console(), false);
    try (Progress progress = new Progress(program.console(), bar, input.bytes())) {
      input.read(run::take, progress);
      input.hold(() -> run.end(input));
    } finally {
      Shutdown.remove(interrupted);
    }
  }
}
