package io.bloomery.cli.plan;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.NeedOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.option.WeightsOption;
import io.bloomery.plan.Need;
import io.bloomery.plan.Popularity;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.MachineFile;
import io.bloomery.tools.input.LineSplitter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.RunHash;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code bloom plan}: which filter to use, how large, and why. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Lists the kinds of filter that meet your needs, with their sizes and false-positive rates;"
          + " the best first, with the reason.",
      "Exit code: 0 there is a plan, 1 no kind meets all needs, 2 error."
    },
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom plan -n 1e9 --rate 0.1%% --deletes --memory 2G",
      "  bloom plan -n 50M --memory 64MiB --frozen --all",
      "  bloom plan -n 1M --counts --json | jq -r '.plans[0].kind'",
      "  bloom plan -n 1M --weights queries.log --prefer size",
      "  bloom plan -n 1M --explain cuckoo"
    })
public final class PlanCommand implements Callable<Integer> {

  private static final double DEFAULT_RATE = 0.01;
  private static final int FIRST = 5;

  @ParentCommand private Program program;

  @Option(
      names = {"-n", "--keys"},
      required = true,
      paramLabel = "N",
      converter = Converters.ManyKeys.class,
      description = "Number of distinct keys: 2500000, 2.5M or 1e9, up to 1e15.")
  private long keys;

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description = "False-positive rate, 0.001 or 0.1%%. Default: 1%% unless --memory is given.")
  private @Nullable Double rate;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description =
          "Size of the largest filter allowed, 2G or 64MiB. With --rate: kinds that need more are left"
              + " out. Alone: the best rate that fits.")
  private @Nullable Long memory;

  /** The option's former name. */
  @Option(names = "--ram", hidden = true, converter = Converters.Bytes.class)
  void setMemory(Long former) {
    memory = former;
  }

  @Option(
      names = "--universe",
      paramLabel = "U",
      converter = Converters.Universe.class,
      description = "Keys are whole numbers below U; with --closed-universe: all keys that exist.")
  private @Nullable Long universe;

  @Mixin private NeedOptions needs = new NeedOptions();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Number of threads that add keys at once; with several, kinds whose writers need a lock"
              + " are left out. Default: 1.")
  private @Nullable Integer threads;

  @Mixin private WeightsOption weights = new WeightsOption();

  @Option(
      names = {"-a", "--all"},
      description = "List all plans. Default: the best of each of the first " + FIRST + " kinds.")
  private boolean all;

  @Option(names = "--smallest", description = "List by size, the smallest first.")
  private boolean smallest;

  @Option(
      names = "--explain",
      paramLabel = "KIND",
      completionCandidates = FilterChoice.Names.class,
      description = "Explain the rank of this kind in the list, or why it is missing.")
  private @Nullable String explain;

  @Mixin private ReportOptions reporting = new ReportOptions();

  PlanCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    if (needs.given().contains(Need.CLOSED_UNIVERSE) && universe == null) {
      throw new Problem("--closed-universe needs --universe U: how many keys there are in all");
    }
    weights.check();
    if (threads != null && threads < 1) {
      throw new Problem("--threads is " + threads + "; it must be 1 or more");
    }
    PlanRun run = new PlanRun(MachineFile.planner(console::warn), question(console), smallest);
    if (explain != null) {
      PlanExplanation explanation = new PlanExplanation(run, explain);
      console.print(reporting.isJson() ? explanation.json() : explanation.text() + "\n");
      return explanation.isListed() ? 0 : 1;
    }
    PlanReport report = new PlanReport(run, console.size().columns());
    console.print(reporting.isJson() ? report.json() : all ? report.all() : report.kinds(FIRST));
    return run.plans().isEmpty() ? 1 : 0;
  }

  private PlanRun.Question question(Console console) {
    OptionalDouble target =
        rate != null
            ? OptionalDouble.of(rate)
            : memory == null ? OptionalDouble.of(DEFAULT_RATE) : OptionalDouble.empty();
    return new PlanRun.Question(
        keys,
        target,
        memory == null ? OptionalLong.empty() : OptionalLong.of(memory),
        universe == null ? OptionalLong.empty() : OptionalLong.of(universe),
        popularity(console),
        threads != null && threads > 1 ? needs.purpose().with(Need.MANY_WRITERS) : needs.purpose());
  }

  /** How queries are distributed over keys, by Zipf's law or a file. */
  private Optional<Popularity> popularity(Console console) {
    if (weights.isLaw()) {
      return Optional.of(weights.law(2 * keys));
    }
    Reading lines = new Reading(new LineSplitter(), RunHash.hasher(), false);
    return weights.isGiven()
        ? Optional.of(weights.read(console, lines, bytes -> {}).build().popularity())
        : Optional.empty();
  }
}
