package io.bloomery.cli.index;

import io.bloomery.Filters;
import io.bloomery.ReadOptions;
import io.bloomery.cli.console.Program;
import io.bloomery.cli.console.Version;
import io.bloomery.cli.file.KeyFileOption;
import io.bloomery.cli.option.Converters;
import io.bloomery.cli.option.OutputOptions;
import io.bloomery.cli.option.ProgressOptions;
import io.bloomery.find.DocumentIndex;
import io.bloomery.find.DocumentOptions;
import io.bloomery.find.IndexReport;
import io.bloomery.secure.IndexKeys;
import io.bloomery.secure.Secret;
import io.bloomery.secure.SecureIndex;
import io.bloomery.secure.SecureIndexShape;
import io.bloomery.tools.console.Console;
import io.bloomery.tools.console.Problems;
import io.bloomery.tools.file.Saving;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Report;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code bloom secure-index}: an index of documents that can be searched without revealing their
 * words.
 */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    description = {
      "build makes an index of the words of files, or of all files below directories, under a"
          + " secret. search prints the documents that contain a word. A machine that may not know"
          + " the words searches by trapdoors, without the secret: trapdoor prints that of a word,"
          + " search --trapdoor takes it. The names of documents are not hidden.",
      "Exit code of search: 0 found, 1 not found, 2 error."
    },
    parameterListHeading = "%n",
    optionListHeading = "%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  bloom secure-index build letters -o letters.bloom \\",
      "      --secret-file secret --generate-secret",
      "  bloom secure-index search noon letters.bloom --secret-file secret",
      "  bloom secure-index trapdoor noon letters.bloom --secret-file secret",
      "  bloom secure-index search --trapdoor 8d0b… letters.bloom"
    })
public final class SecureIndexCommand implements Callable<Integer> {

  private static final int NOT_FOUND = 1;
  private static final int SOME_UNREAD = 2;
  private static final double DEFAULT_RATE = 0.001;

  /** What to do. */
  enum Action {
    /** Makes an index. */
    BUILD,
    /** Finds documents. */
    SEARCH,
    /** Prints the trapdoor of a word, which finds it without the secret. */
    TRAPDOOR;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @ParentCommand private Program program;

  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "What to do: build, search or trapdoor.")
  private Action action;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "PATH… | WORD… INDEX",
      hideParamSyntax = true,
      description =
          "To build: files, plain or compressed, and directories of files. To search: words, and"
              + " last the index.")
  private List<String> words = new ArrayList<>();

  @Mixin private OutputOptions.OnRequest output = new OutputOptions.OnRequest();

  @Mixin private KeyFileOption keyFile = new KeyFileOption();

  @Option(
      names = "--generate-secret",
      description = "Write a new secret to the file of --secret-file, which must not exist.")
  private boolean generate;

  @Option(
      names = {"-p", "--rate"},
      paramLabel = "P",
      converter = Converters.Rate.class,
      description =
          "False-positive rate: how often a document without the word is found. Default: 0.1%%.")
  private @Nullable Double rate;

  @Option(
      names = "--max-words",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Most distinct words of a document; documents with more are left out. Default: those of"
              + " the largest, rounded up to a power of two.")
  private @Nullable Long maxWords;

  @Option(names = "--text", description = "Index files that look binary as well.")
  private boolean text;

  @Option(
      names = "--all-words",
      description = "Find documents that have all words. Default: one of them.")
  private boolean all;

  @Option(
      names = "--trapdoor",
      description = "Search by trapdoors instead of words; needs no secret.")
  private boolean trapdoors;

  @Mixin private ProgressOptions reporting = new ProgressOptions();

  SecureIndexCommand() {}

  @Override
  public Integer call() {
    check();
    return switch (action) {
      case BUILD -> build();
      case SEARCH -> search();
      case TRAPDOOR -> trapdoor();
    };
  }

  private void check() {
    boolean building = action == Action.BUILD;
    refuse(!building && output.isGiven(), "-o");
    refuse(!building && generate, "--generate-secret");
    refuse(!building && rate != null, "--rate");
    refuse(!building && maxWords != null, "--max-words");
    refuse(!building && text, "--text");
    refuse(action != Action.SEARCH && all, "--all-words");
    refuse(action != Action.SEARCH && trapdoors, "--trapdoor");
    if (trapdoors && keyFile.isGiven()) {
      throw new Problem("a search by trapdoors needs no secret; leave out --secret-file");
    }
    if (!trapdoors && !keyFile.isGiven()) {
      throw new Problem(
          "a secret is needed: --secret-file FILE"
              + (building ? "; with --generate-secret a new one is written there" : ""));
    }
    if (!building && words.size() < 2) {
      throw new Problem("a word and an index are needed, in this order");
    }
    if (maxWords != null && maxWords > SecureIndexShape.MAX_WORDS) {
      throw new Problem("--max-words is " + maxWords + "; it must be at most 134217728");
    }
  }

  private void refuse(boolean wrong, String option) {
    if (wrong) {
      throw new Problem(option + " is not for " + action);
    }
  }

  private int build() {
    Console console = program.console();
    if (!output.isGiven()) {
      throw new Problem("an index needs a file: -o FILE");
    }
    Path target = output.path();
    output.check();
    Problems problems = new Problems(console);
    DocumentOptions options =
        new DocumentOptions(
            rate == null ? DEFAULT_RATE : rate,
            maxWords == null ? null : Math.toIntExact(maxWords),
            text);
    List<Path> paths = words.stream().map(Path::of).toList();
    DocumentIndex documents = new DocumentIndex(paths, target, keyFile::isFile, options, problems);
    if (generate) {
      keyFile.generate();
    }
    try (Secret secret = keyFile.secret();
        ReadingBar bar = new ReadingBar(console, reporting)) {
      SecureIndex index = documents.build(secret, bar);
      Saving.save(index, target);
    }
    IndexReport report = documents.report(target);
    reporting.print(console, report::text, report::json);
    return problems.any() ? SOME_UNREAD : 0;
  }

  private SecureIndex index() {
    Path file = Octets.path(words.get(words.size() - 1));
    if (Files.isDirectory(file)) {
      throw new Problem(file, "is a directory, not an index");
    }
    try {
      return Filters.map(file, ReadOptions.as(SecureIndex.class).verified());
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  private List<String> asked() {
    return words.subList(0, words.size() - 1);
  }

  private List<IndexKeys.Trapdoor> trapdoors(SecureIndex index) {
    if (trapdoors) {
      return asked().stream().map(SecureIndexCommand::parsed).toList();
    }
    List<String> asked = asked().stream().map(DocumentIndex::word).toList();
    try (Secret secret = keyFile.secret();
        IndexKeys keys = index.keys(secret)) {
      return asked.stream().map(keys::trapdoor).toList();
    } catch (IllegalArgumentException e) {
      throw new Problem(words.get(words.size() - 1) + ": " + e.getMessage());
    }
  }

  private static IndexKeys.Trapdoor parsed(String hex) {
    try {
      return IndexKeys.Trapdoor.of(HexFormat.of().parseHex(hex));
    } catch (IllegalArgumentException e) {
      throw new Problem("not a trapdoor, which is 96 or more hexadecimal digits");
    }
  }

  private int trapdoor() {
    Console console = program.console();
    for (IndexKeys.Trapdoor trapdoor : trapdoors(index())) {
      console.print(HexFormat.of().formatHex(trapdoor.toBytes()) + "\n");
    }
    return 0;
  }

  private int search() {
    Console console = program.console();
    SecureIndex index = index();
    Set<String> found = new TreeSet<>();
    boolean first = true;
    for (IndexKeys.Trapdoor trapdoor : trapdoors(index)) {
      List<String> matches = matches(index, trapdoor);
      if (all && !first) {
        found.retainAll(matches);
      } else {
        found.addAll(matches);
      }
      first = false;
    }
    for (String name : found) {
      console.print(
          reporting.isJson()
              ? new Report().value("document", name).json()
              : console.shown(name) + "\n");
    }
    if (!reporting.isQuiet()) {
      summarise(console, index, found);
    }
    return found.isEmpty() ? NOT_FOUND : 0;
  }

  private void summarise(Console console, SecureIndex index, Set<String> found) {
    double expected = index.shape().falsePositiveRate();
    if (reporting.isJson()) {
      console.print(
          new Report()
              .value("file", words.get(words.size() - 1))
              .value("documentsFound", found.size())
              .value("documentsSearched", index.documents().size())
              .value("expectedRate", expected)
              .json());
    } else {
      console.out().flush();
      console.say(
          "%d of %s; every other document is found wrongly at a rate of %s"
              .formatted(
                  found.size(),
                  Text.count(index.documents().size(), "document"),
                  Text.rate(expected)));
    }
  }

  private static List<String> matches(SecureIndex index, IndexKeys.Trapdoor trapdoor) {
    try {
      return index.search(trapdoor);
    } catch (IllegalArgumentException e) {
      throw new Problem(String.valueOf(e.getMessage()));
    }
  }
}
