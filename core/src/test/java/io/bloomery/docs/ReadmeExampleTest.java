package io.bloomery.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's Java, as it is printed. Its commands are run where {@code bloom} is packed. */
class ReadmeExampleTest {

  private static final Path README = Path.of("..", "README.md");

  @TempDir private Path directory;

  @Test
  void javaRunsAsItIsPrinted() throws Exception {
    String checks =
        """
        System.out.println(again.mightContain("https://example.org/"));
        System.out.println(again.mightContain("https://example.com/"));
        System.out.println(seen.add("https://example.org/"));
        """;
    Snippets examples = Snippets.of(README);
    assertThat(examples.texts()).hasSize(1);
    assertThat(examples.run(directory, checks)).containsExactly("true", "false", "false");
  }

  @Test
  void theVersionIsThePresentOne() throws IOException {
    Pattern coordinates =
        Pattern.compile(
            "<groupId>io\\.bloomery</groupId>\\s+<artifactId>(bloomery[a-z-]*)</artifactId>\\s+"
                + "<version>([^<]+)</version>");
    Matcher shown = coordinates.matcher(Files.readString(README));
    Matcher built = coordinates.matcher(Files.readString(Path.of("..", "pom.xml")));
    assertThat(shown.find() && built.find()).isTrue();
    assertThat(shown.group(1)).isEqualTo("bloomery");
    assertThat(shown.group(2)).isEqualTo(built.group(2));
  }
}
