package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.security.password.PasswordList;
import io.bloomery.security.password.PasswordOptions;
import io.bloomery.security.password.PasswordOptions.Input;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.HashStore;
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

/** {@code bloom password build}: builds a list. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Builds a list from files with a password per line, or from the published files of digests:"
          + " SHA-1 or NTLM in hexadecimal, a colon and a count. Files are plain or compressed;"
          + " each is streamed. Lines of digests that cannot be read are counted and skipped."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom password build leaked.txt.gz -o leaked.bloom --one-change",
      "  bloom password build pwned-ntlm.txt -o pwned.bloom -p 1e-9 --count-classes"
    })
public final class PasswordBuildCommand implements Callable<Integer> {

  /** What the lines of files hold, as users write it. */
  enum Lines {
    PLAIN,
    SHA1,
    NTLM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @ParentCommand private Program program;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "The lists.")
  private List<Path> files = new ArrayList<>();

  @Mixin private OutputOptions.Required output = new OutputOptions.Required();

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "False-positive rate: the share of other passwords that are refused, per lookup. Default:"
              + " 0.0001%%.")
  private double rate = PasswordOptions.DEFAULT.rate();

  @Option(
      names = "--one-change",
      description =
          "Also refuse passwords that one inserted, deleted or replaced character makes listed"
              + " ones; a check then makes up to 2L + 2 lookups for L characters.")
  private boolean oneChange;

  @Option(
      names = "--count-classes",
      description = "Also keep which passwords were seen at least 10, 100 and 1,000 times.")
  private boolean countClasses;

  @Option(
      names = "--lines",
      paramLabel = "FORM",
      description =
          "What lines hold: ${COMPLETION-CANDIDATES}. Default: as half of a file's first lines look.")
  private @Nullable Lines lines;

  @Option(names = "--strict", description = "Fail at the first line that cannot be read.")
  private boolean strict;

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  PasswordBuildCommand() {}

  @Override
  public Integer call() {
    output.check();
    Console console = program.console();
    KeyInput input = new KeyInput(console, files.stream().map(Octets::name).toList());
    if (input.contains(output.path())) {
      throw new Problem(output.path(), "is one of the lists");
    }
    PasswordBuildReport report;
    boolean bar = reporting.isBarWanted(console, false);
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      report =
          new PasswordBuildReport(
              output.path(), PasswordList.build(files, output.path(), options(), progress));
    } catch (IOException e) {
      throw ListProblem.of(output.path(), e);
    }
    String broken = report.broken();
    if (broken != null) {
      console.warn(broken);
    }
    reporting.print(console, report::text, report::json);
    return 0;
  }

  private PasswordOptions options() {
    return new PasswordOptions(
        rate,
        lines == null ? Input.DETECTED : Input.valueOf(lines.name()),
        oneChange,
        countClasses,
        strict,
        Math.min(PasswordOptions.DEFAULT.heapKeys(), HashStore.defaultCapacity()),
        null);
  }
}
