package io.bloomery.cli.partition;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.RecordOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom partition}: divides rows among files by the hash of their key. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Divides rows among N files: all rows of a key go to one file, the same for every input and"
          + " in every run.",
      "OUT is the name of the files with %%d for their numbers from 0, or a directory; default:"
          + " part-%%d.txt. They get their names when all are complete. Each begins with the header"
          + " row, if there is one."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom partition --by key -n 16 urls.txt.gz -o urls-%%02d.txt",
      "  bloom partition orders.csv --column customer -n 4 -o orders-%%d.csv"
    })
public final class PartitionCommand implements Callable<Integer> {

  /** Beyond this, parts are many small files, with which a directory is slow. */
  private static final int MOST = 10_000;

  /**
   * Not 0, the seed of filters: with the same seed, the hashes of a part's keys would have similar
   * upper bits and fill only a small part of its filter.
   */
  private static final long SEED = 1;

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Files of rows, plain or compressed (detected from the content). None or -: standard"
              + " input.")
  private List<String> files = new ArrayList<>();

  @Mixin private ByKey by = new ByKey();

  @Option(
      names = {"-n", "--parts"},
      required = true,
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of files, up to 10000.")
  private Long parts;

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = Converters.Seed.class,
      description = "Seed of the hash function: any 64-bit number, or 0x…. Default: 1.")
  private Long seed = SEED;

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  @Mixin private RecordOptions records = new RecordOptions();

  @Mixin private TypeOption typing = new TypeOption();

  PartitionCommand() {}

  @Override
  public Integer call() {
    long start = System.nanoTime();
    Console console = program.console();
    records.check();
    if (parts > MOST) {
      throw new Problem("-n is " + parts + "; it must be 1 to " + MOST);
    }
    int count = Math.toIntExact(parts);
    PartNames names = PartNames.of(output.isGiven() ? output.path() : null);
    for (int part = 0; part < count; part++) {
      records.refuseRejectedRowsIn(names.file(part));
    }
    KeyInput input = new KeyInput(console, files);
    Reading reading = typing.typed(records.reading(true, Hasher.xxh3(seed), true));
    try (PartFiles made = new PartFiles(names, count, output.isForced())) {
      Rows rows = new Rows();
      PartitionRun run = new PartitionRun(made, rows, count);
      boolean bar = reporting.isBarWanted(console, false);
      try (Progress progress = new Progress(console, bar, input.bytes())) {
        input.read(reading, run, progress);
      }
      made.finish();
      double seconds = (System.nanoTime() - start) / 1e9;
      reporting.print(console, () -> text(names, run, seconds), () -> json(names, run, seconds));
    }
    return 0;
  }

  private String text(PartNames names, PartitionRun run, double seconds) {
    int count = Math.toIntExact(parts);
    Report report =
        new Report()
            .row("rows", Text.count(run.rows()))
            .row(
                "parts",
                "%s, %s to %s".formatted(Text.count(count), names.name(0), names.name(count - 1)))
            .row(
                "rows per part",
                "%s to %s".formatted(Text.count(run.fewest()), Text.count(run.most())));
    if (records.badRows() > 0) {
      report.row("bad rows", Text.count(records.badRows()) + " skipped");
    }
    return report
        .row("time", String.format(Locale.ROOT, "%.2f s", seconds))
        .text("Partitioned by " + by.word());
  }

  private String json(PartNames names, PartitionRun run, double seconds) {
    StringBuilder lines = new StringBuilder();
    for (int part = 0; part < parts; part++) {
      lines.append(
          new Report()
              .value("part", part)
              .value("file", names.name(part))
              .value("rows", run.rows(part))
              .json());
    }
    return lines
        .append(
            new Report()
                .value("parts", parts)
                .value("rows", run.rows())
                .value("fewestRows", run.fewest())
                .value("mostRows", run.most())
                .value("badRows", records.badRows())
                .value("seed", seed)
                .value("seconds", seconds)
                .json())
        .toString();
  }
}
