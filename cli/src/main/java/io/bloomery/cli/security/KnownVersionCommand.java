package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.ExitCodeOption;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.security.version.ReleaseFinder;
import io.bloomery.security.version.ReleaseFinder.Match;
import io.bloomery.security.version.ReleaseOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom known version}: finds releases of libraries in a jar. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Finds which release of a library is inside a jar, also if it was shaded and relocated, and"
          + " prints RANK<tab>LIBRARY<tab>RELEASE<tab>CLASSES for the best of each library. Releases"
          + " that the jar does not tell apart have the same rank, with an equals sign. Numbers with"
          + " a range are exact within it with 95 %% confidence.",
      "Exit code: 0 done, 2 error. With --exit-code: 1 if no class of any release is there."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = "  bloom known version app.jar --among ~/.m2/repository/commons-codec/*/*/*.jar")
public final class KnownVersionCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(paramLabel = "JAR", description = "The jar to look into, with jars inside it.")
  private Path jar;

  @Option(
      names = "--among",
      required = true,
      arity = "1..*",
      paramLabel = "RELEASE",
      description = "Jars of releases to look for, of one library or several.")
  private List<Path> among = new ArrayList<>();

  @Option(names = "--all", description = "Print all releases, not only the best of each library.")
  private boolean all;

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "False-positive rate: the share of absent classes that are found by chance. Default:"
              + " 0.0001%%.")
  private double rate = ReleaseOptions.DEFAULT.rate();

  @Mixin private ExitCodeOption exitCode = new ExitCodeOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  KnownVersionCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    long bytes = size(jar);
    for (Path each : among) {
      bytes += size(each);
    }
    List<Match> matches;
    ReleaseFinder finder;
    try (Progress progress = new Progress(console, reporting.isBarWanted(console, false), bytes)) {
      finder = ReleaseFinder.of(jar, ReleaseOptions.DEFAULT.withRate(rate));
      progress.accept(size(jar));
      matches = finder.rank(among, each -> progress.accept(size(each)));
    } catch (IOException e) {
      throw ListProblem.of(jar, e);
    }
    for (Match match : matches) {
      if (all || (match.rank() == 1 && match.most() > 0)) {
        console.print(
            reporting.isJson()
                ? ReleaseLine.json(match)
                : console.shown(ReleaseLine.text(match)) + "\n");
      }
    }
    if (finder.brokenClasses() > 0) {
      console.warn(Text.count(finder.brokenClasses()) + " classes of the jar cannot be read");
    }
    boolean isFound = matches.stream().anyMatch(match -> match.most() > 0);
    if (!reporting.isQuiet() && !reporting.isJson()) {
      console.say(
          "%s; %s%s"
              .formatted(
                  Text.count(finder.classes()) + (finder.classes() == 1 ? " class" : " classes"),
                  Text.count(matches.size(), "release"),
                  isFound ? "" : ", of which nothing was found"));
    }
    return exitCode.of(isFound, false);
  }

  /** The size of a file, which must be there before anything is read. */
  private static long size(Path file) {
    SigningKeys.requireFile(file);
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }
}
