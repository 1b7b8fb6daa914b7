package io.bloomery.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every row of {@code docs/errata.md} is complete and names a test that exists. */
final class ErrataTest {

  @Test
  void everyErratumHasATest() throws IOException {
    Set<String> tests;
    try (Stream<Path> files = Files.walk(Path.of("src", "test", "java"))) {
      tests =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Test.java"))
              .map(name -> name.substring(0, name.length() - ".java".length()))
              .collect(Collectors.toSet());
    }
    List<String[]> rows =
        Files.readAllLines(Path.of("../docs/errata.md")).stream()
            .filter(line -> line.startsWith("|") && !line.startsWith("|---"))
            .filter(line -> !line.startsWith("| claim |"))
            .map(line -> line.substring(2, line.length() - 2).split(" \\| "))
            .toList();
    assertThat(rows).hasSizeGreaterThan(50);
    for (String[] row : rows) {
      assertThat(row).as(row[0]).hasSize(5).noneMatch(String::isBlank);
      assertThat(row[4]).matches("`[A-Za-z]+`");
      assertThat(tests).contains(row[4].replace("`", ""));
    }
  }
}
