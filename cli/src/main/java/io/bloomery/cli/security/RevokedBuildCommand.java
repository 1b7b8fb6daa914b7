package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.file.AtomicFile;
import io.bloomery.security.revocation.RevocationList;
import io.bloomery.security.revocation.RevocationList.Published;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom revoked build}: builds and signs a list. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Builds a list from the revoked keys and all others, one per line, and signs it. The answers"
          + " are exact for these keys. With --after and --write-update, it also writes an update of"
          + " the earlier list, or the whole list where that is smaller. Files are plain or compressed,"
          + " and read several times."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  openssl genpkey -algorithm ed25519 -out private.pem",
      "  openssl pkey -in private.pem -pubout -out public.pem",
      "  bloom revoked build revoked.txt --others valid.txt -o list --private-key private.pem"
          + " --public-key public.pem"
    })
public final class RevokedBuildCommand implements Callable<Integer> {

  private static final int MOST_DAYS = 3660;

  /** What an update begins with and goes to. */
  static final class Update {
    @Option(
        names = "--after",
        paramLabel = "LIST",
        required = true,
        description = "The earlier list, whose number the new one exceeds by 1.")
    private Path after;

    @Option(
        names = "--write-update",
        paramLabel = "OUT",
        required = true,
        description = "The update to write; an existing file is replaced.")
    private Path target;
  }

  @ParentCommand private Program program;

  @Parameters(paramLabel = "REVOKED", description = "The file of the revoked keys.")
  private Path revoked;

  @Option(
      names = "--others",
      paramLabel = "FILE",
      required = true,
      description = "The file of all other keys.")
  private Path others;

  @Mixin private OutputOptions.Required output = new OutputOptions.Required();

  @Option(
      names = "--private-key",
      paramLabel = "PEM",
      required = true,
      description = "The publisher's private key of Ed25519, in PEM form.")
  private Path privateKey;

  @Mixin private ListOptions list = new ListOptions();

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "How many days the list is valid, from now. Default: ${DEFAULT-VALUE}.")
  private int days = 7;

  @ArgGroup(exclusive = false)
  private @Nullable Update update;

  @Option(names = "--hex", description = "Keys are bytes in hexadecimal.")
  private boolean hex;

  @Mixin private ReportOptions reporting = new ReportOptions();

  RevokedBuildCommand() {}

  @Override
  public Integer call() {
    output.check();
    KeyLines.check(program.console(), revoked, others);
    list.refuseWriting(output.path(), revoked, others, privateKey);
    if (update != null) {
      list.refuseWriting(update.target, revoked, others, privateKey, update.after);
      ListOptions.refuseSame(output.path(), update.target);
    }
    if (days < 1 || days > MOST_DAYS) {
      throw new Problem("--days is " + days + "; it can be 1 to " + MOST_DAYS);
    }
    Published made = made(SigningKeys.privateKey(privateKey));
    list.requireReadable(made.list(), output.path());
    if (update != null) {
      Saving.save(file -> AtomicFile.write(file, out -> out.write(made.update())), update.target);
    }
    Saving.save(file -> AtomicFile.write(file, out -> out.write(made.list())), output.path());
    RevocationList built = list.remember(made.list(), output.path());
    RevokedReport report = new RevokedReport(output.path(), built, update == null ? null : made);
    reporting.print(program.console(), report::text, report::json);
    return 0;
  }

  private Published made(PrivateKey key) {
    Supplier<Stream<byte[]>> in = () -> KeyLines.of(revoked, hex);
    Supplier<Stream<byte[]>> out = () -> KeyLines.of(others, hex);
    Instant now = Instant.now();
    Instant end = now.plus(Duration.ofDays(days));
    try {
      if (update == null) {
        list.requireNoneBefore();
        return RevocationList.build(new Terms(1, now, now, end), in, out, key);
      }
      RevocationList before = list.openEarlier(update.after);
      long serial = before.terms().serial() + 1;
      return before.next(new Terms(serial, now, now, end), in, out, key);
    } catch (IllegalArgumentException e) {
      throw new Problem(String.valueOf(e.getMessage()));
    }
  }
}
