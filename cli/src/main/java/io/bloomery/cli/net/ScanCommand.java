package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OnErrorOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.scan.ScanOptions;
import io.bloomery.net.scan.TrafficScanner;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.Shutdown;
import io.bloomery.tools.input.KeyInput;
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

/** {@code bloom net scan}: finds indicators in captures. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints TIME<tab>KIND<tab>INDICATOR<tab>FLOW where an indicator of a list is first found in a"
          + " flow: in the headers of packets, and in what streams of TCP and datagrams carry, in"
          + " whatever segments and fragments. Every hit is compared with the list, so none is"
          + " false.",
      "A list has lines of a domain (which stands for all names below it), a URL, an address or"
          + " prefix, an MD5, SHA-1 or SHA-256 of a file, or a string in quotes, with bytes in"
          + " hexadecimal digits between |: \"GET /x|0d 0a|\"."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net scan --list indicators.txt traffic.pcap",
      "  bloom net scan --list domains.txt --list strings.txt monday.pcapng.gz tuesday.pcapng.gz",
      "  tcpdump -w - | bloom net scan --list indicators.txt --json"
    })
public final class ScanCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Captures, pcap or pcapng, plain or compressed. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--list",
      required = true,
      paramLabel = "LIST",
      description = "A file of indicators, plain or compressed. May be repeated.")
  private List<String> lists = new ArrayList<>();

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description = "Memory of the streams that are put in order: 64M, 1GiB. Default: 128MiB.")
  private long memory = 128 << 20;

  @Mixin private OnErrorOption onError = new OnErrorOption();

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  ScanCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    boolean isTyped = files.isEmpty() || files.contains(KeyInput.STANDARD_INPUT);
    if (lists.contains(KeyInput.STANDARD_INPUT) && isTyped) {
      throw new Problem("standard input cannot be both list and capture; name a file of either");
    }
    long room = Runtime.getRuntime().maxMemory() / 2;
    if (memory > room) {
      throw new Problem(
          "--memory is %s; at most %s fit".formatted(Text.bytes(memory), Text.bytes(room)));
    }
    output.check();
    output.refuse(files);
    output.refuse(lists);
    ScanOptions options;
    try {
      options = ScanOptions.standard().withHasher(RunHash.hasher()).withStreamBytes(memory);
    } catch (IllegalArgumentException e) {
      throw new Problem("--" + String.valueOf(e.getMessage()).replace("streamBytes", "memory"));
    }
    TrafficScanner.Builder builder = TrafficScanner.builder(options);
    boolean bar = reporting.isBarWanted(console, false);
    for (String list : lists) {
      ScanRun.read(console, list, builder, onError.rows(), bar);
    }
    return output.write(console, results -> run(console, results, builder));
  }

  private int run(Console console, Console results, TrafficScanner.Builder builder) {
    CaptureInput input = new CaptureInput(console, files);
    ScanRun run = new ScanRun(results, builder, reporting);
    if (!reporting.isQuiet() && !reporting.isJson()) {
      console.say(run.memory());
    }
    Thread interrupted = new Thread(() -> input.hold(() -> run.end(input)), "bloom-scan");
    if (!output.isGiven()) {
      Shutdown.add(interrupted);
    }
    boolean bar = reporting.isBarWanted(console, !output.isGiven());
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      input.read(run::take, progress);
      input.hold(() -> run.end(input));
    } finally {
      Shutdown.remove(interrupted);
    }
    return 0;
  }
}
