package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.secure.Secret;
import io.bloomery.security.known.KnownFiles;
import io.bloomery.security.known.KnownFiles.Built;
import io.bloomery.security.known.KnownOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
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

/** {@code bloom known build}: builds a set of files. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Builds a set from lists of digests and from directories, whose files are hashed. Lists are"
          + " plain or compressed: digests in hexadecimal alone, the output of sha256sum and its"
          + " like, also with --tag, of hashdeep, or CSV with a header as of the NSRL. Lines that"
          + " cannot be read are counted and skipped. Symbolic links are not followed.",
      "Exit code: 0 done, 2 error, or a file could not be read; the set then lacks that file."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom known build NSRLFile.txt.gz -o nsrl.bloom --digest sha1",
      "  bloom known build /usr/lib -o lib.bloom",
      "  bloom known build /srv/app -o app.bloom --places --secret-file secret"
    })
public final class KnownBuildCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(arity = "1..*", paramLabel = "SOURCE", description = "Lists and directories.")
  private List<Path> sources = new ArrayList<>();

  @Mixin private OutputOptions.Required output = new OutputOptions.Required();

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "False-positive rate: the share of other files that are taken for known. Default: 0.0001%%.")
  private double rate = KnownOptions.DEFAULT.rate();

  @Option(
      names = "--places",
      description =
          "Also keep names and sizes, to find what changes in the one directory SOURCE; needs"
              + " --secret-file.")
  private boolean places;

  @Option(
      names = "--dcso",
      description = "Write the format of DCSO's bloom, which other tools for known files read.")
  private boolean dcso;

  @Option(names = "--strict", description = "Fail at the first line that cannot be read.")
  private boolean strict;

  @Mixin private DigestOptions digest = new DigestOptions();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  KnownBuildCommand() {}

  @Override
  public Integer call() {
    output.check();
    check();
    Console console = program.console();
    Built built;
    try (Secret secret = keyFile.isGiven() ? keyFile.secret() : null;
        HashingBar bar = new HashingBar(console, reporting.isBarWanted(console, false))) {
      KnownOptions options = digest.options(rate, dcso, secret, places, strict);
      built = KnownFiles.build(sources, output.path(), options, bar);
    } catch (IOException e) {
      throw ListProblem.of(output.path(), e);
    }
    return new KnownReport(output.path(), built).print(console, reporting);
  }

  private void check() {
    boolean secret = keyFile.isGiven();
    if (places && (!secret || sources.size() != 1 || !Files.isDirectory(sources.get(0)))) {
      throw new Problem(
          secret
              ? "--places is for one directory, whose names it keeps"
              : "--places needs --secret-file, without which changes could be hidden");
    }
    if (places && digest.isWeak()) {
      throw new Problem("--places needs --digest sha256: others do not show every change");
    }
    if (dcso && secret) {
      throw new Problem("--dcso and --secret-file exclude each other: that format has no secret");
    }
    if (digest.isLowerCase() && !dcso) {
      throw new Problem("--lower-case is for --dcso");
    }
    List<Path> lists = sources.stream().filter(source -> !Files.isDirectory(source)).toList();
    if (!lists.isEmpty()) {
      KeyInput input = new KeyInput(console(), lists.stream().map(Octets::name).toList());
      if (input.contains(output.path())) {
        throw new Problem(output.path(), "is one of the lists");
      }
    }
  }

  private Console console() {
    return program.console();
  }
}
