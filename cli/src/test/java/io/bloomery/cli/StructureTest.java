package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rules for packages and sources of the command line, the tools and the applications, checked
 * on their sources.
 */
class StructureTest {

  private static final Path ROOT = Path.of("..");
  private static final int MOST_FILES = 40;
  private static final int MOST_LINES = 600;
  private static final int MOST_TEST_LINES = 400;
  private static final Pattern IMPORT =
      Pattern.compile(
          "^import (?:static )?(io\\.bloomery\\.(?:cli|tools)(?:\\.[a-z]+)*)\\.",
          Pattern.MULTILINE);
  private static final Pattern CLASS_NAME =
      Pattern.compile("\"[^\"\\n]*io\\.bloomery\\.[^\"\\n]*\"");

  /** The packages below the commands, in order: each uses only those before it. */
  private static final List<String> LAYERS =
      Stream.concat(
              Stream.of(
                      "name",
                      "text",
                      "problem",
                      "console",
                      "report",
                      "unpack",
                      "input",
                      "spill",
                      "distinct",
                      "file",
                      "measure")
                  .map(part -> "io.bloomery.tools." + part),
              Stream.of("console", "file", "option").map(part -> "io.bloomery.cli." + part))
          .toList();

  private record Source(Path path, String packageName, String text) {
    private static Source read(Path sources, Path path) {
      try {
        String parent = sources.relativize(path.getParent()).toString();
        return new Source(path, parent.replace('/', '.'), Files.readString(path));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /** The directories of the command line, the tools and the applications. */
  private static List<Path> modules() throws IOException {
    try (Stream<Path> applications = Files.list(ROOT.resolve("apps"))) {
      return Stream.concat(Stream.of("cli", "tools").map(ROOT::resolve), applications)
          .filter(module -> Files.exists(module.resolve("pom.xml")))
          .sorted()
          .toList();
    }
  }

  private static List<Source> sources() throws IOException {
    List<Source> all = new ArrayList<>();
    for (Path module : modules()) {
      Path sources = module.resolve("src/main/java");
      for (Path file : javaFiles(sources)) {
        all.add(Source.read(sources, file));
      }
    }
    return all;
  }

  private static List<Path> testSources() throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path module : modules()) {
      if (Files.exists(module.resolve("src/test/java"))) {
        all.addAll(javaFiles(module.resolve("src/test/java")));
      }
    }
    return all;
  }

  private static List<Path> javaFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  private static Map<String, Set<String>> imports() throws IOException {
    Map<String, Set<String>> imports = new TreeMap<>();
    for (Source source : sources()) {
      Set<String> known = imports.computeIfAbsent(source.packageName, name -> new TreeSet<>());
      IMPORT
          .matcher(source.text)
          .results()
          .map(found -> found.group(1))
          .filter(name -> !name.equals(source.packageName))
          .forEach(known::add);
    }
    return imports;
  }

  @Test
  void onlyMainUsesCommandsAndLayersUseOnlyTheLayersBelow() throws IOException {
    Map<String, Set<String>> imports = imports();
    assertThat(imports.keySet()).containsAll(LAYERS);
    imports.forEach(
        (name, known) -> {
          int layer = LAYERS.indexOf(name);
          Set<String> allowed =
              layer < 0 ? Set.copyOf(LAYERS) : Set.copyOf(LAYERS.subList(0, layer));
          if (!name.equals("io.bloomery.cli")) {
            assertThat(allowed).as("what package " + name + " may import").containsAll(known);
          }
        });
  }

  @Test
  void packagesAndClassesAreSmallAndPackagesAreDocumented() throws IOException {
    Map<String, List<Source>> packages =
        sources().stream()
            .filter(source -> !source.packageName.isEmpty())
            .collect(Collectors.groupingBy(Source::packageName));
    packages.forEach(
        (name, files) -> {
          assertThat(files).as(name).hasSizeLessThanOrEqualTo(MOST_FILES);
          assertThat(files)
              .as(name)
              .anyMatch(
                  file ->
                      file.path.endsWith("package-info.java")
                          && file.text.matches("(?s)/\\*\\*.*\\?.*"));
        });
    assertThat(sources()).allMatch(source -> source.text.lines().count() <= MOST_LINES);
  }

  @Test
  void testClassesAreSmall() throws IOException {
    for (Path file : testSources()) {
      assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThan(MOST_TEST_LINES + 1);
    }
  }

  /** Failures must be reproducible, and claims must hold for any seed. */
  @Test
  void allRandomnessComesFromTheSeedsOfTheRun() throws IOException {
    Pattern random =
        Pattern.compile(
            "new \\w*Random\\(|Math\\.random|ThreadLocal\\w*Random|SecureRandom|RandomGenerator|randomUUID"
                + "|Collections\\.shuffle");
    for (Path file : testSources()) {
      if (!file.endsWith("StructureTest.java")) {
        assertThat(Files.readString(file)).as(file.toString()).doesNotContainPattern(random);
      }
    }
  }

  @Test
  void noSourceNamesAClassByAString() throws IOException {
    List<String> found = new ArrayList<>();
    for (Source source : sources()) {
      CLASS_NAME
          .matcher(source.text)
          .results()
          .map(MatchResult::group)
          .forEach(text -> found.add(source.path + ": " + text));
    }
    assertThat(found).isEmpty();
  }

  /**
   * Hashes that do not outlive the command use the run's own key. The public function is only for
   * hashes that are stored, or compared with stored ones.
   */
  @Test
  void onlyStoredHashesUseThePublicFunction() throws IOException {
    assertThat(sources().stream().filter(source -> source.text.contains("Hasher.xxh3(")))
        .extracting(source -> source.path.getFileName().toString())
        .containsExactlyInAnyOrder(
            "BuildCommand.java", // of the filter
            "Conversion.java", // of a message, which does not state its hash
            "CountCommand.java", // of a filter that is saved
            "FilterChoice.java", // of simulated filters
            "FilterLock.java", // the name of a file
            "FoundFile.java", // of the index
            "KeyRule.java", // of the index
            "ListWriter.java", // of a list that is published, under a random seed
            "Publisher.java", // of a list that is published, under a random seed
            "PartitionCommand.java", // the same parts in every run
            "SampleCommand.java", // the same sample in every run
            "SeenState.java"); // of a filter that is saved, under a random seed
  }

  /** Reports use capabilities, so that a new kind needs no change in them. */
  @Test
  void reportsNameNoKindOfFilter() throws IOException {
    Set<String> kinds =
        Filters.kinds().stream()
            .map(FilterKind::type)
            .map(Class::getName)
            .collect(Collectors.toSet());
    for (Source source : sources()) {
      if (source.path.toString().endsWith("Report.java")
          || source.packageName.endsWith(".report")) {
        for (String kind : kinds) {
          assertThat(source.text).as(source.path.toString()).doesNotContain("import " + kind + ";");
        }
      }
    }
  }
}
