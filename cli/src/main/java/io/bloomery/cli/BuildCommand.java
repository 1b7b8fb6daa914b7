package io.bloomery.cli;

import io.bloomery.hash.Hasher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom build}: makes a filter of the lines of files. */
@Command(
    name = "build",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Builds a filter of keys, one a line, and prints what was built.",
      "A key is the bytes of a line without its end (\\n"
          + " or \\r"
          + "\\n"
          + "). Without -n the keys are counted first, exactly: 8 bytes of memory a key up to 16"
          + " million keys, a temporary file of as much beyond."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom build words.txt.gz -o words.bloom",
      "  cut -f3 *.tsv | bloom build -o urls.bloom --rate 0.1%%",
      "  bloom build ids.txt -o ids.bloom --kind bloom -n 10M -p 0.001",
      "  openssl rand -hex 16 >secret && \\",
      "    bloom build users.txt -o users.bloom --key-file secret"
    })
final class BuildCommand implements Callable<Integer> {

  private static final double DEFAULT_RATE = 0.01;

  /** How large the filter becomes. */
  static final class Size {
    @Option(
        names = {"-p", "--rate"},
        paramLabel = "P",
        converter = Converters.Rate.class,
        description = "Promised rate of false positives, 0.01 or 1%%. Default: 1%%.")
    private Double rate;

    @Option(
        names = "--bits-per-key",
        paramLabel = "B",
        description = "Size instead of a rate, for example 10 or 12.5.")
    private Double bitsPerKey;

    /** For picocli. */
    Size() {}
  }

  @ParentCommand private Main main;

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Files of keys, plain or gzip (told by their bytes). None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "OUT",
      description = "The file to write.")
  private Path output;

  @Option(
      names = {"-n", "--keys"},
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Room for so many different keys, 2500000 or 2.5M. Default: as many as there are.")
  private Long keys;

  @ArgGroup(exclusive = true)
  private Size size = new Size();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      completionCandidates = Kinds.Names.class,
      description = "Kind of filter: ${COMPLETION-CANDIDATES}. Default: blocked.")
  private String kind = Kinds.defaultName();

  @Option(
      names = "--block-bits",
      paramLabel = "BITS",
      description = "Width of a block of kind blocked: 64, 128, 256 or 512. Default: the best.")
  private int blockBits;

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = Converters.Seed.class,
      description = "Seed of the hash function. Default: 0.")
  private Long seed;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Option(names = "--keep-empty", description = "Empty lines are keys. Default: they are skipped.")
  private boolean keepEmpty;

  @Option(
      names = {"-f", "--force"},
      description = "Overwrite OUT if it exists.")
  private boolean force;

  @Option(names = "--no-progress", description = "Show no progress bar.")
  private boolean noProgress;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing but warnings and errors.")
  private boolean quiet;

  @Option(names = "--json", description = "Print what was built as one line of JSON.")
  private boolean json;

  /** For picocli. */
  BuildCommand() {}

  @Override
  public Integer call() {
    Console console = main.console();
    checkOptions();
    Saving.check(output, force);
    KeyInput input = new KeyInput(console, files);
    if (Files.exists(output) && input.contains(output)) {
      throw new Problem(output + ": is also the input");
    }
    boolean bar = !noProgress && !quiet && console.watched().getAsBoolean();
    BuildRun run = new BuildRun(this::filterFor, hasher(), keepEmpty);
    BuildRun.Result result;
    try (Progress progress = new Progress(console.err(), bar, input.bytes())) {
      result = keys == null ? run.counting(input, progress) : run.streaming(input, progress, keys);
      progress.phase("writing");
      Saving.save(result.fresh().storable(), output);
    }
    BuildReport report = new BuildReport(result, output, promisedRate(result));
    report.warnings(keys).forEach(console::warn);
    if (!quiet) {
      console.print(json ? report.json() : report.text());
    }
    return 0;
  }

  private void checkOptions() {
    Kinds.check(kind, size.bitsPerKey != null, blockBits != 0);
    if (size.bitsPerKey != null && !(size.bitsPerKey > 0 && size.bitsPerKey <= 1000)) {
      throw new Problem(
          "--bits-per-key is " + size.bitsPerKey + "; it must be above 0, up to 1000");
    }
    if (seed != null && keyFile.isGiven()) {
      throw new Problem("--seed and --key-file exclude each other: a keyed filter has no seed");
    }
  }

  private Hasher hasher() {
    Hasher keyed = keyFile.hasher();
    if (keyed != null) {
      return keyed;
    }
    return seed == null ? Hasher.xxh3() : Hasher.xxh3(seed);
  }

  private Kinds.Fresh filterFor(long count, Hasher hasher) {
    long expected = Math.max(1, count);
    if (size.bitsPerKey != null) {
      long bits = Math.max(Math.max(64, blockBits), (long) (expected * size.bitsPerKey));
      return Kinds.make(kind, new Kinds.Wish(expected, 0, bits, blockBits, hasher));
    }
    return Kinds.make(kind, new Kinds.Wish(expected, rate(), 0, blockBits, hasher));
  }

  private double rate() {
    return size.rate == null ? DEFAULT_RATE : size.rate;
  }

  private double promisedRate(BuildRun.Result result) {
    return size.bitsPerKey == null
        ? rate()
        : result.fresh().shape().falsePositiveRate(result.sizedFor());
  }
}
