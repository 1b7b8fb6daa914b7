package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.ExitCodeOption;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.secure.Secret;
import io.bloomery.security.known.KnownFiles;
import io.bloomery.security.known.KnownFiles.Checked;
import io.bloomery.security.known.KnownOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.file.FilterSource;
import io.bloomery.tools.name.Octets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom known check}: looks up the files of directories in a set. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Hashes the files of directories and prints ANSWER<tab>FILE for each, where ANSWER is known or"
          + " unknown; for a set with --places, unchanged or changed, which includes new files."
          + " Symbolic links are not followed.",
      "Exit code: 0 done, 2 error, or a file could not be read. With --exit-code: 1 if a file is"
          + " unknown or changed, or a file of a set with --places is gone."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom known check evidence --set hashlookup-full.bloom --mode unknown",
      "  bloom known check bin lib --set lib.bloom --null --mode known | xargs -0 rm",
      "  bloom known check /srv/app --set app.bloom --secret-file secret --exit-code"
    })
public final class KnownCheckCommand implements Callable<Integer> {

  /** Which files are printed. */
  enum Mode {
    ANNOTATE,
    KNOWN,
    UNKNOWN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @ParentCommand private Program program;

  @Parameters(arity = "1..*", paramLabel = "DIR", description = "Directories to look through.")
  private List<Path> roots = new ArrayList<>();

  @Option(
      names = "--set",
      required = true,
      paramLabel = "SET",
      description =
          "A set of bloom known build, or a filter of DCSO's format, plain or compressed; -: standard"
              + " input.")
  private Path set;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description =
          "annotate: every file with its answer; known: only names of files that are known or"
              + " unchanged; unknown: only names of all others. Default: annotate.")
  private Mode mode = Mode.ANNOTATE;

  @Option(names = "--null", description = "Printed names end with a zero byte, not a line end.")
  private boolean zero;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description =
          "Exact answers: confirm each file that is found by FILE, a list of the digests of the set;"
              + " for --places, with names below DIR.")
  private @Nullable String against;

  @Mixin private ExitCodeOption exitCode = new ExitCodeOption();

  @Mixin private DigestOptions digest = new DigestOptions();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  KnownCheckCommand() {}

  @Override
  public Integer call() {
    return FilterSource.read(program.console(), set, this::check);
  }

  private int check(Path path) {
    Console console = program.console();
    KnownFiles known = open(path);
    KnownAnswers answers = new KnownAnswers(console, known.info(), mode, zero, reporting);
    Checked checked;
    try (HashingBar bar = new HashingBar(console, reporting.isBarWanted(console, true))) {
      checked = known.check(roots, answers, bar);
    } catch (IOException e) {
      throw ListProblem.of(path, e);
    }
    answers.end(checked);
    return answers.isIncomplete(checked)
        ? KnownAnswers.INCOMPLETE
        : exitCode.of(answers.isClean(checked), false);
  }

  private KnownFiles open(Path path) {
    try (Secret secret = keyFile.isGiven() ? keyFile.secret() : null) {
      KnownOptions options =
          digest.options(KnownOptions.DEFAULT.rate(), false, secret, false, false);
      KnownFiles known = KnownFiles.open(path, options);
      return against == null ? known : known.confirmedBy(List.of(Octets.path(against)));
    } catch (IOException e) {
      throw ListProblem.of(path, e);
    }
  }
}
