package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.security.revocation.RevocationList;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom revoked update}: applies an update to a list. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Replaces a list by the newer one that an update makes of it, or by the whole list that the"
          + " update is. The signature of the new list is verified before the file changes."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {"  bloom revoked update list list.update --public-key public.pem"})
public final class RevokedUpdateCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(index = "0", paramLabel = "LIST", description = "A list of bloom revoked build.")
  private Path file;

  @Parameters(index = "1", paramLabel = "UPDATE", description = "An update, or a newer list.")
  private Path update;

  @Mixin private ListOptions list = new ListOptions();

  @Mixin private ReportOptions reporting = new ReportOptions();

  RevokedUpdateCommand() {}

  @Override
  public Integer call() {
    RevocationList before = list.openReplaced(file);
    SigningKeys.requireFile(update);
    RevocationList after;
    try {
      if (Files.size(update) > list.options().maxBytes()) {
        throw new Problem(update, "is longer than a list may be");
      }
      byte[] newer = before.update(Files.readAllBytes(update)).toBytes();
      after = RevocationList.read(newer, list.options());
    } catch (IOException e) {
      throw ListOptions.problem(update, e);
    }
    Saving.save(after::writeTo, file);
    RevokedReport report = new RevokedReport(file, after, null);
    reporting.print(program.console(), report::text, report::json);
    return 0;
  }
}
