package io.bloomery.cli;

import io.bloomery.cli.console.Failures;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.console.WordsCommand;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.ForeignReport;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.IndexOfFiles;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.file.VerifyOption;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.distinct.SketchFile;
import io.bloomery.tools.file.FilterSource;
import io.bloomery.tools.file.ParquetInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom info}: shows what is in a filter's file. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints the header of filters in words, and what follows from their bits: how full they are"
          + " and which false-positive rate to expect now. The format of files of other systems is"
          + " detected from their content; --format names it where that is not enough.",
      "Every byte is checked. With --no-verify only the header, its checksum and the file's length"
          + " are; nothing is then computed from the bits."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom info words.bloom",
      "  bloom info --no-verify *.bloom",
      "  bloom info --json words.bloom | jq .expectedRate",
      "  bloom info --format spark filter.bin",
      "  bloom info sales.parquet"
    })
final class InfoCommand implements Callable<Integer>, WordsCommand {

  @ParentCommand private Program program;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILTER",
      description =
          "Filters of Bloomery or of other systems, plain or compressed; -: standard input.")
  private List<Path> filters = new ArrayList<>();

  @Mixin private VerifyOption verifying = new VerifyOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Override
  public int call(Program parent, List<String> words) {
    program = parent;
    for (String word : words) {
      filters.add(Octets.path(word));
    }
    return call();
  }

  @Override
  public Integer call() {
    verifying.check();
    Console console = program.console();
    int code = 0;
    String separator = "";
    for (Path path : filters) {
      try {
        String text = FilterSource.read(console, path, file -> describe(path, file));
        console.print((reporting.isJson() ? "" : separator) + text);
        separator = "\n";
      } catch (Problem e) {
        console.out().flush();
        code = Failures.report(console, e);
      }
    }
    return code;
  }

  /** Describes a file, which may be a copy of the one that was named. */
  private String describe(Path named, Path file) {
    return describe(file).replace(Octets.name(file), FilterSource.name(named));
  }

  private String describe(Path path) {
    if (!format.isGiven() && IndexOfFiles.is(path)) {
      return IndexOfFiles.describe(path, verifying.isWanted(), reporting.isJson());
    }
    if (format.isForeign(path)) {
      if (keyFile.isGiven()) {
        throw new Problem(path, "made without a secret key; leave out --secret-file");
      }
      if (!format.isGiven() && ParquetInput.isParquet(path)) {
        ParquetReport report = new ParquetReport(ParquetInput.open(path));
        return reporting.isJson() ? report.json() : report.text(program.console().tableColumns());
      }
      SketchFile sketch = format.isGiven() ? null : SketchFile.read(path);
      if (sketch != null) {
        SketchReport report = new SketchReport(path, sketch);
        return reporting.isJson() ? report.json() : report.text();
      }
      ForeignReport report = new ForeignReport(path, format.open(path));
      return reporting.isJson() ? report.json() : report.text();
    }
    FilterFile file = FilterFile.read(path, false);
    if (keyFile.isGiven() && !verifying.isWanted()) {
      throw new Problem("--no-verify asks the filter nothing; leave out --secret-file");
    }
    boolean verified = verifying.isWanted();
    boolean open = verified && (keyFile.isGiven() || !file.header().isKeyed());
    if (verified && !open) {
      file = FilterFile.read(path, true);
    }
    InfoReport report = new InfoReport(file, verified, open ? file.map(keyFile, true) : null);
    return reporting.isJson() ? report.json() : report.text();
  }
}
