package io.bloomery.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for sources and for tests. */
final class SourcesTest {

  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.ONLY_INCLUDE_TESTS)
          .importPackages("io.bloomery");

  /** A class that outgrows the limit needs a collaborator. */
  @Test
  void classesAreShort() throws IOException {
    assertThat(longerThan(600, Path.of("src", "main", "java"))).isEmpty();
    assertThat(longerThan(400, Path.of("src", "test", "java"))).isEmpty();
  }

  private static List<String> longerThan(int limit, Path root) throws IOException {
    assertThat(root).isDirectory();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> lines(file) > limit)
          .map(file -> file + " has " + lines(file) + " lines, " + limit + " are allowed")
          .toList();
    }
  }

  private static long lines(Path file) {
    try {
      return Files.readAllLines(file, UTF_8).size();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Whatever fails must fail again: randomness has a seed. */
  @Test
  void nothingRandomIsWithoutASeed() {
    noClasses().should().callConstructor(Random.class).check(TESTS);
    noClasses().should().callConstructor(SplittableRandom.class).check(TESTS);
    noClasses().should().callMethod(Math.class, "random").check(TESTS);
    noClasses().should().callMethod(ThreadLocalRandom.class, "current").check(TESTS);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.security.SecureRandom")
        .check(TESTS);
  }

  /** Tests that end by the clock fail on busy machines. */
  @Test
  void noTestSleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(TESTS);
  }
}
