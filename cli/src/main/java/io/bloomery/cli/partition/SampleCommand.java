package io.bloomery.cli.partition;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.RecordOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.TypeConversionException;

/** {@code bloom sample}: keeps all rows of a share of the keys. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints all rows of a share of the keys, in the order of the input, and a summary to standard"
          + " error.",
      "The keys are the same for every file and in every run, so that samples of two files still"
          + " join; those of a smaller share are among those of a larger one."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom sample --by key 1%% urls.txt.gz -o sample.txt",
      "  bloom sample 5%% orders.csv --column customer >some-orders.csv"
    })
public final class SampleCommand implements Callable<Integer> {

  /**
   * Differs from the seeds of filters and of {@code bloom partition}, whose parts can be sampled.
   */
  private static final long SEED = 2;

  /** A share from 0 to 1: {@code 0.01} or {@code 1%}. */
  static final class Share implements ITypeConverter<BigDecimal> {
    private static final int MOST_LETTERS = 40;

    @Override
    public BigDecimal convert(String text) {
      boolean percent = text.endsWith("%");
      BigDecimal share = null;
      try {
        if (text.length() <= MOST_LETTERS && !text.matches(".*[eE].*")) {
          share = new BigDecimal(percent ? text.substring(0, text.length() - 1) : text);
        }
      } catch (NumberFormatException e) {
        share = null;
      }
      if (share == null) {
        throw new TypeConversionException("'" + text + "' is not a share such as 0.01 or 1%");
      }
      share = percent ? share.movePointLeft(2) : share;
      if (share.signum() < 0 || share.compareTo(BigDecimal.ONE) > 0) {
        throw new TypeConversionException("a share is 0 to 1 (100%), not " + text);
      }
      return share;
    }
  }

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "SHARE",
      converter = Share.class,
      description = "Share of the keys: 1%% or 0.01, from 0 to 100%%.")
  private BigDecimal share;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "Files of rows, plain or compressed (detected from the content). None or -: standard"
              + " input.")
  private List<String> files = new ArrayList<>();

  @Mixin private ByKey by = new ByKey();

  @Option(
      names = "--seed",
      paramLabel = "N",
      converter = Converters.Seed.class,
      description = "Seed of the hash function: any 64-bit number, or 0x…. Default: 2.")
  private Long seed = SEED;

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private CountOption counting = new CountOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  @Mixin private RecordOptions records = new RecordOptions();

  @Mixin private TypeOption typing = new TypeOption();

  SampleCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    if (reporting.isQuiet() && !isListing()) {
      throw new Problem("--quiet prints no summary; --count prints nothing else");
    }
    records.check();
    output.check();
    KeyInput input = new KeyInput(console, files);
    String report =
        output.write(
            console,
            results ->
                sample(console, input, isListing() || output.isGiven() ? results.out() : null));
    if (reporting.isQuiet()) {
      return 0;
    }
    if (!isListing() || reporting.isJson()) {
      console.print(report);
    } else {
      console.err().print(report);
      console.err().flush();
    }
    return 0;
  }

  private boolean isListing() {
    return !counting.isGiven();
  }

  private String sample(Console console, KeyInput input, @Nullable StandardOutput out) {
    long start = System.nanoTime();
    Reading reading = typing.typed(records.reading(out != null, Hasher.xxh3(seed), true));
    KeyPrinter json =
        out != null && reporting.isJson() && !output.isGiven()
            ? new KeyPrinter(out, reading.splitter())
            : null;
    SampleRun run = new SampleRun(share, new Rows(), out, json);
    boolean bar = reporting.isBarWanted(console, isListing() && !output.isGiven());
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      input.read(reading, run, progress);
    }
    if (out != null) {
      out.flush(); // no summary if the output failed
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return reporting.isJson() ? json(run, seconds) : text(run, seconds);
  }

  private String text(SampleRun run, double seconds) {
    Report report =
        new Report().row("rows read", Text.count(run.read())).row("kept", Text.count(run.kept()));
    if (records.badRows() > 0) {
      report.row("bad rows", Text.count(records.badRows()) + " skipped");
    }
    return report
        .row("time", String.format(Locale.ROOT, "%.2f s", seconds))
        .text("Sampled by " + by.word());
  }

  private String json(SampleRun run, double seconds) {
    return new Report()
        .value("share", share)
        .value("rowsRead", run.read())
        .value("rowsKept", run.kept())
        .value("badRows", records.badRows())
        .value("seed", seed)
        .value("seconds", seconds)
        .json();
  }
}
