package io.bloomery.cli.join;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.ExitCodeOption;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.SilentOption;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyPrinter;
import io.bloomery.tools.input.KeyTaker;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.Rereading;
import io.bloomery.tools.spill.RunHash;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom diff}: the lines that are in one file but not in the other. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Compares the sets of lines of two files, which need not be sorted, and prints < LINE for a"
          + " line that is only in A, > LINE for one that is only in B; each once. The result is"
          + " exact. What does not fit in memory goes to a temporary file; filters keep that"
          + " small.",
      "Exit code: 0 done, 2 error; with --exit-code 1 if they differ. With --silent it is the only"
          + " answer, and reading stops at the first difference."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom diff yesterday.txt today.txt",
      "  bloom diff --only right have.txt.gz want.txt.gz >missing.txt",
      "  bloom diff -s <(cut -f1 a.tsv) <(cut -f1 b.tsv) || echo different"
    })
public final class DiffCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "A",
      description = "A file of lines, plain or compressed; - for standard input.")
  private String left;

  @Parameters(index = "1", paramLabel = "B", description = "The other file.")
  private String right;

  @Option(
      names = "--only",
      paramLabel = "SIDE",
      description =
          "Print only the lines that are only in A (left), only in B (right) or in both (both),"
              + " without < and >.")
  private DiffRun.@Nullable Side only;

  @Mixin private MemoryOption memory = new MemoryOption();

  @Mixin private InputOptions inputOptions = new InputOptions();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private CountOption counting = new CountOption();

  @Mixin private ExitCodeOption exitCode = new ExitCodeOption();

  @Mixin private SilentOption silent = new SilentOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  DiffCommand() {}

  @Override
  public Integer call() {
    inputOptions.check();
    output.check();
    output.refuse(List.of(left, right));
    if (output.isGiven() && silent.isGiven()) {
      throw new Problem("--silent prints nothing; leave out -o");
    }
    refuseFilter(left, right);
    refuseFilter(right, left);
    if (left.equals(KeyInput.STANDARD_INPUT) && right.equals(KeyInput.STANDARD_INPUT)) {
      throw new Problem("only one of the two can be standard input");
    }
    return output.write(program.console(), this::diff);
  }

  /** Prints the keys to {@code results} and everything else to the console. */
  private int diff(Console results) {
    Console console = program.console();
    KeyInput a = new KeyInput(console, List.of(left));
    KeyInput b = new KeyInput(console, List.of(right));
    Hasher hasher = RunHash.hasher();
    Reading ofLeft = typing.canonical(inputOptions.reading(hasher));
    Reading ofRight = typing.canonical(inputOptions.reading(hasher));
    KeyPrinter leftPrinter = new KeyPrinter(results.out(), ofLeft.splitter());
    KeyPrinter rightPrinter = new KeyPrinter(results.out(), ofRight.splitter());
    Set<DiffRun.Side> wanted =
        only == null ? EnumSet.of(DiffRun.Side.LEFT, DiffRun.Side.RIGHT) : EnumSet.of(only);
    boolean printing = !counting.isGiven() && !silent.isGiven();
    boolean listing = output.isGiven() || printing;
    DiffRun run =
        new DiffRun(
            hasher,
            memory.bytes(),
            wanted,
            listing ? output(leftPrinter, rightPrinter) : (s, k, o, l) -> {},
            silent.isGiven());
    boolean bar = reporting.isBarWanted(console, listing && !output.isGiven());
    long total = a.bytes() < 0 || b.bytes() < 0 ? -1 : a.bytes() + b.bytes();
    try (Progress progress = new Progress(console, bar, total);
        Rereading first = new Rereading(a, ofLeft, progress, memory.bytes() / 8);
        Rereading second = new Rereading(b, ofRight, progress, memory.bytes() / 8)) {
      run.run(first, second);
      results.out().flush(); // no summary if that fails
      tell(console, run, first, second);
      if (run.count(DiffRun.Side.BOTH) == 0 && !silent.isGiven()) {
        KeySample.hint(sample(first), sample(second), typing.form()).ifPresent(console::warn);
      }
    }
    return exitCode.of(!run.isDifferent(), silent.isGiven());
  }

  private static KeySample sample(Rereading input) {
    KeySample sample = new KeySample();
    input.again(
        new KeyTaker() {
          @Override
          public void key(byte[] bytes, int offset, int length, long hash) {
            sample.add(bytes, offset, length);
          }

          @Override
          public boolean isDone() {
            return sample.isFull();
          }
        });
    return sample;
  }

  private DiffRun.Output output(KeyPrinter leftPrinter, KeyPrinter rightPrinter) {
    return (side, bytes, offset, length) -> {
      boolean isLeft = side != DiffRun.Side.RIGHT;
      KeyPrinter printer = isLeft ? leftPrinter : rightPrinter;
      if (reporting.isJson()) {
        Map<String, Object> fields = printer.json(bytes, offset, length);
        fields.put("side", side.toString());
        printer.printJson(fields);
      } else if (only != null) {
        printer.print(bytes, offset, length);
      } else {
        printer.print(isLeft ? "< " : "> ", bytes, offset, length);
      }
    };
  }

  private static void refuseFilter(String name, String other) {
    Path path = Octets.path(name);
    if (Files.isRegularFile(path) && !FilterFile.isForeign(path)) {
      throw new Problem(
          "%s: is a filter, not a file of keys; 'bloom check %s %s --mode absent' prints what it lacks"
              .formatted(name, name, other));
    }
  }

  private void tell(Console console, DiffRun run, Rereading a, Rereading b) {
    if (silent.isGiven()) {
      return;
    }
    if (reporting.isJson() && (counting.isGiven() || !reporting.isQuiet())) {
      console.print(json(run, a, b));
    } else if (counting.isGiven()) {
      console.print(text(run, a, b) + "\n");
    } else if (!reporting.isQuiet()) {
      console.say(text(run, a, b));
    }
  }

  private String text(DiffRun run, Rereading a, Rereading b) {
    StringBuilder text = new StringBuilder();
    text.append(Text.count(a.keys(), "key")).append(" against ").append(Text.count(b.keys()));
    text.append(": ");
    if (isCounted(DiffRun.Side.LEFT)) {
      text.append(Text.count(run.count(DiffRun.Side.LEFT))).append(" only left, ");
    }
    if (isCounted(DiffRun.Side.RIGHT)) {
      text.append(Text.count(run.count(DiffRun.Side.RIGHT))).append(" only right, ");
    }
    text.append(Text.count(run.count(DiffRun.Side.BOTH))).append(" in both; ");
    if (run.isInMemory()) {
      text.append("compared in memory");
    } else {
      text.append(Text.count(run.settled(), "key")).append(" settled by filters, ");
      text.append(Text.count(run.verified())).append(" compared");
    }
    long skipped = a.skipped() + b.skipped();
    return skipped == 0
        ? text.toString()
        : text + "; " + Text.count(skipped, "empty key") + " skipped";
  }

  private boolean isCounted(DiffRun.Side side) {
    return only == null || only == side;
  }

  private String json(DiffRun run, Rereading a, Rereading b) {
    return new Report()
        .value("left", left)
        .value("right", right)
        .value("leftKeys", a.keys())
        .value("rightKeys", b.keys())
        .value("onlyLeft", isCounted(DiffRun.Side.LEFT) ? run.count(DiffRun.Side.LEFT) : null)
        .value("onlyRight", isCounted(DiffRun.Side.RIGHT) ? run.count(DiffRun.Side.RIGHT) : null)
        .value("inBoth", run.count(DiffRun.Side.BOTH))
        .value("settledByFilters", run.settled())
        .value("compared", run.verified())
        .value("inMemory", run.isInMemory())
        .value("temporaryBytes", run.spilled())
        .value("emptyKeysSkipped", a.skipped() + b.skipped())
        .value("badRows", inputOptions.badRows())
        .json();
  }
}
