package io.bloomery.cli.net;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.net.match.PrefixTable;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.CheckedSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom net match}: looks up addresses in a table of prefixes. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints VALUE<tab>ADDRESS for each address: the network, country or list that its longest"
          + " prefix in TABLE stands for, or - if it has none. Answers are exact.",
      "TABLE has lines of a prefix and a value, of first address, last address and value, or routes"
          + " of bgpdump -m; or it is a file of --save. A prefix without a value gets the"
          + " name of the file."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom net match ip2asn.tsv addresses.txt",
      "  bloom net match drop.txt access.csv --column client --mode matched",
      "  bgpdump -m rib.bz2 | bloom net match - --save routes.bpfx",
      "  bloom net match routes.bpfx addresses.txt --prefix"
    })
public final class MatchCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      description = "Prefixes with values, plain or compressed; -: standard input.")
  private String table;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ADDRESSES",
      description =
          "Files of addresses, one per line or in a column, plain or compressed. None or -:"
              + " standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "all: every address; matched: those with a prefix; unmatched: the others. Default: all.")
  private MatchOutput.Mode mode = MatchOutput.Mode.ALL;

  @Option(names = "--prefix", description = "Print the prefix after the value.")
  private boolean prefix;

  @Option(
      names = "--value-column",
      paramLabel = "N",
      description =
          "Field of TABLE's lines that is the value, from 1; of routes, of their fields between |."
              + " Default: the field after the prefix or range, or the origin of a route.")
  private int valueColumn;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Save the table in a form that is read faster; without ADDRESSES, only that.")
  private @Nullable Path save;

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  @Mixin private InputOptions inputOptions = new InputOptions();

  MatchCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    inputOptions.check();
    boolean isTyped = table.equals(KeyInput.STANDARD_INPUT);
    if (isTyped && (files.contains(table) || (files.isEmpty() && save == null))) {
      throw new Problem("standard input cannot be both table and addresses; name a file of either");
    }
    output.check();
    output.refuse(files);
    output.refuse(List.of(table));
    if (save != null) {
      Saving.check(save, output.isForced());
    }
    MatchTable source = new MatchTable(console, table, valueColumn);
    KeyInput addresses = save == null || !files.isEmpty() ? new KeyInput(console, files) : null;
    boolean bar = reporting.isBarWanted(console, false);
    PrefixTable opened = source.open(inputOptions, bar);
    if (!reporting.isQuiet()) {
      console.say(source.memory(opened));
    }
    if (save != null) {
      Saving.save(opened::writeTo, save);
    }
    return addresses == null ? 0 : output.write(console, to -> match(to, opened, addresses));
  }

  private int match(Console results, PrefixTable opened, KeyInput addresses) {
    Console console = program.console();
    Reading plain = inputOptions.printing(inputOptions.reading(null));
    Reading reading =
        plain.of(
            new CheckedSplitter(
                plain.splitter(),
                (bytes, from, length) -> opened.value(Octets.text(bytes, from, length).strip())),
            null);
    MatchOutput answers =
        new MatchOutput(opened, reading, results.out(), mode, prefix, reporting.isJson());
    boolean bar = reporting.isBarWanted(console, !output.isGiven());
    try (Progress progress = new Progress(console, bar, addresses.bytes())) {
      addresses.read(reading, answers, progress);
    } finally {
      answers.flush();
    }
    if (!reporting.isQuiet()) {
      answers.report(console, table, inputOptions.badRows());
    }
    return 0;
  }
}
