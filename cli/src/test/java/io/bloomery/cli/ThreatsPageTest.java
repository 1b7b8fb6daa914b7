package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.FilterKind;
import io.bloomery.Filters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables at the top of docs/threats.md have every kind of filter and every command. */
final class ThreatsPageTest {

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @Test
  void everyKindHasOneRow() throws IOException {
    assertThat(firstColumn("kinds"))
        .containsExactlyInAnyOrderElementsOf(
            Filters.kinds().stream().map(FilterKind::name).toList());
  }

  @Test
  void everyCommandHasARow() throws IOException {
    List<String> commands =
        new Commands()
            .all().stream()
                .map(CommandEntry::words)
                .map(ThreatsPageTest::firstWord)
                .distinct()
                .toList();
    assertThat(firstColumn("commands").stream().map(ThreatsPageTest::firstWord).distinct())
        .containsExactlyInAnyOrderElementsOf(commands);
  }

  private static String firstWord(String words) {
    return words.replaceFirst(" .*", "");
  }

  /** What stands in code in the first column of the table below a heading. */
  private static List<String> firstColumn(String table) throws IOException {
    String page = Files.readString(Path.of("../docs/threats.md"));
    String section = page.substring(page.indexOf("## At a glance: " + table));
    return section
        .substring(0, section.indexOf("\n## "))
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(0, line.indexOf(" | ")))
        .flatMap(cell -> CODE.matcher(cell).results().map(code -> code.group(1)))
        .toList();
  }
}
