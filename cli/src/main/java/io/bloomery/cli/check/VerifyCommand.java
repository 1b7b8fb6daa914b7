package io.bloomery.cli.check;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FrameHeader.Description;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.IndexOfFiles;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.tools.file.FilterSource;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom verify}: whether a filter is undamaged and keeps its false-positive rate. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Checks every byte of a filter against its checksums; that it finds all keys of a file that"
          + " are in it; and that its false-positive rate, measured with keys that are not in it,"
          + " is the predicted one, within a 95 %% confidence interval.",
      "Exit code: 0 good, 1 damaged, a key is missing or the rate is too high, 2 error."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom verify words.bloom",
      "  bloom verify words.bloom --present words.txt.gz --absent others.txt",
      "  bloom verify words.bloom --absent others.txt --rate 1%% --json"
    })
public final class VerifyCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      paramLabel = "FILTER",
      description =
          "A filter of Bloomery or of another system, plain or compressed; -: standard input.")
  private Path filter;

  @Option(
      names = "--present",
      paramLabel = "FILE",
      description = "Keys that are in the filter. -: standard input.")
  private @Nullable String present;

  @Option(
      names = "--absent",
      paramLabel = "FILE",
      description = "Distinct keys that are not in the filter; the more, the better.")
  private @Nullable String absent;

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description = "False-positive rate to compare with. Default: the predicted one.")
  private @Nullable Double rate;

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  VerifyCommand() {}

  @Override
  public Integer call() {
    inputOptions.check();
    if (rate != null && absent == null) {
      throw new Problem("--rate is compared with a measured one; give --absent FILE too");
    }
    if (KeyInput.STANDARD_INPUT.equals(present) && KeyInput.STANDARD_INPUT.equals(absent)) {
      throw new Problem("--present and --absent cannot both be standard input");
    }
    if (FilterSource.isStandardInput(filter)
        && (KeyInput.STANDARD_INPUT.equals(present) || KeyInput.STANDARD_INPUT.equals(absent))) {
      throw new Problem("standard input cannot be both filter and keys; name a file of keys");
    }
    Verification findings = new Verification(FilterSource.name(filter));
    try {
      FilterSource.read(program.console(), filter, path -> verify(path, findings));
    } catch (Problem e) {
      if (!(e.getCause() instanceof FilterFormatException)) {
        throw e;
      }
      findings.damaged(String.valueOf(e.getMessage()));
    }
    program.console().print(reporting.isJson() ? findings.json() : findings.text());
    return findings.isGood() ? 0 : 1;
  }

  private Verification verify(Path path, Verification findings) {
    OpenFilter opened = open(path, findings);
    if (opened != null) {
      measure(opened, findings);
    }
    return findings;
  }

  /** The filter, with every byte verified; null if no keys will be looked up. */
  private @Nullable OpenFilter open(Path path, Verification findings) {
    boolean asked = present != null || absent != null;
    if (!format.isGiven() && IndexOfFiles.is(path)) {
      if (asked) {
        throw new Problem(
            path, "is an index; bloom find looks up keys, leave out --present and --absent");
      }
      int blocks = IndexOfFiles.verify(path);
      findings.sound("table and %s are sound".formatted(Text.count(blocks, "block")));
      return null;
    }
    if (format.isForeign(path)) {
      Filter foreign = format.open(path);
      findings.sound("none in a file of another system; it was read without errors");
      return new OpenFilter(path, foreign, Description.NONE);
    }
    FilterFile file = FilterFile.read(path, !asked);
    Filter filter = asked ? file.map(keyFile, true) : null;
    findings.sound("header and %s are sound".formatted(Text.count(file.header().pages(), "page")));
    return filter == null ? null : new OpenFilter(path, filter, file.header().description());
  }

  private void measure(OpenFilter opened, Verification findings) {
    if (present != null) {
      Answers answers = lookUp(opened, present);
      findings.present(answers.present() + answers.absent(), answers.absent());
    }
    if (absent != null) {
      Answers answers = lookUp(opened, absent);
      long keys = answers.present() + answers.absent();
      if (keys == 0) {
        throw new Problem(absent + ": no keys; a rate cannot be measured");
      }
      findings.absent(keys, answers.present(), opened.filter().falsePositiveRate(), rate);
    }
    findings.badRows(inputOptions.badRows());
  }

  private Answers lookUp(OpenFilter opened, String file) {
    KeyInput input = new KeyInput(program.console(), List.of(file));
    Reading reading = typing.reading(inputOptions, opened);
    Answers answers = new Answers(opened.filter(), reading, null, Answers.Mode.ANNOTATE, false);
    input.read(reading, answers, bytes -> {});
    return answers;
  }
}
