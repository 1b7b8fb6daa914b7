package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.security.password.PasswordList;
import io.bloomery.security.password.PasswordList.Info;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom password info}: says what a list refuses. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = "Shows what a list holds, and how often it refuses a strong password.",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = "  bloom password info leaked.bloom")
public final class PasswordInfoCommand implements Callable<Integer> {

  private static final int CHARACTERS = 12;

  @ParentCommand private Program program;

  @Parameters(paramLabel = "LIST", description = "A file of bloom password build.")
  private Path file;

  @Mixin private ReportOptions reporting = new ReportOptions();

  PasswordInfoCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    PasswordList list = ListProblem.open(file);
    Info info = list.info();
    double refused = list.refusalRate(CHARACTERS);
    Report report =
        new Report()
            .row("passwords", Text.count(info.passwords()))
            .row("digest", info.digest())
            .row("one change away", info.oneChange() ? "refused" : "not refused")
            .row("count classes", info.countClasses() ? "10, 100 and 1,000" : "none")
            .row("refused by chance", Text.rate(refused) + " of passwords with 12 characters")
            .row("memory", Text.size(info.sizeInBits() / Byte.SIZE))
            .value("file", Octets.name(file))
            .value("passwords", info.passwords())
            .value("digest", info.digest())
            .value("oneChange", info.oneChange())
            .value("countClasses", info.countClasses())
            .value("ratePerLookup", info.rate())
            .value("refusalRate", refused)
            .value("bytes", info.sizeInBits() / Byte.SIZE);
    reporting.print(console, () -> report.text(Octets.name(file)), report::json);
    return 0;
  }
}
