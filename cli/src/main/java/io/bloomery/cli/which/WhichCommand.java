package io.bloomery.cli.which;

import io.bloomery.Filter;
import io.bloomery.cli.console.Failures;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.console.WordsCommand;
import io.bloomery.cli.file.FilterFile;
import io.bloomery.cli.file.FormatOption;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.file.OpenFilter;
import io.bloomery.cli.file.VerifyOption;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.cli.option.SilentOption;
import io.bloomery.cli.option.TypeOption;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.FilterSource;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom which}: names the filters that probably contain a key. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints the names of the filters that probably contain a key; it is certainly in none of the"
          + " others. The first word is the key, unless --key gives it. Filters of other systems"
          + " are queried as they are (see bloom info).",
      "Exit code: 0 found, 1 certainly in none, 2 if some filter could not be read; the others are"
          + " queried all the same. With --silent it is the only answer."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom which alice *.bloom",
      "  bloom which --key alice --key bob day-*.bloom",
      "  bloom which --json alice *.bloom | jq -r .answer"
    })
public final class WhichCommand implements Callable<Integer>, WordsCommand {

  private static final int NOT_FOUND = 1;

  @ParentCommand private Program program;

  @Parameters(
      arity = "1..*",
      paramLabel = "KEY FILTER…",
      hideParamSyntax = true,
      description =
          "The key, unless --key is given, and filters of Bloomery or of other systems, plain or"
              + " compressed; -: standard input.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description =
          "A key; may be repeated: a filter is named if it probably contains one of them.")
  private List<String> keys = new ArrayList<>();

  @Mixin private SilentOption silent = new SilentOption();

  @Mixin private ReportOptions reporting = new ReportOptions();

  @Mixin private VerifyOption verifying = new VerifyOption();

  @Mixin private FormatOption format = new FormatOption();

  @Mixin private TypeOption typing = new TypeOption();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  private int asked;
  private int found;
  private int unread;

  @Override
  public int call(Program parent, List<String> keyAndFilters) {
    program = parent;
    words = keyAndFilters;
    return call();
  }

  @Override
  public Integer call() {
    verifying.check();
    boolean given = !keys.isEmpty();
    if (!given && words.size() < 2) {
      throw new Problem("a key and a filter are needed, in this order");
    }
    List<byte[]> wanted = (given ? keys : words.subList(0, 1)).stream().map(Octets::bytes).toList();
    for (String name : words.subList(given ? 0 : 1, words.size())) {
      query(Octets.path(name), wanted);
      if (silent.isGiven() && found > 0) {
        return 0;
      }
    }
    finish();
    return unread > 0 ? Failures.USAGE : found > 0 ? 0 : NOT_FOUND;
  }

  private void query(Path named, List<byte[]> wanted) {
    Console console = program.console();
    try {
      boolean hit = FilterSource.read(console, named, path -> query(named, path, wanted));
      asked++;
      found += hit ? 1 : 0;
    } catch (Problem e) {
      unread++;
      Failures.report(console, e);
    }
  }

  /** Queries a filter in a file, which may be a copy of the one that was named. */
  private boolean query(Path named, Path path, List<byte[]> wanted) {
    Console console = program.console();
    OpenFilter opened = FilterFile.map(path, verifying.isWanted(), secret(path), format);
    if (!reporting.isQuiet() && !silent.isGiven()) {
      typing
          .doubt(opened)
          .ifPresent(line -> console.say("bloom: %s %s".formatted(FilterSource.name(named), line)));
    }
    boolean hit = isFound(opened, wanted);
    if (!silent.isGiven()) {
      print(FilterSource.name(named), opened.filter(), hit);
    }
    return hit;
  }

  /** The secret for filters that need one; those without a key are queried without it. */
  private KeyFileOption secret(Path path) {
    boolean unkeyed =
        keyFile.isGiven()
            && (format.isForeign(path) || !FilterFile.read(path, false).header().isKeyed());
    return unkeyed ? new KeyFileOption() : keyFile;
  }

  private boolean isFound(OpenFilter opened, List<byte[]> wanted) {
    try {
      for (byte[] key : wanted) {
        if (typing.mightContain(opened, key)) {
          return true;
        }
      }
      return false;
    } catch (IllegalArgumentException e) {
      throw new Problem("%s: %s".formatted(Octets.name(opened.path()), e.getMessage()));
    }
  }

  private void print(String name, Filter filter, boolean hit) {
    Console console = program.console();
    if (reporting.isJson()) {
      console.print(
          new Report()
              .value("file", name)
              .value("answer", hit ? "probably present" : "certainly absent")
              .value("expectedRate", filter.falsePositiveRate())
              .json());
    } else if (hit) {
      console.print(console.shown(name) + "\n");
    }
  }

  private void finish() {
    Console console = program.console();
    if (silent.isGiven() || reporting.isQuiet()) {
      return;
    }
    if (reporting.isJson()) {
      console.print(
          new Report()
              .value("filtersAsked", asked)
              .value("filtersFound", found)
              .value("filtersUnread", unread)
              .json());
    } else if (asked > 0) {
      console.out().flush();
      console.say(
          found == 0
              ? "certainly in none of " + Text.count(asked, "filter")
              : "probably in %s of %s".formatted(Text.count(found), Text.count(asked, "filter")));
    }
  }
}
