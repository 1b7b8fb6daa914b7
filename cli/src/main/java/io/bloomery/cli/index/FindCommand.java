package io.bloomery.cli.index;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.console.WordsCommand;
import io.bloomery.cli.option.CountOption;
import io.bloomery.cli.option.IgnoreCaseOption;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.option.SilentOption;
import io.bloomery.find.FileIndex;
import io.bloomery.find.SearchOptions;
import io.bloomery.find.SearchResult;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Problems;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom find}: finds the files and lines that contain a key, using an index. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints the files that hold a key, or with --grep the lines. The index says which blocks of"
          + " which files may hold it; these are read, so that the answer is exact. Files that were"
          + " changed or added since the index was made are read in full.",
      "Exit code: 0 found, 1 not found, 2 error. With --silent it is the only answer."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom find 203.0.113.77 logs.bloomidx",
      "  bloom find --grep --line-number 'user=42 failed' logs.bloomidx",
      "  bloom find --grep -C 2 550e8400-e29b-41d4-a716-446655440000 logs.bloomidx",
      "  bloom find --count --all-keys timeout checkout logs.bloomidx"
    })
public final class FindCommand implements Callable<Integer>, WordsCommand {

  private static final int NOT_FOUND = 1;
  private static final int SOME_UNREAD = 2;

  @ParentCommand private Program program;

  @Parameters(
      arity = "1..*",
      paramLabel = "KEY… INDEX",
      hideParamSyntax = true,
      description = "Keys, and last the index in which to look for them.")
  private List<String> words = new ArrayList<>();

  @Mixin private LineOptions lines = new LineOptions();

  @Mixin private CountOption counting = new CountOption();

  @Option(names = "--all-keys", description = "A line must hold all keys. Default: one of them.")
  private boolean all;

  @Mixin private IgnoreCaseOption anyCase = new IgnoreCaseOption();

  @Mixin private TrustOptions trust = new TrustOptions();

  @Mixin private OutputOptions.Results file = new OutputOptions.Results();

  @Mixin private SilentOption silent = new SilentOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  @Override
  public int call(Program parent, List<String> keysAndIndex) {
    program = parent;
    words = keysAndIndex;
    return call();
  }

  @Override
  public Integer call() {
    check();
    file.check();
    file.refuse(words.subList(words.size() - 1, words.size()));
    return file.write(program.console(), this::find);
  }

  private int find(Console console) {
    FileIndex index = trust.open(Octets.path(words.get(words.size() - 1)));
    if (anyCase.isGiven() && !index.ignoresCase()) {
      checkCase(console);
    }
    List<String> keys = words.subList(0, words.size() - 1);
    Problems problems = new Problems(console);
    FindOutput output =
        new FindOutput(console, index, lines, counting.isGiven(), trust.isUnverified(), reporting);
    if (silent.isGiven()) {
      output.silence();
    }
    SearchOptions options =
        new SearchOptions(
            all,
            anyCase.isGiven(),
            trust.isTrusting(),
            !trust.isUnverified(),
            lines.isNumbered() || lines.isWithContext() || reporting.isJson(),
            output.isListing(),
            output.isListing() ? 0 : lines.before(),
            output.isListing() ? 0 : lines.after(),
            trust.within());
    SearchResult result = index.search(keys, options, problems, output);
    output.finish(keys, result);
    return problems.any() ? SOME_UNREAD : output.any() ? 0 : NOT_FOUND;
  }

  /** An index that distinguishes case excludes no block. */
  private void checkCase(Console console) {
    String how = "bloom index --ignore-case makes an index that knows where to look";
    if (trust.isUnverified()) {
      throw new Problem("the index distinguishes case, so it cannot say which files; " + how);
    }
    if (!reporting.isQuiet() && !silent.isGiven()) {
      console.say("the index distinguishes case, so all files are read; " + how);
    }
  }

  private void check() {
    trust.check();
    if (words.size() < 2) {
      throw new Problem("a key and an index are needed, in this order");
    }
    if (file.isGiven() && silent.isGiven()) {
      throw new Problem("--silent prints nothing; leave out -o");
    }
    lines.check();
    if (counting.isGiven() && lines.isGrep()) {
      throw new Problem("--count and --grep exclude each other");
    }
    if (trust.isUnverified() && (lines.isGrep() || counting.isGiven())) {
      throw new Problem("--no-verify reads no lines; leave out --grep and --count");
    }
  }
}
