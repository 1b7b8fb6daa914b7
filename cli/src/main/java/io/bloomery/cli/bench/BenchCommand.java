package io.bloomery.cli.bench;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import io.bloomery.tools.file.MachineFile;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom bench}: how fast filters are on this machine. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Measures filters on this machine: nanoseconds to build, add and look up, one by one and in"
          + " batches, bits per key and the false-positive rate.",
      "Times are medians of rounds, with the least and the most, of the processor time of one"
          + " thread, with random hashes, so that they do not include the hashing of keys. All"
          + " filters are warmed up before the first is timed, and timed in turn. Beside the times"
          + " of queries is what bloom plan predicts.",
      "With --save it then measures how fast this machine reads, and saves that for bloom plan in"
          + " machine.properties in $XDG_CONFIG_HOME/bloomery or ~/.config/bloomery. What bloom build"
          + " makes does not depend on it."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom bench --kinds blocked,bloom,fuse -n 10M",
      "  bloom bench --kinds cuckoo -p 0.1%% --rounds 15 --json",
      "  bloom bench seen.bloom"
    })
public final class BenchCommand implements Callable<Integer> {

  private static final double DEFAULT_RATE = 0.01;
  private static final long MOST_KEYS = 200_000_000;

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILTER",
      description = "Filters to query; they are not changed.")
  private List<Path> filters = new ArrayList<>();

  @Option(
      names = "--kinds",
      paramLabel = "KIND",
      split = ",",
      completionCandidates = FilterChoice.Names.class,
      description =
          "Kinds of filter, named as in bloom plan, separated by commas. Default: blocked,bloom,fuse"
              + " unless filters are given.")
  private List<String> kinds = new ArrayList<>();

  @Option(
      names = {"-n", "--keys"},
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of distinct keys in each filter, up to 200M. Default: 1M.")
  private long keys = 1_000_000;

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description = "False-positive rate that filters are made for. Default: 1%%.")
  private double rate = DEFAULT_RATE;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      description = "Number of timed rounds, 3 to 99. Default: 7.")
  private int rounds = 7;

  @Option(
      names = "--save",
      description = "Save the speed of this machine, from which bloom plan then predicts times.")
  private boolean save;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  BenchCommand() {}

  @Override
  public Integer call() {
    if (rounds < 3 || rounds > 99) {
      throw new Problem("--rounds is " + rounds + "; it must be 3 to 99");
    }
    if (keys > MOST_KEYS) {
      throw new Problem(
          "-n is %s; it must be at most %s".formatted(Text.count(keys), Text.count(MOST_KEYS)));
    }
    if (kinds.isEmpty() && filters.isEmpty()) {
      kinds = List.of("blocked", "bloom", "fuse");
    }
    List<BenchSubject> subjects = new ArrayList<>();
    Planner planner = MachineFile.planner(program.console()::warn);
    for (String kind : kinds) {
      FilterChoice choice = FilterChoice.named(kind, Needs.forKeys(keys, rate));
      subjects.add(BenchSubject.ofKind(choice, planner));
    }
    for (Path path : filters) {
      subjects.add(BenchSubject.ofFile(path, FilterFile.map(path, true, keyFile, format).filter()));
    }
    BenchRun run = new BenchRun(subjects, rounds);
    run.measure();
    String separator = "";
    for (BenchSubject subject : subjects) {
      BenchReport report = new BenchReport(subject, run);
      program.console().print(reporting.isJson() ? report.json() : separator + report.text());
      separator = "\n";
    }
    if (save) {
      keep(new Calibration().machine());
    }
    return 0;
  }

  private void keep(Planner.Machine machine) {
    Path path = MachineFile.path();
    try {
      MachineFile.write(MachineFile.plausible(machine));
      program
          .console()
          .say(
              "bloom plan now predicts times from the speed of this machine: " + Octets.name(path));
    } catch (IllegalArgumentException e) {
      program.console().warn(e.getMessage() + ": is the machine busy? Its speed was not saved");
    } catch (IOException e) {
      program.console().warn(Problem.with(path, e).getMessage() + "; its speed was not saved");
    }
  }
}
