package io.bloomery.cli.combine;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.option.StampOption;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom intersect}: a filter of the keys that are in all of several filters. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Makes one filter of the keys that are in all of several filters of one kind, shape and"
          + " hash, and estimates how many keys they share.",
      "No common key is lost. A key of only one of them is still reported at the rate of the"
          + " others, so a filter built from the common keys would be better."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom intersect mon.bloom tue.bloom -o both.bloom",
      "  bloom intersect mon.bloom tue.bloom --count"
    })
public final class IntersectCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      arity = "2..*",
      paramLabel = "FILTER",
      description =
          "Filters of one kind and shape, in which the bits of a key depend on that key alone.")
  private List<Path> filters = new ArrayList<>();

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Mixin private CountOption counting = new CountOption();

  @Option(names = "--count-only", hidden = true)
  private boolean countOnly;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private MixOption mixing = new MixOption();

  @Mixin private StampOption stamp = new StampOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  IntersectCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    boolean countOnly = this.countOnly || counting.isGiven();
    if (output.isGiven() == countOnly) {
      throw new Problem(
          countOnly
              ? "--count writes no filter; leave out -o"
              : "say where to write the filter (-o OUT), or --count");
    }
    output.check();
    stamp.check();
    CombinationReport report = output.replace(console, this::intersect);
    String count = Text.count(filters.size(), "filter");
    String title =
        output.isGiven()
            ? "Intersected " + count + " into " + Octets.name(output.path())
            : "Intersection of " + count;
    if (countOnly) { // the result, not a summary
      console.print(reporting.isJson() ? report.json() : report.text(title));
    } else {
      reporting.print(console, () -> report.text(title), report::json);
    }
    return 0;
  }

  private CombinationReport intersect() {
    Combination common = combine(Combination.Operation.INTERSECT);
    CombinationReport report = new CombinationReport(common);
    describeSizes(report, common);
    if (output.isGiven()) {
      common.save(output.path(), stamp);
      report.describeFile(output.path());
      common.doubt().ifPresent(line -> program.console().say("bloom: " + line));
    }
    return report;
  }

  private Combination combine(Combination.Operation operation) {
    return Combination.of(operation, filters, keyFile, format, mixing.isGiven());
  }

  private void describeSizes(CombinationReport report, Combination common) {
    double union = combine(Combination.Operation.MERGE).result().knownKeys();
    report.estimate("keys in any", "estimatedUnion", union, "key");
    if (filters.size() > 2) {
      report.estimate(
          "keys in all, at most", "estimatedIntersectionAtMost", common.result().keys(), "key");
      return;
    }
    double both = common.parts().stream().mapToDouble(Combination.Part::knownKeys).sum() - union;
    if (Double.isNaN(both) || Double.isInfinite(both)) {
      report.fact("keys in both", "not known: every bit is set", "estimatedIntersection", null);
      return;
    }
    both = Math.max(0, both);
    double similarity = union == 0 ? 0 : Math.min(1, both / union);
    report.estimate("keys in both", "estimatedIntersection", both, "key");
    report.fact(
        "similarity",
        String.format(Locale.ROOT, "%.3f of all keys are in both (Jaccard)", similarity),
        "jaccard",
        similarity);
  }
}
