package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.security.deny.DenyList;
import io.bloomery.security.deny.DenyOptions;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Progress;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom deny build}: builds a list. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Builds a list from files with a rule per line: a domain, a line of a hosts file, ||domain^,"
          + " *.domain, a URL, an address or a network, or a digest of a file; @@ before a rule"
          + " allows. Files are plain or compressed. Lines that are no rules are counted and"
          + " skipped."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom deny build domains.txt hosts.txt.gz -o list.deny --allow ours.txt",
      "  bloom deny build domains.txt -o list.deny --universe customers.txt -p 1e-4"
    })
public final class DenyBuildCommand implements Callable<Integer> {

  @ParentCommand private Program program;

  @Parameters(arity = "1..*", paramLabel = "LIST", description = "The lists.")
  private List<Path> lists = new ArrayList<>();

  @Mixin private OutputOptions.Required output = new OutputOptions.Required();

  @Option(
      names = "--allow",
      paramLabel = "FILE",
      description = "A list of what is allowed though a rule denies it; may be repeated.")
  private List<Path> allow = new ArrayList<>();

  @Option(
      names = "--universe",
      paramLabel = "FILE",
      description =
          "A file of names, URLs, addresses and digests, one per line, that are not denied by"
              + " chance; may be repeated.")
  private List<Path> universe = new ArrayList<>();

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "False-positive rate: how often a lookup finds something by chance. Default: 0.0001%%.")
  private double rate = DenyOptions.DEFAULT.rate();

  @Option(names = "--strict", description = "Fail at the first line that cannot be read.")
  private boolean strict;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Use this seed for the hash, so that the same rules make the same file. Default: drawn"
              + " for each list.")
  private @Nullable Long seed;

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  DenyBuildCommand() {}

  @Override
  public Integer call() {
    output.check();
    Console console = program.console();
    List<Path> files = Stream.of(lists, allow, universe).<Path>flatMap(List::stream).toList();
    KeyInput input = new KeyInput(console, files.stream().map(Octets::name).toList());
    if (input.contains(output.path())) {
      throw new Problem(output.path(), "is one of the lists");
    }
    DenyReport report;
    boolean bar = reporting.isBarWanted(console, false);
    try (Progress progress = new Progress(console, bar, input.bytes())) {
      report =
          new DenyReport(output.path(), DenyList.build(lists, output.path(), options(), progress));
    } catch (IOException e) {
      throw ListProblem.of(output.path(), e);
    }
    report.warnings().forEach(console::warn);
    reporting.print(console, report::text, report::json);
    return 0;
  }

  private DenyOptions options() {
    return new DenyOptions(
        rate, allow, universe, strict, seed == null ? OptionalLong.empty() : OptionalLong.of(seed));
  }
}
