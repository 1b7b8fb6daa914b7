package io.bloomery.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.cli.option.OutputOptions;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.AutoComplete;
import picocli.CommandLine.Model.OptionSpec;

/** An option means the same wherever it occurs. */
class OptionNamesTest {

  private static final Set<String> SHARED =
      Set.of("--output", "--force", "--quiet", "--json", "--no-progress", "--count");

  /** The two ends of what the command is about: formats of a conversion, keys of a range. */
  private static final Set<String> ENDS = Set.of("--from", "--to");

  private record Use(String command, OptionSpec option) {
    /** What must agree: the type, the label of the value, the first words. */
    private String meaning() {
      String[] words = String.join(" ", option.description()).split("[ ,.:;]+", 3);
      String type = option.typeInfo().getClassSimpleName().toLowerCase(Locale.ROOT);
      return "%s %s: %s %s".formatted(type, option.paramLabel(), words[0], words[1]);
    }
  }

  private static List<Use> uses() {
    List<Use> uses = new ArrayList<>();
    Bloom.commandLine()
        .getSubcommands()
        .forEach(
            (name, command) ->
                command
                    .getCommandSpec()
                    .options()
                    .forEach(option -> uses.add(new Use(name, option))));
    return uses;
  }

  private static Map<String, List<Use>> byName(List<Use> uses) {
    Map<String, List<Use>> names = new TreeMap<>();
    for (Use use : uses) {
      for (String name : use.option.names()) {
        names.computeIfAbsent(name, any -> new ArrayList<>()).add(use);
      }
    }
    return names;
  }

  @Test
  void aNameHasOneMeaning() {
    byName(uses())
        .forEach(
            (name, uses) -> {
              Map<String, Set<String>> meanings = new LinkedHashMap<>();
              uses.stream()
                  .filter(use -> !use.option.hidden())
                  .forEach(
                      use ->
                          meanings
                              .computeIfAbsent(use.meaning(), any -> new TreeSet<>())
                              .add(use.command));
              assertThat(meanings.size())
                  .as(name + " " + meanings)
                  .isLessThanOrEqualTo(ENDS.contains(name) ? 2 : 1);
            });
  }

  @Test
  void aHiddenNameIsHiddenInEveryCommand() {
    byName(uses())
        .forEach(
            (name, uses) ->
                assertThat(uses.stream().map(use -> use.option.hidden()).distinct().count())
                    .as(name + " is hidden in some commands only")
                    .isEqualTo(1));
  }

  @Test
  void valuesAreOfferedInLowerCase() {
    for (Use use : uses()) {
      Iterable<String> values = use.option.completionCandidates();
      if (values != null) {
        assertThat(values)
            .as(use.command + " " + use.option.longestName())
            .allMatch(value -> value.equals(value.toLowerCase(Locale.ROOT)));
      }
    }
  }

  /** Except for {@code -n}, which is the number of keys or of parts, depending on the command. */
  @Test
  void aShortNameGoesWithOneLongName() {
    Map<String, Set<String>> longNames = new TreeMap<>();
    for (Use use : uses()) {
      longNames
          .computeIfAbsent(use.option.shortestName(), any -> new TreeSet<>())
          .add(use.option.longestName());
    }
    assertThat(longNames.remove("-n")).containsExactly("--keys", "--parts");
    longNames.forEach((name, all) -> assertThat(all).as(name).hasSize(1));
  }

  /**
   * The bash script keeps the values of a command's option in a variable named after the label of
   * its value, so two options with the same label must have the same values.
   */
  @Test
  void completionKeepsTheValuesOfEveryOptionApart() {
    String script = AutoComplete.bash("bloom", Bloom.commandLine());
    Pattern variable = Pattern.compile("^ +local (\\w+_args)=(\\(.*?\\)) #", Pattern.MULTILINE);
    int valued = 0;
    for (String function : script.split("\nfunction ", -1)) {
      Map<String, String> seen = new TreeMap<>();
      for (Matcher match = variable.matcher(function); match.find(); valued++) {
        assertThat(seen.merge(match.group(1), match.group(2), (before, now) -> before))
            .as("%s in %s", match.group(1), function.lines().findFirst().orElse(""))
            .isEqualTo(match.group(2));
      }
    }
    assertThat(valued).as("options with a choice of values").isGreaterThan(10);
  }

  @Test
  void sharedReportOptionsAreDeclaredOnce() {
    String shared = OutputOptions.class.getPackageName();
    byName(uses()).entrySet().stream()
        .filter(entry -> SHARED.contains(entry.getKey()))
        .flatMap(entry -> entry.getValue().stream())
        .forEach(
            use ->
                assertThat(((Member) use.option.userObject()).getDeclaringClass().getPackageName())
                    .as(use.command + " " + use.option.longestName())
                    .isEqualTo(shared));
  }
}
