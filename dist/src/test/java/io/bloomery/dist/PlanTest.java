package io.bloomery.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of {@code bloom plan}, and the room that they take, in the packed command. */
class PlanTest {

  @TempDir private Path directory;

  @Test
  void extremeNeedsHaveAnswers() throws Exception {
    Typed typed =
        Typed.in(
            directory,
            """
            bloom plan -n 100 --rate 1e-9 | sed -n '4s/  */ /gp'
            bloom plan -n 1e12 --rate 1% | grep -o 'in [0-9]* filters'
            bloom plan -n 500M --frozen | grep -o 'Built in [0-9]* shards'
            bloom plan -n 1M --frozen --deletes; echo $?
            bloom plan -n 1M --memory 60kB; echo $?
            bloom plan -n 1M --ranges 100 --frozen | grep -o "1  grafite"; echo $?
            bloom plan -n 1M | awk '/^[1-5] / { print $2 }' | sed 's/-[0-9]*$//' | sort -u | wc -l
            """);
    assertThat(typed.out())
        .matches(
            """
             sorted-hashes SortedHashList 37[.]00 463 bytes .*
            in [0-9]+ filters
            Built in [0-9]+ shards
            A frozen set never changes, which contradicts deletes: leave out one of the two[.]
            1
            0.48 bits per key are too few: .* would report 88 % of absent keys present[.].*
            1
            1  grafite
            0
            5
            """);
    assertThat(typed.err()).isEmpty();
  }

  @Test
  void tablesAndChartsFitTheTerminal() throws Exception {
    for (int columns : new int[] {50, 120}) {
      Typed typed =
          Typed.in(
              directory,
              Map.of("LC_ALL", "C.UTF-8", "COLUMNS", Integer.toString(columns)),
              "bloom plan -n 1M; bloom plot rate --kinds bloom");
      int longest = typed.out().lines().mapToInt(String::length).max().orElse(0);
      assertThat(longest).isBetween(columns / 2, columns);
    }
  }
}
