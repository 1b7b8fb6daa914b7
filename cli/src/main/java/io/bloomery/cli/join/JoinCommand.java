package io.bloomery.cli.join;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.InputOptions;
import io.bloomery.cli.option.MaxRecordOption;
import io.bloomery.cli.option.MemoryOption;
import io.bloomery.cli.option.OnErrorOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.hash.Hasher;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.console.StandardOutput;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.input.RowOrder;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import io.bloomery.tools.spill.RunHash;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom join}: joins the rows of two CSV files on equal keys. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Joins two CSV or TSV files on columns with equal values and prints the rows: the columns of"
          + " LEFT, then those of RIGHT without its key. Files need not be sorted.",
      "The result is exact. A Bloom filter of the smaller file's keys rules out most rows of the"
          + " larger one without a match; the summary says how many."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom join orders.csv customers.csv --on customer_id >all.csv",
      "  bloom join a.tsv.gz b.csv --left-on id --right-on user --how left",
      "  bloom join log.csv blocked.csv --on ip --how anti"
    })
public final class JoinCommand implements Callable<Integer> {

  private static final long LEAST_FILTER_BITS = 1 << 16;

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "LEFT",
      description = "A CSV or TSV file, plain or compressed; - for standard input.")
  private String leftName;

  @Parameters(index = "1", paramLabel = "RIGHT", description = "The other file.")
  private String rightName;

  @Option(
      names = "--on",
      paramLabel = "COLUMN",
      description =
          "Key column in both files: its name, or its number from 1. A,B or repeated: a key"
              + " of several columns.")
  private List<String> on = new ArrayList<>();

  @Option(names = "--left-on", paramLabel = "COLUMN", description = "Key column in LEFT.")
  private List<String> leftOn = new ArrayList<>();

  @Option(names = "--right-on", paramLabel = "COLUMN", description = "Key column in RIGHT.")
  private List<String> rightOn = new ArrayList<>();

  @Option(
      names = "--how",
      paramLabel = "HOW",
      description = {
        "inner: every pair of rows with equal keys. left, right, full: also rows without a match,"
            + " of LEFT, of RIGHT, of both. semi: rows of LEFT with a match, once. anti: those"
            + " without. Default: inner."
      })
  private JoinRun.Type type = JoinRun.Type.INNER;

  @Option(
      names = "--separator",
      paramLabel = "S",
      converter = InputOptions.OneByte.class,
      description =
          "Column separator of both files. Default: a tab if the first line has one, else a comma.")
  private @Nullable Byte separator;

  @Option(
      names = "--no-header",
      description = "The first row is data; columns are given by numbers.")
  private boolean noHeader;

  @Option(
      names = "--suffix",
      paramLabel = "TEXT",
      description = "Suffix for column names of RIGHT that LEFT has too. Default: _right.")
  private String suffix = "_right";

  @Option(
      names = "--keep-empty",
      description = "Keep empty keys: they equal each other. Default: they have no match.")
  private boolean keepEmpty;

  @Mixin private OnErrorOption onError = new OnErrorOption();

  @Mixin private MaxRecordOption longest = new MaxRecordOption();

  @Mixin private MemoryOption memory = new MemoryOption();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private OutputOptions.Results output = new OutputOptions.Results();

  @Mixin private CountOption counting = new CountOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  JoinCommand() {}

  @Override
  public Integer call() {
    checkOptions();
    output.check();
    output.refuse(List.of(leftName, rightName));
    return output.write(program.console(), this::join);
  }

  /** Prints the rows to {@code results} and everything else to the console. */
  private int join(Console results) {
    Console console = program.console();
    KeyInput leftFile = new KeyInput(console, List.of(leftName));
    KeyInput rightFile = new KeyInput(console, List.of(rightName));
    long leftBytes = leftFile.bytes();
    long rightBytes = rightFile.bytes();
    boolean unknown = leftBytes < 0 || rightBytes < 0;
    boolean buildsLeft = rightBytes < 0 ? leftBytes >= 0 : leftBytes >= 0 && leftBytes < rightBytes;
    boolean listing = output.isGiven() || !counting.isGiven();
    boolean json = reporting.isJson() && !output.isGiven();
    Hasher hasher = RunHash.hasher();
    boolean bar = reporting.isBarWanted(console, listing && !output.isGiven());
    try (Progress progress = new Progress(console, bar, unknown ? -1 : leftBytes + rightBytes);
        CsvTable left =
            table(
                leftFile, leftName, on.isEmpty() ? leftOn : on, hasher, progress, layout -> null);
        CsvTable right =
            table(
                rightFile,
                rightName,
                on.isEmpty() ? rightOn : on,
                hasher,
                progress,
                layout -> rightOrder(left, layout))) {
      if (left.columns() == 0 && type.keepsRight()) {
        throw new Problem(leftName + ": empty; --how right and full need its columns");
      }
      if (listing && !noHeader && !json) {
        printHeader(results, left, right);
      }
      long budget = memory.bytes();
      try (JoinRun run =
          new JoinRun(
              type,
              hasher,
              left,
              right,
              buildsLeft,
              keepEmpty,
              budget / 4 * 3,
              filterBits(buildsLeft ? leftBytes : rightBytes, budget),
              !listing
                  ? (l, a, n, r, b, m) -> {}
                  : json ? jsonPrinter(results) : printer(results, left, right))) {
        run.run();
        results.out().flush(); // no summary if that fails
        tell(console, run, left, right);
        if (!run.hasMatch()) {
          KeySample.hint(left.sample(), right.sample(), typing.form()).ifPresent(console::warn);
        }
      }
    }
    return 0;
  }

  private void checkOptions() {
    longest.check();
    if (leftName.equals(KeyInput.STANDARD_INPUT) && rightName.equals(KeyInput.STANDARD_INPUT)) {
      throw new Problem("only one of the two can be standard input");
    }
    if (on.isEmpty() == (leftOn.isEmpty() || rightOn.isEmpty())
        || (!on.isEmpty() && leftOn.size() + rightOn.size() > 0)
        || (on.isEmpty() && leftOn.size() != rightOn.size())) {
      throw new Problem(
          "give the key column: --on COLUMN, or as many --left-on as --right-on COLUMN");
    }
    checkNumbers();
    if (separator != null && (separator == '\n' || separator == '\r' || separator == '"')) {
      throw new Problem("--separator cannot be a line end or a quote");
    }
    if (reporting.isQuiet() && counting.isGiven()) {
      throw new Problem("--quiet prints no counts; --count prints nothing else");
    }
  }

  private void checkNumbers() {
    for (String column : Stream.of(on, leftOn, rightOn).flatMap(List::stream).toList()) {
      if (column.isEmpty()) {
        throw new Problem("the key's column needs a name or a number from 1");
      }
      if (noHeader && !column.matches("[0-9]+(,[0-9]+)*")) {
        throw new Problem("without a header a column is a number from 1, not '" + column + "'");
      }
    }
  }

  private CsvTable table(
      KeyInput file,
      String name,
      List<String> key,
      Hasher hasher,
      Progress progress,
      ColumnSplitter.Arrangement arrangement) {
    ColumnSplitter splitter = new ColumnSplitter(key, separator, !noHeader).ofTable(arrangement);
    Reading reading =
        new Reading(splitter, hasher, keepEmpty)
            .limitedByOption(longest.bytes())
            .withBadRows(onError.rows());
    return new CsvTable(file, name, splitter, !noHeader, typing.canonical(reading), progress);
  }

  private @Nullable RowOrder rightOrder(CsvTable left, RowLayout right) {
    int parts = right.columns().size();
    if (left.columns() > 0 && left.keys().size() != parts) {
      throw new Problem(
          "the key has %s in LEFT and %d in RIGHT"
              .formatted(Text.count(left.keys().size(), "column"), parts));
    }
    return type.keepsRight() && left.columns() == 0 ? null : type.rightOrder(left, right);
  }

  /** Four bits per byte of the file: rows of 4 bytes get 16 bits each, longer ones more. */
  private static long filterBits(long bytes, long budget) {
    long most = budget / 4 * Byte.SIZE;
    return bytes < 0 ? most : Math.max(LEAST_FILTER_BITS, Math.min(4 * bytes, most));
  }

  private void printHeader(Console results, CsvTable left, CsvTable right) {
    Bytes names = new Bytes();
    for (String name : left.header()) {
      append(names, name, names.length() > 0, left.separator());
    }
    for (int i = 0; type.pairs() && i < right.header().size(); i++) {
      if (!right.keys().contains(i)) {
        String name = right.header().get(i);
        append(names, left.header().contains(name) ? name + suffix : name, true, left.separator());
      }
    }
    byte[] end = lineEnd(left, right);
    names.key(end, 0, end.length);
    results.out().write(names.array(), 0, names.length());
  }

  private static void append(Bytes names, String name, boolean separated, byte separator) {
    if (separated) {
      names.add(separator);
    }
    byte[] bytes = Octets.bytes(name);
    if (!RowLayout.append(bytes, 0, bytes.length, separator, names)) {
      throw new Problem(
          "the name of a column of RIGHT has a tab or line end, which LEFT cannot hold, as it is TSV");
    }
  }

  private static JoinRun.Output printer(Console results, CsvTable left, CsvTable right) {
    StandardOutput out = results.out();
    byte[] end = lineEnd(left, right);
    return (l, at, length, r, rightAt, rightLength) -> {
      out.write(l, at, length);
      out.write(r, rightAt, rightLength);
      out.write(end, 0, end.length);
    };
  }

  private static JoinRun.Output jsonPrinter(Console results) {
    Bytes row = new Bytes();
    return (l, at, length, r, rightAt, rightLength) -> {
      row.clear();
      row.key(l, at, length);
      row.key(r, rightAt, rightLength);
      String text = Octets.text(row.array(), 0, row.length());
      results.print(new Report().value("text", text).json());
    };
  }

  private static byte[] lineEnd(CsvTable left, CsvTable right) {
    return left.columns() == 0 ? right.lineEnd() : left.lineEnd();
  }

  private void tell(Console console, JoinRun run, CsvTable left, CsvTable right) {
    if (reporting.isJson() && !reporting.isQuiet()) {
      console.print(json(run, left, right));
    } else if (counting.isGiven()) {
      console.print(text(run, left, right) + "\n");
    } else if (!reporting.isQuiet()) {
      console.say(text(run, left, right));
    }
  }

  private String text(JoinRun run, CsvTable left, CsvTable right) {
    String text =
        ("%s and %s: %s; the filter pruned %s of the larger file, %s of %s that passed had no"
                + " match")
            .formatted(
                Text.count(left.count(), "row"),
                Text.count(right.count()),
                Text.count(run.rows(), "row") + " joined",
                Text.count(run.pruned(), "row"),
                Text.count(run.unmatched()),
                Text.count(run.passed()));
    return onError.count() == 0
        ? text
        : text + "; " + Text.count(onError.count(), "bad row") + " skipped";
  }

  private String json(JoinRun run, CsvTable left, CsvTable right) {
    return new Report()
        .value("left", leftName)
        .value("right", rightName)
        .value("type", type.toString())
        .value("leftRows", left.count())
        .value("rightRows", right.count())
        .value("rows", run.rows())
        .value("sparedByFilter", run.pruned())
        .value("passedFilter", run.passed())
        .value("passedWithoutMatch", run.unmatched())
        .value("temporaryBytes", run.spilled())
        .value("badRows", onError.count())
        .json();
  }
}
