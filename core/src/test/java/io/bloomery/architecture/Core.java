package io.bloomery.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The library under the rules: its classes and its sources. */
final class Core {

  static final String ROOT = "io.bloomery";

  static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(place -> !isTestkit(place))
          .importPackages(ROOT);

  static final Path MAIN_SOURCES = Path.of("src", "main", "java");
  static final Path TEST_SOURCES = Path.of("src", "test", "java");

  /** The packages that module-info exports without restriction. */
  static final Set<String> EXPORTED = exportedPackages();

  private Core() {}

  /** Whether a class is of the tools that tests share. */
  static boolean isTestkit(Location place) {
    return place.contains("/io/bloomery/testkit/");
  }

  private static Set<String> exportedPackages() {
    Pattern export = Pattern.compile("^ *exports ([a-z.]+);$");
    Set<String> exported =
        lines(MAIN_SOURCES.resolve("module-info.java")).stream()
            .map(export::matcher)
            .filter(Matcher::matches)
            .map(matcher -> matcher.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(exported).contains(ROOT, ROOT + ".membership");
    return exported;
  }

  /** All Java files below a directory. */
  static List<Path> sources(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a file. */
  static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
