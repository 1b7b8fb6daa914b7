package io.bloomery.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.bloomery.testkit.Seeds;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Rules for sources and for tests. */
final class SourcesTest {

  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(
              place ->
                  ImportOption.Predefined.ONLY_INCLUDE_TESTS.includes(place)
                      || Core.isTestkit(place))
          .importPackages("io.bloomery");

  /** A class that outgrows the limit needs a collaborator. */
  @Test
  void classesAreShort() {
    assertThat(longerThan(600, Core.MAIN_SOURCES)).isEmpty();
    assertThat(longerThan(400, Core.TEST_SOURCES)).isEmpty();
  }

  private static List<String> longerThan(int limit, Path root) {
    List<Path> files = Core.sources(root);
    assertThat(files).isNotEmpty();
    return files.stream()
        .filter(file -> Core.lines(file).size() > limit)
        .map(
            file ->
                "%s has %d lines, %d are allowed".formatted(file, Core.lines(file).size(), limit))
        .toList();
  }

  /** A package that outgrows the limit answers two questions. */
  @Test
  void packagesAreSmall() {
    Map<Path, Long> sizes =
        Core.sources(Core.MAIN_SOURCES).stream()
            .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
    assertThat(sizes).isNotEmpty();
    sizes.values().removeIf(files -> files <= 40);
    assertThat(sizes).as("packages of more than 40 files").isEmpty();
  }

  /** No code depends on the order of an enum's constants. */
  @Test
  void noConstantIsFoundByItsOrdinal() {
    assertThat(linesWith("values()[")).isEmpty();
    assertThat(linesWith("getEnumConstants()[")).isEmpty();
  }

  /** A name in a string is a dependency that no compiler and no rule sees. */
  @Test
  void noClassIsNamedByAString() {
    assertThat(linesWith("\"" + Core.ROOT + ".")).isEmpty();
    assertThat(linesWith("Class.forName(")).isEmpty();
  }

  /** A range error is worded in one place. Foreign formats say more: whose limit it is. */
  @Test
  void rangeErrorsHaveOneWording() {
    for (String words :
        List.of("outside the allowed range", " is not a multiple of ", "power of two\"", " … \"")) {
      assertThat(linesWith(words))
          .as("lines with: " + words)
          .allMatch(line -> line.contains("Arguments.java: ") || line.contains("/foreign/"));
    }
  }

  private static List<String> linesWith(String text) {
    return Core.sources(Core.MAIN_SOURCES).stream()
        .flatMap(
            file ->
                Core.lines(file).stream()
                    .filter(line -> line.contains(text) && !line.strip().startsWith("*"))
                    .map(line -> file + ": " + line.strip()))
        .toList();
  }

  /** Every package says first which question it answers. */
  @Test
  void everyPackageAsksItsQuestion() {
    for (String name : Core.EXPORTED) {
      Path info = Core.MAIN_SOURCES.resolve(name.replace('.', '/')).resolve("package-info.java");
      assertThat(info).isRegularFile();
      String comment =
          Core.lines(info).stream()
              .filter(line -> line.startsWith("/**") || line.startsWith(" * "))
              .map(line -> line.replaceFirst("^(/\\*\\*| \\*)", "").strip())
              .collect(Collectors.joining(" "));
      assertThat(comment.replaceAll("([.?]) .*", "$1")).as(name).endsWith("?");
    }
  }

  /** What is not exported is internal, or shared by foreign formats. */
  @Test
  void everyPackageIsExportedOrInternal() {
    Set<String> hidden =
        Core.MAIN.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.startsWith(Core.ROOT + ".internal."))
            .collect(Collectors.toCollection(TreeSet::new));
    hidden.removeAll(Core.EXPORTED);
    assertThat(hidden).containsExactly(Core.ROOT + ".foreign.hash");
  }

  /**
   * Failures must be reproducible, and claims must hold for any seed: {@link Seeds} creates all
   * generators.
   */
  @Test
  void everythingRandomComesFromTheSeedsOfTheRun() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(Seeds.class.getName())
        .and()
        .resideOutsideOfPackage("..mutation") // a tool: its user names the seed
        .should()
        .callConstructorWhere(target(owner(simpleNameEndingWith("Random"))))
        .check(TESTS);
    noClasses().should().callMethod(ThreadLocalRandom.class, "current").check(TESTS);
    noClasses().should().callMethod(RandomGenerator.class, "getDefault").check(TESTS);
    noClasses().should().callMethod(RandomGenerator.class, "of", String.class).check(TESTS);
    noClasses().should().callMethod(Math.class, "random").check(TESTS);
    noClasses().should().callMethod(Collections.class, "shuffle", List.class).check(TESTS);
    noClasses().should().callMethod(UUID.class, "randomUUID").check(TESTS);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.security.SecureRandom")
        .check(TESTS);
  }

  /** Tests that end by the clock fail on busy machines; a slow pipe only delays them. */
  @Test
  void noTestSleeps() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.bloomery.testkit.SlowStream")
        .should()
        .callMethod(Thread.class, "sleep", long.class)
        .check(TESTS);
  }
}
