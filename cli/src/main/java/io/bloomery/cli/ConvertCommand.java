package io.bloomery.cli;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.tools.file.FilterSource;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom convert}: a filter in another file format. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Writes a filter in another file format; OUT may be IN. Only exact conversions are made: the"
          + " new file gives every answer that the old one gives.",
      "Bits are meaningful only with the hash function that chose them. So a filter of one"
          + " system never becomes that of another; the error says how to build it from the keys."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom convert seen.bloom -o seen.small --to compressed-bloom",
      "  bloom convert crlite.mlbf -o crlite-v2.mlbf --to mozilla-cascade-v2",
      "  bloom convert sales.parquet -o city.sbbf --from parquet:0:city"
    })
final class ConvertCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description =
          "A filter of Bloomery or of another system, plain or compressed; -: standard input.")
  private Path input;

  @Mixin private OutputOptions.Required output = new OutputOptions.Required();

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      completionCandidates = Conversion.Names.class,
      description =
          "Format of IN: a name as in --to, or parquet:GROUP:COLUMN. Default: detected from"
              + " its magic number.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      completionCandidates = Conversion.Names.class,
      description =
          "Format of OUT, or a kind of Bloomery's: ${COMPLETION-CANDIDATES}. Default: that of IN,"
              + " in a file of its own.")
  private @Nullable String to;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  @Override
  public Integer call() {
    output.check();
    Report report =
        FilterSource.read(
            program.console(),
            input,
            path -> output.replace(program.console(), () -> convert(path)));
    String title = "Converted " + FilterSource.name(input) + " to " + Octets.name(output.path());
    reporting.print(program.console(), () -> report.text(title), report::json);
    return 0;
  }

  private Report convert(Path path) {
    Conversion conversion = Conversion.open(path, from, keyFile);
    String target = to == null ? conversion.defaultTarget() : to;
    Saving.Writer writer = conversion.to(target);
    long before = size(path);
    Saving.save(writer, output.path());
    return report(conversion.from(), target, before, size(output.path()));
  }

  private Report report(String source, String target, long before, long after) {
    return new Report()
        .row("from", "%s, %s".formatted(source, Text.bytes(before)))
        .row("to", "%s, %s".formatted(target, Text.bytes(after)))
        .row("answers", "the same for every key")
        .value("input", FilterSource.name(input))
        .value("output", Octets.name(output.path()))
        .value("from", source)
        .value("to", target)
        .value("inputBytes", before)
        .value("outputBytes", after);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }
}
