package io.bloomery.cli.combine;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.option.StampOption;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom merge}: one filter of the keys of several filters. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Makes one filter of the keys of several, which must be of one kind, shape and hash:"
          + " built with the same --kind, -n, --rate and --seed. Only the filters are read.",
      "OUT may be one of the filters. The result is as large as one of them and as full as all, so"
          + " its rate is higher; it is printed, with a warning above 5%%.",
      "Filters of kind blocked may have different sizes: they become layers of one filter, as large"
          + " as all of them, whose rate is at most the sum of theirs."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom build mon.txt -n 5M -o mon.bloom",
      "  bloom build tue.txt -n 5M -o tue.bloom",
      "  bloom merge mon.bloom tue.bloom -o week.bloom",
      "  bloom merge --layers day-*.bloom -o week.bloom"
    })
public final class MergeCommand implements Callable<Integer> {

  private static final double BAD_RATE = 0.05;

  @ParentCommand private Program program;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILTER",
      description = "Filters of one kind and shape, Bloomery's or of one other system.")
  private List<Path> filters = new ArrayList<>();

  @Mixin private OutputOptions.Required output = new OutputOptions.Required();

  @Option(
      names = "--layers",
      description =
          "Keep filters of kind blocked as layers of one, also those of the same size: rates add"
              + " up, as sizes do.")
  private boolean layers;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private MixOption mixing = new MixOption();

  @Mixin private StampOption stamp = new StampOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  MergeCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    output.check();
    stamp.check();
    Combination merged = output.replace(console, this::merge);
    CombinationReport report = new CombinationReport(merged);
    report.estimate("estimated keys", "estimatedKeys", merged.result().keys(), "key");
    report.describeFile(output.path());
    merged.doubt().ifPresent(line -> console.say("bloom: " + line));
    warn(console, merged);
    String title =
        "Merged " + Text.count(filters.size(), "filter") + " into " + Octets.name(output.path());
    reporting.print(console, () -> report.text(title), report::json);
    return 0;
  }

  private Combination merge() {
    Combination merged =
        layers
            ? Combination.stacked(filters, keyFile, format, mixing.isGiven())
            : Combination.of(
                Combination.Operation.MERGE, filters, keyFile, format, mixing.isGiven());
    merged.save(output.path(), stamp);
    return merged;
  }

  private void warn(Console console, Combination merged) {
    double rate = merged.result().rate();
    double before = merged.parts().stream().mapToDouble(Combination.Part::rate).max().orElse(0);
    if (rate > BAD_RATE && rate > before) {
      OptionalDouble layered = merged.rateOfLayers();
      boolean helps = layered.isPresent() && layered.getAsDouble() < rate;
      console.warn(
          "%s: expect %s false positives, %s before; %sbuild the filters for all keys (-n)"
              .formatted(
                  Octets.name(output.path()),
                  Text.percent(rate),
                  Text.percent(before),
                  helps
                      ? "merge with --layers for %s at most, or "
                          .formatted(Text.percent(layered.getAsDouble()))
                      : ""));
    }
  }
}
