package io.bloomery.cli.index;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OnErrorOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.find.FileIndex;
import io.bloomery.find.IndexOptions;
import io.bloomery.find.IndexReport;
import io.bloomery.find.KeyRule;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Problems;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.input.BadRows;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom index}: builds or updates an index of files. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Makes an index of files, or of all files below directories, in which bloom find looks up"
          + " which files and lines hold a key. Keys are the tokens of each line, whole lines,"
          + " columns of CSV or values of JSON. The same command again, or --update, reads only what has changed"
          + " since."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom index /var/log -o logs.bloomidx",
      "  bloom index --update logs.bloomidx",
      "  bloom index dumps/*.txt.gz -o dumps.bloomidx --whole-lines",
      "  bloom index orders/*.csv -o orders.bloomidx --column customer"
    })
public final class IndexCommand implements Callable<Integer> {

  private static final int SOME_UNREAD = 2;
  private static final int LEAST_BLOCK = 1 << 12;
  private static final int MOST_BLOCK = 1 << 28;

  @ParentCommand private Program program;

  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description = "Files, plain or compressed, and directories of files.")
  private List<Path> paths = new ArrayList<>();

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Option(
      names = "--update",
      paramLabel = "INDEX",
      description = "Bring this index up to date; it knows its files and options.")
  private @Nullable Path update;

  @Mixin private IndexedKeyOptions keys = new IndexedKeyOptions();

  @Mixin private OnErrorOption onError = new OnErrorOption();

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "False-positive rate: the share of the content that is read needlessly for a key that no"
              + " file holds, if --share allows. Default: 0.1%%.")
  private @Nullable Double rate;

  @Option(
      names = "--share",
      paramLabel = "P",
      converter = Converters.Rate.class,
      description = "Largest size of the index, as a share of the content. Default: 2%%.")
  private @Nullable Double share;

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      converter = Converters.Bytes.class,
      description = "Amount of content per filter. Default: 1/256 of the content, 64KiB to 32MiB.")
  private @Nullable Long blockSize;

  @Option(names = "--text", description = "Index files that look binary as well.")
  private boolean text;

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  IndexCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    Problems problems = new Problems(console);
    Path target = target();
    BadRows badRows = badRows();
    IndexReport report = made(target, badRows, new ReadingBar(console, reporting), problems);
    if (badRows.count() > 0) {
      console.warn(badRows.text());
    }
    reporting.print(console, report::text, report::json);
    return problems.any() ? SOME_UNREAD : 0;
  }

  /** What becomes of bad rows; an index that is updated knows whether they are left out. */
  private BadRows badRows() {
    if (update != null && !onError.isGiven() && FileIndex.open(update).skipsBadRows()) {
      return BadRows.skip();
    }
    return onError.rows();
  }

  private IndexReport made(Path target, BadRows badRows, ReadingBar progress, Problems problems) {
    try (progress) {
      return update != null
          ? FileIndex.update(target, badRows, problems, progress)
          : FileIndex.build(
              target, roots(), options(badRows), output.isForced(), badRows, problems, progress);
    }
  }

  private Path target() {
    if (update == null && !output.isGiven()) {
      throw new Problem("an index needs a file: -o FILE, or --update INDEX for one that exists");
    }
    if (update != null) {
      if (output.isGiven() || !paths.isEmpty() || hasSettings()) {
        throw new Problem(
            "--update takes paths and options from the index; leave them out, or leave out --update");
      }
      if (!Files.exists(update)) {
        throw new Problem(update + ": no such file");
      }
      return update;
    }
    if (onError.isGiven() && !keys.isOfRows()) {
      throw new Problem("--on-error is about rows; it needs --column or --json-key");
    }
    Path target = output.path();
    Saving.check(target, output.isForced() || FileIndex.isIndex(target));
    return target;
  }

  private boolean hasSettings() {
    return keys.isGiven() || text || rate != null || share != null || blockSize != null;
  }

  private List<Path> roots() {
    if (paths.isEmpty()) {
      throw new Problem("nothing to index: name files or directories");
    }
    List<Path> roots = new ArrayList<>();
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new Problem(path, "no such file or directory");
      }
      if (!Files.isRegularFile(path) && !Files.isDirectory(path)) {
        throw new Problem(path, "is neither a file nor a directory");
      }
      roots.add(Octets.absolute(path).normalize());
    }
    return roots;
  }

  private IndexOptions options(BadRows badRows) {
    if (blockSize != null && (blockSize < LEAST_BLOCK || blockSize > MOST_BLOCK)) {
      throw new Problem("--block-size is " + blockSize + "; it must be 4KiB to 256MiB");
    }
    KeyRule rule = keys.rule();
    IndexOptions defaults = IndexOptions.of(badRows.fails() ? rule : rule.skippingBadRows());
    return new IndexOptions(
        defaults.rule(),
        rate == null ? defaults.rate() : Math.max(rate, 0x1p-20),
        share == null ? defaults.share() : share,
        blockSize == null ? 0 : Math.toIntExact(blockSize),
        blockSize != null,
        text);
  }
}
