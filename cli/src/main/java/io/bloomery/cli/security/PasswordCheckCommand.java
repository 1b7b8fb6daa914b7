package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.security.password.PasswordList;
import io.bloomery.security.password.PasswordList.Reason;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom password check}: checks passwords that are typed or on standard input. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Asks for a password, which is not shown, or reads one per line from standard input, and"
          + " prints for each whether it is listed, one change away from a listed one, or neither.",
      "Exit code: 0 if none is refused, 1 if one is, 2 error."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom password check leaked.bloom",
      "  bloom password check pwned.bloom --minimum-count 100 <passwords"
    })
public final class PasswordCheckCommand implements Callable<Integer> {

  private static final int REFUSED = 1;

  @ParentCommand private Program program;

  @Parameters(index = "0", paramLabel = "LIST", description = "A file of bloom password build.")
  private Path file;

  /** Taken so that the parser's message, which repeats what is unexpected, shows no password. */
  @Parameters(index = "1..*", arity = "0..*", hidden = true)
  private List<String> unexpected = new ArrayList<>();

  /** The same. */
  @Option(names = "--password", arity = "0..1", fallbackValue = "", hidden = true)
  private @Nullable String given;

  @Option(
      names = "--minimum-count",
      paramLabel = "N",
      description =
          "Refuse only passwords that were seen at least 10, 100 or 1000 times, of a list with"
              + " --count-classes. Default: 1, all.")
  private int minimumCount = 1;

  @Mixin private ReportOptions reporting = new ReportOptions();

  private long passwords;
  private long listed;
  private long changed;

  PasswordCheckCommand() {}

  @Override
  public Integer call() {
    if (given != null || !unexpected.isEmpty()) {
      throw new Problem("a password is never an argument: it is typed, or on standard input");
    }
    Console console = program.console();
    PasswordList list = list();
    PasswordInput.read(
        console,
        typed -> print(console, list.check(typed)),
        password -> print(console, list.check(password)));
    if (passwords == 0) {
      throw new Problem("there is no password to check");
    }
    if (!reporting.isQuiet() && passwords > 1) {
      console.say(
          "%s: %s listed, %s one change away"
              .formatted(
                  Text.count(passwords, "password"), Text.count(listed), Text.count(changed)));
    }
    return listed + changed > 0 ? REFUSED : 0;
  }

  private PasswordList list() {
    try {
      return ListProblem.open(file).withMinimumCount(minimumCount);
    } catch (IllegalArgumentException e) {
      throw new Problem("--minimum-count is " + minimumCount + "; it can be 1, 10, 100 or 1000");
    } catch (IllegalStateException e) {
      throw new Problem(file, "was built without --count-classes, so it knows no counts");
    }
  }

  private void print(Console console, Optional<Reason> reason) {
    passwords++;
    listed += reason.equals(Optional.of(Reason.LISTED)) ? 1 : 0;
    changed += reason.equals(Optional.of(Reason.ONE_CHANGE_AWAY)) ? 1 : 0;
    if (reporting.isJson()) {
      console.print(
          new Report()
              .value("line", passwords)
              .value("refused", reason.isPresent())
              .value("reason", reason.map(PasswordCheckCommand::words).orElse(null))
              .json());
    } else {
      console.print(reason.map(PasswordCheckCommand::words).orElse("not listed") + "\n");
    }
  }

  private static String words(Reason reason) {
    return switch (reason) {
      case LISTED -> "listed";
      case ONE_CHANGE_AWAY -> "one change away";
      case USED_BEFORE -> "used before";
    };
  }
}
