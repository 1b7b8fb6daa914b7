package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.Filter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code bloom check}: asks a filter about keys. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "Asks a filter about keys, one a line, and prints ANSWER<tab>KEY for each, where ANSWER is"
          + " \"certainly absent\" or \"probably present\"; then the counts, to standard error.",
      "Exit code: 0 all keys are probably present, 1 some are certainly absent, 2 error."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom check words.bloom --key zebra --key zebrra",
      "  bloom check seen.bloom today.txt.gz --only absent >new.txt",
      "  cut -f3 log.tsv | bloom check urls.bloom --count",
      "  bloom check -q revoked.bloom --key \"$id\" && ask-the-database \"$id\""
    })
final class CheckCommand implements Callable<Integer> {

  private static final int SOME_ABSENT = 1;

  @ParentCommand private Main main;

  @Parameters(index = "0", paramLabel = "FILTER", description = "A filter that bloom build wrote.")
  private Path filter;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "KEYS-FILE",
      description = "Files of keys, plain or gzip. None or -: standard input.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-k", "--key"},
      paramLabel = "KEY",
      description = "A key to ask for; may be repeated.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--only",
      paramLabel = "absent|present",
      description = "Print only the keys with this answer, without the answer.")
  private Answer only;

  @Option(
      names = {"-c", "--count"},
      description = "Print only the counts.")
  private boolean count;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print nothing; the exit code is the answer.")
  private boolean quiet;

  @Option(names = "--json", description = "Print only the counts, as one line of JSON.")
  private boolean json;

  @Option(names = "--keep-empty", description = "Empty lines are keys. Default: they are skipped.")
  private boolean keepEmpty;

  @Option(names = "--verify", description = "Check every byte of the filter's file first.")
  private boolean verify;

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  /** For picocli. */
  CheckCommand() {}

  @Override
  public Integer call() {
    Console console = main.console();
    if (only != null && (count || quiet || json)) {
      throw new Problem("--only prints keys; --count, --quiet and --json print none");
    }
    Filter opened = FilterFile.read(filter, verify).map(keyFile);
    boolean listing = !count && !quiet && !json;
    Answers answers = new Answers(opened, listing ? console.out() : null, only);
    for (String key : keys) {
      byte[] bytes = key.getBytes(UTF_8);
      answers.key(bytes, 0, bytes.length);
    }
    Lines lines = new Lines(keepEmpty, answers);
    if (keys.isEmpty() || !files.isEmpty()) {
      new KeyInput(console, files).read(lines, bytes -> {});
    }
    answers.pause();
    if (json) {
      console.print(json(answers, lines));
    } else if (count) {
      console.print(text(answers, lines) + "\n");
    } else if (!quiet) {
      console.say(text(answers, lines));
    }
    return answers.absent() > 0 ? SOME_ABSENT : 0;
  }

  private static String text(Answers answers, Lines lines) {
    String text =
        "%s: %s probably present, %s certainly absent"
            .formatted(
                Text.count(answers.present() + answers.absent(), "key"),
                Text.count(answers.present()),
                Text.count(answers.absent()));
    return lines.skipped() == 0
        ? text
        : text + "; " + Text.count(lines.skipped(), "empty line") + " skipped";
  }

  private String json(Answers answers, Lines lines) {
    return new Report()
        .value("file", filter.toString())
        .value("keys", answers.present() + answers.absent())
        .value("probablyPresent", answers.present())
        .value("certainlyAbsent", answers.absent())
        .value("emptyLinesSkipped", lines.skipped())
        .json();
  }
}
