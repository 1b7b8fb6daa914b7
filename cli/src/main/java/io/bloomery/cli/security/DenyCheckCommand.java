package io.bloomery.cli.security;

import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.option.ReportOptions;
import io.bloomery.security.deny.DenyList;
import io.bloomery.security.deny.DenyList.Answer;
import io.bloomery.security.deny.DenyList.Rule;
import io.bloomery.security.deny.DenyList.Verdict;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.BlockReader;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom deny check}: looks up names, URLs, addresses and digests. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Prints for each name, URL, address or digest of a file, one per line, whether it is denied,"
          + " allowed, not listed or unreadable, and the rule that was found.",
      "Exit code: 0 done, 2 error. For what --key names alone, or with --exit-code: 1 if something"
          + " is denied or unreadable."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom deny check list.deny --key https://www.example.com/login",
      "  bloom deny check list.deny names.txt -q | grep ^denied"
    })
public final class DenyCheckCommand implements Callable<Integer> {

  private static final int DENIED = 1;

  @ParentCommand private Program program;

  @Parameters(index = "0", paramLabel = "LIST", description = "A list of bloom deny build.")
  private Path file;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files of what is looked up, plain or compressed. Default: standard input.")
  private List<Path> inputs = new ArrayList<>();

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description = "A name, URL, address or digest; may be repeated.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--exit-code",
      description = "Also for lines: exit with 1 if something is denied or unreadable.")
  private boolean exitCode;

  @Mixin private ReportOptions reporting = new ReportOptions();

  private final Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);

  DenyCheckCommand() {}

  @Override
  public Integer call() {
    Console console = program.console();
    DenyList list;
    SigningKeys.requireFile(file);
    try {
      list = DenyList.open(file);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
    keys.forEach(key -> lookUp(console, list, key));
    if (keys.isEmpty() || !inputs.isEmpty()) {
      lookUpLines(console, list);
    }
    if (!reporting.isQuiet()) {
      console.say(
          "%s denied, %s allowed, %s not listed, %s unreadable"
              .formatted(
                  Text.count(count(Verdict.DENIED)),
                  Text.count(count(Verdict.ALLOWED)),
                  Text.count(count(Verdict.NOT_LISTED)),
                  Text.count(count(Verdict.UNREADABLE))));
    }
    boolean isQuestion = exitCode || (!keys.isEmpty() && inputs.isEmpty());
    return isQuestion && count(Verdict.DENIED) + count(Verdict.UNREADABLE) > 0 ? DENIED : 0;
  }

  private long count(Verdict verdict) {
    return counts.getOrDefault(verdict, 0L);
  }

  private void lookUpLines(Console console, DenyList list) {
    KeyInput input = new KeyInput(console, inputs.stream().map(Octets::name).toList());
    try (BlockReader reader = input.open(KeyLines.reading(), bytes -> {})) {
      new KeyLines(reader, "the keys", false)
          .forEachRemaining(line -> lookUp(console, list, Octets.text(line)));
    }
  }

  private void lookUp(Console console, DenyList list, String item) {
    Answer answer = list.check(item);
    counts.merge(answer.verdict(), 1L, Long::sum);
    String verdict = words(answer.verdict());
    Rule rule = answer.rules().isEmpty() ? null : answer.rules().get(0);
    if (reporting.isJson()) {
      console.print(
          new Report()
              .value("item", item)
              .value("verdict", verdict)
              .value("form", rule == null ? null : words(rule.form()))
              .value("rule", rule == null ? null : rule.text())
              .json());
      return;
    }
    String found = rule == null ? "" : "\t" + words(rule.form()) + " " + rule.text();
    console.print(verdict + "\t" + item + found + "\n");
  }

  private static String words(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
