package io.bloomery.tools.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {

  private static final List<String> NAMES =
      List.of("check", "count", "plan", "plot", "merge", "--memory", "--memory-limit", "-k");

  @ParameterizedTest
  @CsvSource({
    "chek, check", // a letter too few
    "checkk, check",
    "chekc, check", // neighbours swapped
    "CHECK, check",
    "cont, count",
    "pl, plan or plot",
    "mer, merge",
    "memory, --memory",
    "--memmory, --memory",
    "--memory-lim=8M, --memory-limit",
  })
  void nearNamesAreSuggested(String typed, String meant) {
    assertThat(Suggestion.hint(typed, NAMES)).isEqualTo("; did you mean " + meant + "?");
  }

  @ParameterizedTest
  @CsvSource({"frobnicate", "p", "-x", "cht", "''"})
  void farNamesAreNot(String typed) {
    assertThat(Suggestion.hint(typed, NAMES)).isEmpty();
  }

  @Test
  void anUnknownNameComesWithTheNearOnesOrWithAll() {
    assertThat(Suggestion.unknown("kind", "chek", NAMES))
        .isEqualTo("kind chek is unknown; did you mean check?");
    assertThat(Suggestion.unknown("kind", "nosuch", List.of("a", "b")))
        .isEqualTo("kind nosuch is not one of: a, b");
  }
}
