package io.bloomery.cli.distinct;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.file.AtomicFile;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.distinct.HllFormat;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.JsonSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.Splitter;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.CountedKeys;
import io.bloomery.tools.spill.RunHash;
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

/** {@code bloom distinct}: how many different keys there are. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints how many different keys there are, as ESTIMATE<tab>LOWER<tab>UPPER, and a summary to"
          + " standard error. With --group it prints a line for each group, which ends with"
          + " <tab>GROUP. With --exact it counts, and prints one number.",
      "An estimate takes 16 KiB, however many keys there are. -o saves it as an HLL sketch of Apache"
          + " DataSketches; such files, recognised by their content, are merged, and keys from"
          + " other files are added to them. With --group -o writes CSV, with the sketch of each"
          + " group in Base64."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom distinct access.log.gz",
      "  bloom distinct visits.csv --column user --group country --order count",
      "  bloom distinct mon.log --json-key .user -o mon.hll",
      "  bloom distinct mon.hll tue.hll",
      "  bloom distinct --exact ids.txt"
    })
public final class DistinctCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Files of keys or sketches, plain or compressed. None or -: keys from standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--group",
      paramLabel = "G",
      description =
          "Count for each value of this column, or with --json-key at this place of each line.")
  private @Nullable String group;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description =
          "Order of the groups: key (by bytes), count (highest first) or first (as they came)."
              + " Default: key.")
  private CountedKeys.@Nullable Order order;

  @Option(
      names = "--exact",
      description = "Exact results; keys that do not fit in memory go to a temporary file.")
  private boolean exact;

  @Mixin private AccuracyOptions accuracy = new AccuracyOptions();

  @Mixin private MemoryOption memoryLimit = new MemoryOption();

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  DistinctCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    inputOptions.check();
    checkOptions();
    output.check();
    output.replace(console, () -> count(console));
    return 0;
  }

  private Tally count(Console console) {
    Given given = Given.of(files);
    checkInputs(given);
    KeyInput input = given.hasKeys() ? new KeyInput(console, given.keys()) : null;
    if (input != null && output.isGiven() && input.contains(output.path())) {
      throw new Problem(Octets.name(output.path()) + ": is read as well; write to another file");
    }
    try (Tally tally = tally(given)) {
      if (input != null) {
        boolean bar = reporting.isBarWanted(console, false);
        try (Progress progress = new Progress(console, bar, input.bytes())) {
          input.read(reading(), tally, progress);
        }
      }
      tally.finish();
      if (output.isGiven() && tally instanceof SketchTally sketches) {
        save(sketches, output.path());
      }
      DistinctReport report =
          new DistinctReport(tally, exact ? 0 : accuracy.sigmas(), inputOptions.badRows());
      if (group != null) {
        report.printGroups(console, order(), reporting.isJson());
      }
      if (group == null) {
        console.print(reporting.isJson() ? report.json() : report.line());
      }
      if (!reporting.isQuiet()) {
        summarise(console, report);
      }
      return tally;
    }
  }

  private void summarise(Console console, DistinctReport report) {
    if (!reporting.isJson()) {
      console.out().flush();
      console.say(group == null ? report.sentence() : report.groupsSentence());
    } else if (group != null) {
      console.print(report.groupsJson());
    }
  }

  private CountedKeys.Order order() {
    return order == null ? CountedKeys.Order.KEY : order;
  }

  private void checkOptions() {
    if (exact && (output.isGiven() || accuracy.isGiven())) {
      throw new Problem(
          "--exact has no sketch; it does not go with -o, --lg-k, --error and --confidence");
    }
    if (order != null && group == null) {
      throw new Problem("--order is for --group");
    }
    accuracy.lgK();
    accuracy.sigmas();
    reading();
  }

  private void checkInputs(Given given) {
    if (!given.hasStored()) {
      return;
    }
    if (exact) {
      throw new Problem("a sketch has no keys to count exactly; leave out --exact");
    }
    if (accuracy.isSizeGiven()) {
      throw new Problem("a stored sketch has its size already; leave out --lg-k and --error");
    }
    if (!given.sketches().isEmpty() && group != null) {
      throw new Problem("a sketch has no groups; leave out --group, or give what -o wrote with it");
    }
    if (!given.groups().isEmpty() && group == null) {
      throw new Problem(
          Octets.name(given.groups().get(0))
              + ": has sketches of groups; --group group merges those");
    }
  }

  private Tally tally(Given given) {
    long memory = memoryLimit.bytes();
    if (exact) {
      Groups groups = new Groups(group != null, memory / 2);
      return new ExactTally(groups, memory / 2, RunHash.hasher());
    }
    Groups groups = new Groups(group != null, memory);
    SketchTally tally =
        new SketchTally(groups, reading().keys(), accuracy.lgK(), accuracy.sigmas());
    given.sketches().forEach(stored -> tally.merge(0, stored));
    given.groups().forEach(stored -> GroupFile.read(stored, tally));
    return tally;
  }

  private Reading reading() {
    Reading reading =
        exact
            ? typing.canonical(inputOptions.reading((Hasher) null))
            : typing.reading(inputOptions, null, new SketchKeys());
    return group == null ? reading : reading.of(grouped(reading.splitter(), group), null);
  }

  private static Splitter grouped(Splitter splitter, String place) {
    if (splitter instanceof ColumnSplitter rows) {
      return rows.withGroup(place);
    }
    if (splitter instanceof JsonSplitter lines) {
      return lines.withGroup(place);
    }
    throw new Problem("--group needs --column or --json-key, the key of a row");
  }

  private void save(SketchTally tally, Path file) {
    if (group != null) {
      GroupFile.write(tally, file);
      return;
    }
    byte[] sketch = HllFormat.write(tally.sketch(0), HllFormat.Width.HLL_4);
    Saving.save(target -> AtomicFile.write(target, out -> out.write(sketch)), file);
  }
}
