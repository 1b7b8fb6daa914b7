package io.bloomery.cli.build;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.FilterChoice;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.NeedOptions;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.StampOption;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.cli.option.WeightsOption;
import io.bloomery.foreign.AddableForeignFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Need;
import io.bloomery.plan.Planner;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.spill.RunHash;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom build}: builds a filter from the lines of files. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Builds a filter from keys, one per line, and prints what was built.",
      "The planner chooses the kind for the needs you give; --kind names one. Without -n the"
          + " keys are counted first, exactly: with 8 bytes of memory per key up to 16 million keys,"
          + " and a temporary file of that size beyond."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom build words.txt.gz -o words.bloom",
      "  cut -f3 *.tsv | bloom build -o urls.bloom --rate 0.1%%",
      "  bloom build ids.txt -o ids.bloom --frozen -p 0.001",
      "  bloom build users.csv --column email --deletes -o users.bloom",
      "  bloom build big.txt.zst -n 1e9 --memory 1GiB -o big.bloom",
      "  bloom build ids.txt --weights queries.log -o ids.bloom",
      "  bloom build times.txt --type int64 --ranges 3600 --frozen -o times.bloom",
      "  bloom build ids.txt --format spark -o ids.spark",
      "  (umask 077; openssl rand -hex 16 >secret)",
      "  bloom build users.txt -o users.bloom --secret-file secret"
    })
public final class BuildCommand implements Callable<Integer> {

  private static final double DEFAULT_RATE = 0.01;

  /** The size of the filter. */
  static final class Size {
    @Option(
        names = {"-p", "--rate"},
        paramLabel = "P",
        converter = Converters.Rate.class,
        description = "False-positive rate to promise, 0.01 or 1%%. Default: 1%%.")
    private @Nullable Double rate;

    @Option(
        names = "--bits-per-key",
        paramLabel = "B",
        description = "Size instead of a rate, for example 10 or 12.5.")
    private @Nullable Double bitsPerKey;

    @Option(
        names = {"-m", "--memory"},
        paramLabel = "SIZE",
        converter = Converters.Bytes.class,
        description = "Size of the filter instead of a rate: 64M, 1GiB.")
    private @Nullable Long memory;
  }

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Files of keys, plain or compressed (detected from the content). None or -: standard"
              + " input.")
  private List<String> files = new ArrayList<>();

  @Mixin private OutputOptions.Required output = new OutputOptions.Required();

  @Option(
      names = {"-n", "--keys"},
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of distinct keys to expect, 2500000 or 2.5M. Default: the number read.")
  private @Nullable Long keys;

  @ArgGroup(exclusive = true)
  private Size size = new Size();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      completionCandidates = FilterChoice.Names.class,
      description =
          "Kind of filter, or a variant that bloom plan names: ${COMPLETION-CANDIDATES}. Default:"
              + " the planner's choice.")
  private @Nullable String kind;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      completionCandidates = ForeignBuild.Names.class,
      description =
          "Format of another system to write, which that system reads: ${COMPLETION-CANDIDATES}.")
  private @Nullable String format;

  @Mixin private NeedOptions needOptions = new NeedOptions();

  @Mixin private WeightsOption weights = new WeightsOption();

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = Converters.Seed.class,
      description = "Seed of the hash function: any 64-bit number, or 0x…. Default: 0.")
  private @Nullable Long seed;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private StampOption stamp = new StampOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  BuildCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    checkOptions();
    Planner planner = Planner.standard(); // untuned: the same file on every machine
    output.check();
    KeyInput input = new KeyInput(console, files);
    if (Files.exists(output.path()) && input.contains(output.path())) {
      throw new Problem(output.path(), "is also the input");
    }
    boolean bar = reporting.isBarWanted(console, false);
    if (format != null) {
      return buildForeign(format, console, input, bar);
    }
    BuildReport report;
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      Reading reading = typing.reading(inputOptions, hasher());
      BuildRun run = new BuildRun(input, reading, progress);
      BuildRun.Result result =
          weights.isGiven() // read before the keys, to fail early
              ? run.weighted(choice(planner), weights.read(console, reading, bytes -> {}))
              : isOrdered() ? run.ordered(choice(planner)) : run.run(choice(planner));
      progress.phase("writing");
      Description description = description(result, reading);
      save(console, target -> Filters.write(result.storable(), description, target));
      report = new BuildReport(result, inputOptions.badRows(), output.path());
    }
    report.warnings(keys).forEach(console::warn);
    reporting.print(console, report::text, report::json);
    return 0;
  }

  /** What the file records about its keys. */
  private Description description(BuildRun.Result result, Reading reading) {
    Description keys =
        typing.stamp(Description.NONE.with(Description.KEY_TYPE, typing.name(reading)));
    String columns = String.join(",", inputOptions.columns());
    if (!columns.isEmpty()
        && Octets.isText(columns)
        && columns.getBytes(UTF_8).length <= Description.MAX_TEXT_BYTES) {
      keys = keys.with(Description.COLUMN, columns);
    }
    keys = keys.with(Description.EXPECTED_KEYS, result.choice().needs().keys());
    double rate = result.choice().promisedRate();
    return stamp.stamp(rate > 0 && rate <= 1 ? keys.with(Description.PROMISED_RATE, rate) : keys);
  }

  private int buildForeign(String name, Console console, KeyInput input, boolean bar) {
    ForeignBuild build = new ForeignBuild(name, keys, rate());
    AddableForeignFilter filter;
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      Reading reading = typing.reading(inputOptions, RunHash.hasher(), build.keyCoding());
      filter = build.run(input, reading, progress);
      progress.phase("writing");
      save(console, filter::writeTo);
    }
    build.warning(filter).ifPresent(console::warn);
    Report report = build.report(filter, output.path());
    reporting.print(
        console, () -> report.text("Built " + Octets.name(output.path())), report::json);
    return 0;
  }

  /**
   * Saves the file once no other command is changing it, which would otherwise overwrite the new
   * one.
   */
  private void save(Console console, Saving.Writer writer) {
    output.replace(
        console,
        () -> {
          Saving.save(writer, output.path());
          return null;
        });
  }

  private BuildChoice choice(Planner planner) {
    return new BuildChoice(
        planner,
        Optional.ofNullable(kind),
        isOrdered() ? typing.ordered(needOptions.purpose()) : needOptions.purpose(),
        new BuildSize(
            rate(),
            size.bitsPerKey == null ? OptionalDouble.empty() : OptionalDouble.of(size.bitsPerKey),
            size.memory == null ? OptionalLong.empty() : OptionalLong.of(size.memory)),
        keys == null ? OptionalLong.empty() : OptionalLong.of(keys));
  }

  private boolean isOrdered() {
    return needOptions.given().contains(Need.RANGES);
  }

  private void checkOptions() {
    inputOptions.check();
    stamp.check();
    needOptions.purpose();
    if (size.bitsPerKey != null && !(size.bitsPerKey > 0 && size.bitsPerKey <= 1000)) {
      throw new Problem(
          "--bits-per-key is " + size.bitsPerKey + "; it must be above 0, up to 1000");
    }
    if (seed != null && keyFile.isGiven()) {
      throw new Problem("--seed and --secret-file exclude each other: a keyed filter has no seed");
    }
    Set<Need> given = needOptions.given();
    if (given.contains(Need.CLOSED_UNIVERSE)) {
      throw new Problem(
          "--closed-universe needs all keys that exist, including those that are not in the set, and"
              + " bloom build reads only the set; FilterCascade of the library takes both");
    }
    for (Need need : List.of(Need.HOSTILE_INPUT, Need.PRIVATE)) {
      if (given.contains(need) && !keyFile.isGiven()) {
        throw new Problem(
            "%s needs a secret that %s does not know: (umask 077; openssl rand -hex 16 >secret); bloom build %s --secret-file secret …"
                .formatted(
                    NeedOptions.option(need),
                    need == Need.PRIVATE ? "whoever gets the filter" : "whoever chooses keys",
                    NeedOptions.option(need)));
      }
    }
    weights.check();
    WeightedOptions.check(weights, kind, given, files);
    boolean shaped = size.bitsPerKey != null || size.memory != null;
    boolean hashed = seed != null || keyFile.isGiven();
    if (format != null
        && (kind != null || !given.isEmpty() || shaped || hashed || weights.isGiven())) {
      throw new Problem(
          "--format takes -n and --rate only: the other system chooses kind, size and hash");
    }
    if (needOptions.hasPreference() && (kind != null || format != null)) {
      throw new Problem("--prefer is for the planner's choice, not for --kind or --format");
    }
    Optional<Need> chosen = given.stream().filter(need -> need != Need.RANGES).findFirst();
    if (kind != null && chosen.isPresent()) {
      throw new Problem(
          "--kind and %s exclude each other: for a need the planner chooses the kind"
              .formatted(NeedOptions.option(chosen.get())));
    }
    if (given.contains(Need.RANGES) && weights.isGiven()) {
      throw new Problem("--weights and --ranges exclude each other: no filter here does both");
    }
  }

  private Hasher hasher() {
    if (keyFile.isGiven()) {
      return keyFile.newHasher();
    }
    return seed == null ? Hasher.xxh3() : Hasher.xxh3(seed);
  }

  private double rate() {
    return size.rate == null ? DEFAULT_RATE : size.rate;
  }
}
