package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.Applications.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules for applications in CONTRIBUTING.md, "Adding an application". */
class ApplicationsTest {

  private static final Path ROOT = Path.of("..");
  private static final int MOST_FILES = 12;
  private static final int MOST_FACADE_LINES = 300;
  private static final int MOST_COMMAND_LINES = 150;
  private static final int MOST_ROWS = 8;
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "^public (?:(?:final|abstract|sealed|non-sealed) )*(?:class|interface|record|enum) (\\w+)",
          Pattern.MULTILINE);

  /**
   * Exceptions for code older than the rules, with the size allowed. Entries are lowered and
   * deleted, never added or raised: the test fails if one allows over a tenth more than is needed.
   */
  private static final Map<String, Integer> FILES =
      Map.of("io.bloomery.find", 35); // a file format, its builder and its search

  private static final Map<String, Integer> COMMAND_LINES =
      Map.of(
          "index", 200, // four ways to define a key, each with its options
          "secure-index", 320, // three commands in one, since existing verbs stay one word
          "reconcile", 350); // four ways to reach the peer

  private static final Map<String, Set<String>> FURTHER_PUBLIC_TYPES =
      Map.of(
          "io.bloomery.find", // parameter and return types of the facades
          Set.of(
              "IndexReport",
              "KeyRule",
              "Matches",
              "ReadProgress",
              "SearchOptions",
              "SearchResult"));

  /** Parsers without options. */
  private static final Set<String> WITHOUT_OPTIONS = Set.of("io.bloomery.chemistry.Smiles");

  /** Transports, whose users test with outside data. */
  private static final Set<String> WITHOUT_FOREIGN_DATA =
      Set.of(
          "io.bloomery.security.fair.FairLimiter", // its model needs the reaction of clients
          "io.bloomery.transfer.group.SocketTransport");

  static Stream<Application> applications() {
    return Applications.ALL.stream();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path sources(Application application) {
    return ROOT.resolve(application.module())
        .resolve("src/main/java")
        .resolve(application.packageName().replace('.', '/'));
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At most {@code most}, or within a tenth below the exception. */
  private static void assertAtMost(int most, Integer exception, long actual, String what) {
    if (exception == null) {
      assertThat(actual).as(what).isLessThanOrEqualTo(most);
    } else {
      assertThat(exception).as("the exception for " + what + " is needed").isGreaterThan(most);
      long least = exception - exception / 10L;
      assertThat(actual)
          .as(what + ", with an exception that must be lowered")
          .isBetween(least, (long) exception);
    }
  }

  @ParameterizedTest
  @MethodSource("applications")
  void itsPackageIsDocumented(Application application) {
    String info =
        read(sources(application).resolve("package-info.java"))
            .replaceAll("(?m)^ ?(/\\*)?\\*+/? ?", "")
            .replaceAll("\\s+", " ");
    assertThat(info.strip().replaceFirst("(?s)([.?]) .*", "$1")).as("the question").endsWith("?");
    String author = application.source().replaceFirst("[ ,].*", "");
    assertThat(info).contains(author);
    for (String part : List.of("Source", "Promise", "Cost", "When not to use it")) {
      assertThat(info).containsPattern("<p>(<b>)?" + part + "[.:]");
    }
  }

  @ParameterizedTest
  @MethodSource("applications")
  void itHasOneFacadeAndOneRecordOfOptions(Application application) {
    Path facade = sources(application).resolve(application.facadeName() + ".java");
    assertAtMost(MOST_FACADE_LINES, null, read(facade).lines().count(), facade.toString());
    if (WITHOUT_OPTIONS.contains(application.facade())) {
      assertThat(application.options()).isEmpty();
    } else {
      Path options = sources(application).resolve(application.options() + ".java");
      assertThat(read(options)).contains("public record " + application.options() + "(");
      assertAtMost(MOST_FACADE_LINES, null, read(options).lines().count(), options.toString());
    }
  }

  @Test
  void helpersAreHiddenAndPackagesSmall() {
    Map<String, Set<String>> allowed = new TreeMap<>();
    Map<String, Path> places = new TreeMap<>();
    for (Application application : Applications.ALL) {
      Set<String> types =
          allowed.computeIfAbsent(application.packageName(), name -> new TreeSet<>());
      types.add(application.facadeName());
      types.add(application.options());
      types.remove("");
      places.put(application.packageName(), sources(application));
    }
    FURTHER_PUBLIC_TYPES.forEach((name, types) -> allowed.get(name).addAll(types));
    places.forEach(
        (name, directory) -> {
          List<Path> files = files(directory);
          assertAtMost(MOST_FILES, FILES.get(name), files.size(), "files of " + name);
          Set<String> types = new TreeSet<>();
          for (Path file : files) {
            PUBLIC_TYPE.matcher(read(file)).results().forEach(type -> types.add(type.group(1)));
          }
          assertThat(types).as("public types of " + name).isEqualTo(allowed.get(name));
        });
  }

  @ParameterizedTest
  @MethodSource("applications")
  void itsCommandsAreInTheTableAndShort(Application application) {
    for (String words : application.commands()) {
      CommandEntry entry = new Commands().line(words).orElseThrow();
      assertThat(application.module()).endsWith(entry.part().artifact().replace("bloomery-", "/"));
      Path file =
          Path.of("src/main/java").resolve(entry.type().getName().replace('.', '/') + ".java");
      assertAtMost(MOST_COMMAND_LINES, COMMAND_LINES.get(words), read(file).lines().count(), words);
    }
  }

  /** Every command that needs a module of its own belongs to an application. */
  @Test
  void everyCommandOfAModuleBelongsToAnApplication() {
    Set<String> listed =
        applications()
            .flatMap(application -> application.commands().stream())
            .collect(Collectors.toSet());
    for (CommandEntry entry : new Commands().all()) {
      boolean isOfApplication =
          entry.part() != Parts.LIBRARY && entry.group() != CommandGroup.APPLICATIONS;
      assertThat(listed.contains(entry.words())).as(entry.words()).isEqualTo(isOfApplication);
      if (entry.group() == CommandGroup.APPLICATIONS) {
        assertThat(applications().map(Application::question)).contains(entry.summary());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("applications")
  void itsPageSaysWhenNotToUseIt(Application application) throws IOException {
    String[] place = application.page().split("#", 2);
    assertThat(new DocPage(ROOT.resolve("docs").resolve(place[0])).sections())
        .filteredOn(section -> section.title().equals(place[1]))
        .singleElement()
        .satisfies(
            section ->
                assertThat(section.text().replaceAll("\\s+", " "))
                    .contains("**When not to use it**"));
  }

  @ParameterizedTest
  @MethodSource("applications")
  void itsTestsExist(Application application) throws IOException {
    Set<String> tests = new HashSet<>();
    for (Path module : List.of(ROOT.resolve(application.module()), Path.of(""))) {
      try (Stream<Path> files = Files.walk(module.resolve("src/test/java"))) {
        files.forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
      }
    }
    assertThat(tests).contains(application.modelTest());
    if (WITHOUT_FOREIGN_DATA.contains(application.facade())) {
      assertThat(application.dataTest()).isEmpty();
    } else {
      assertThat(tests).contains(application.dataTest());
    }
  }

  /** The table has one row per question, with links to the pages of its applications. */
  @Test
  void theReadmeLinksToEachPage() {
    String readme = read(ROOT.resolve("README.md"));
    int start = readme.indexOf("\n## Applications\n");
    assertThat(start).isPositive();
    String section = readme.substring(start, readme.indexOf("\n## ", start + 1));
    List<String> rows = section.lines().filter(line -> line.startsWith("| ")).skip(1).toList();
    assertThat(rows).hasSizeBetween(1, MOST_ROWS);
    assertThat(rows).allMatch(row -> row.matches("\\| [A-Z][^|]*\\? \\| .*"));
    List<String> links = new ArrayList<>();
    Matcher link = Pattern.compile("\\]\\(docs/([^)#]+)").matcher(section);
    while (link.find()) {
      links.add(link.group(1));
    }
    assertThat(links)
        .containsAll(applications().map(each -> each.page().replaceFirst("#.*", "")).toList());
  }

  @Test
  void everyExportedPackageIsAnApplication() throws IOException {
    Set<String> known = applications().map(Application::packageName).collect(Collectors.toSet());
    Set<String> modules = applications().map(Application::module).collect(Collectors.toSet());
    try (Stream<Path> directories = Files.list(ROOT.resolve("apps"))) {
      for (Path directory : directories.filter(Files::isDirectory).toList()) {
        String module = "apps/" + directory.getFileName();
        assertThat(modules).contains(module.replaceFirst("-adapters$", ""));
        Path descriptor = directory.resolve("src/main/java/module-info.java");
        if (Files.exists(descriptor)) {
          Matcher export = Pattern.compile("exports ([a-z.]+)").matcher(read(descriptor));
          while (export.find()) {
            assertThat(known).contains(export.group(1));
          }
        }
      }
    }
  }

  /** Applications do not depend on each other, and only one class uses each third-party library. */
  @Test
  void applicationsUseTheLibraryAndToolsOnly() throws IOException {
    Map<String, Set<String>> users = new TreeMap<>();
    for (String module : applications().map(Application::module).distinct().toList()) {
      String own = "io.bloomery." + module.replaceFirst(".*/", "");
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          Matcher imported =
              Pattern.compile("(?m)^import (?:static )?([a-z]+\\.[a-z0-9]+)(\\.[a-z]+)?")
                  .matcher(read(file));
          while (imported.find()) {
            String library = imported.group(1);
            String whole = imported.group();
            if (library.equals("io.bloomery")) {
              assertThat(whole).as(file.toString()).doesNotContain("io.bloomery.internal");
              for (Application other : Applications.ALL) {
                boolean isOther = !other.module().equals(module);
                assertThat(isOther && whole.endsWith(other.packageName()))
                    .as(file + " imports from " + other.packageName() + ", not " + own)
                    .isFalse();
              }
            } else if (!library.startsWith("java.") && !library.equals("org.jspecify")) {
              users
                  .computeIfAbsent(module + " " + library, any -> new TreeSet<>())
                  .add(file.toString());
            }
          }
        }
      }
    }
    users.forEach((library, files) -> assertThat(files).as(library).hasSize(1));
  }

  /**
   * Each class of a module of adapters uses the library of one system, which users bring; the JDK's
   * security is such a system.
   */
  @Test
  void anAdapterKnowsOneSystem() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("apps"))) {
      for (Path file :
          files
              .filter(each -> each.toString().matches(".*-adapters/src/main/.*\\.java"))
              .toList()) {
        Set<String> libraries = new TreeSet<>();
        Matcher imported =
            Pattern.compile("(?m)^import (?:static )?([a-z]+\\.[a-z0-9]+)").matcher(read(file));
        while (imported.find()) {
          libraries.add(imported.group(1));
        }
        libraries.removeIf(
            each ->
                (each.startsWith("java.") && !each.equals("java.security"))
                    || each.equals("io.bloomery")
                    || each.equals("org.jspecify"));
        boolean isClass = !file.endsWith("package-info.java");
        assertThat(libraries).as(file.toString()).hasSize(isClass ? 1 : 0);
      }
    }
  }
}
