package io.bloomery.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first page of the documentation: its examples print what stands beside them. */
class OverviewTest {

  private static final Pattern PRINTED = Pattern.compile("System\\.out\\.println.*; *// (\\w+).*");

  @TempDir private Path directory;

  @Test
  void examplesPrintWhatTheySay() throws Exception {
    Snippets examples = Snippets.of(Path.of("src/main/javadoc/overview.html"));
    List<String> promised =
        examples.texts().stream()
            .flatMap(String::lines)
            .map(PRINTED::matcher)
            .filter(Matcher::matches)
            .map(line -> line.group(1))
            .toList();
    assertThat(promised).hasSizeGreaterThan(8);
    assertThat(examples.run(directory)).isEqualTo(promised);
  }
}
