package io.bloomery.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The index of {@code docs/decisions} lists every record, and every record has the same form. */
final class DecisionsTest {

  private static final Path DIRECTORY = Path.of("../docs/decisions");

  private static final Pattern RECORD =
      Pattern.compile(
          "# (\\d{3}) ([^\n]+)\n\n\\*\\*Status\\.\\*\\* ([^\n]+)\\.\n\n.*", Pattern.DOTALL);

  private static List<Path> files(String directory) throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY.resolve(directory))) {
      return files
          .filter(file -> file.getFileName().toString().matches("\\d{3}-[a-z0-9-]+\\.md"))
          .sorted()
          .toList();
    }
  }

  @Test
  void theIndexListsEveryRecordWithItsTitleAndStatus() throws IOException {
    List<String> rows = new ArrayList<>();
    for (Path file : files("")) {
      Matcher record = RECORD.matcher(Files.readString(file));
      assertThat(record.matches()).as("%s begins with number, title and status", file).isTrue();
      String status = record.group(3);
      rows.add(
          "| [%s](%s) %s | %s |"
              .formatted(
                  record.group(1),
                  file.getFileName(),
                  record.group(2),
                  status.substring(0, 1).toLowerCase(Locale.ROOT) + status.substring(1)));
    }
    assertThat(Files.readAllLines(DIRECTORY.resolve("README.md")))
        .filteredOn(line -> line.startsWith("| ["))
        .containsExactlyElementsOf(rows);
  }

  @Test
  void numbersAreThoseOfTheFilesAndHaveNoGap() throws IOException {
    int number = 1;
    for (Path file : files("")) {
      String expected = "%03d".formatted(number++);
      assertThat(file.getFileName().toString()).startsWith(expected + "-");
      assertThat(Files.readString(file)).startsWith("# " + expected + " ");
    }
    assertThat(number).isGreaterThan(37);
  }

  @Test
  void everyRecordHasTheSameForm() throws IOException {
    for (Path file : files("")) {
      String text = Files.readString(file);
      assertThat(text)
          .as("%s", file)
          .containsSubsequence("**Status.**", "**Decision", "**Rejected", "**Reopen.** ")
          .containsPattern("\\*\\*(Context|Why)");
      String status = text.lines().skip(2).findFirst().orElseThrow();
      assertThat(status).matches("\\*\\*Status\\.\\*\\* (In force|Replaced by \\[\\d{3}]).*");
    }
  }

  @Test
  void notesBelongToARecordThatLinksToThem() throws IOException {
    assertThat(files("notes")).isNotEmpty();
    for (Path note : files("notes")) {
      Path record = DIRECTORY.resolve(note.getFileName());
      assertThat(Files.readString(record)).contains("(notes/" + note.getFileName() + ")");
      assertThat(Files.readString(note)).contains("(../" + note.getFileName() + ")");
    }
  }
}
