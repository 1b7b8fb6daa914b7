package io.bloomery.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.chart.Chart.Panel;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class TerminalChartTest {

  static Set<String> names() {
    return Gallery.charts().keySet();
  }

  @Test
  void aCurveIsMadeOfDotsAndItsLetter() {
    List<Point> points = List.of(new Point(0, 0), new Point(1, 1));
    Series curve = new Series("diagonal", 1, Form.CURVE, points);
    Panel panel = new Panel(Gallery.unit("across"), Gallery.unit("up"), List.of(curve));
    Chart chart = new Chart("Title", "note", List.of(panel));
    assertThat(Pictures.text(chart, 30, 6, false))
        .isEqualTo(
            """
            Title
            note

            up
               1.0 ┤                 ⡠⠔⠊
               0.8 ┤             ⢀⡠⠒⠉
               0.6 ┤          ⣀⠔⠊⠁
               0.4 ┤      ⢀⡠⠔⠉
               0.2 ┤   ⣀⠤⠊⠁
               0.0 ┤B⠔⠊
                   └┬─────────┬────────┬
                   0.0       0.5      1.0
                           across

              B  diagonal
            """);
  }

  @Test
  void coloursEndWhereTheyBegin() {
    String plain = Pictures.text(Gallery.charts().get("eight-looks"), 80, 20, false);
    String coloured = Pictures.text(Gallery.charts().get("eight-looks"), 80, 20, true);
    assertThat(coloured.replaceAll("\033\\[38;5;[0-9]+m([^\033])\033\\[0m", "$1")).isEqualTo(plain);
    for (int look = 0; look < Look.COUNT; look++) {
      String letter = "\033[38;5;" + Look.of(look).terminal() + "m" + (char) ('A' + look);
      assertThat(coloured).contains(letter + "\033[0m  curve number " + look + "\n");
    }
  }

  @Test
  void everyLookHasALetterOfItsOwn() {
    List<Series> many =
        IntStream.range(0, 52)
            .mapToObj(i -> new Series("s" + i, i, Form.CURVE, List.of()))
            .toList();
    Panel panel = new Panel(Gallery.unit("x"), Gallery.unit("y"), many);
    assertThat(
            Pictures.text(new Chart("", "", List.of(panel)), 80, 20, false)
                .lines()
                .filter(line -> line.matches("  [A-Za-z]  s[0-9]+"))
                .map(line -> line.charAt(2))
                .distinct())
        .hasSize(52);
  }

  @Test
  void namesDoNotCommandTheTerminal() {
    String evil = "a\033[2Jb\u0007c\u009b";
    Series series = new Series(evil, 0, Form.CURVE, List.of());
    Panel panel = new Panel(Gallery.unit(evil), Gallery.unit(evil), List.of(series));
    String text = Pictures.text(new Chart(evil, evil, List.of(panel)), 80, 20, false);
    assertThat(text).contains("a [2Jb c").doesNotContain("\033", "\u0007", "\u009b");
  }

  @ParameterizedTest
  @CsvSource({"29, 3", "30, 2", "0, 0", "-1, 10"})
  void tooSmallTerminalsAreRefused(int columns, int lines) {
    Chart chart = Gallery.charts().get("curves");
    assertThat(Pictures.text(chart, 30, 3, false)).isNotEmpty();
    assertThatThrownBy(() -> Pictures.text(chart, columns, lines, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("30 columns and 3 lines or more");
  }

  @ParameterizedTest
  @MethodSource("names")
  void linesAreNotWiderThanTheTerminal(String name) {
    Chart chart = Gallery.charts().get(name);
    for (int columns : new int[] {30, 47, 80, 200}) {
      for (int lines : new int[] {3, 10, 40}) {
        String text = Pictures.text(chart, columns, lines, false);
        for (String line : text.split("\n", -1)) {
          if (line.matches(" *[−0-9.·⁰¹²³⁴⁵⁶⁷⁸⁹⁻]* [┤│].*| *└.*|[− 0-9.·⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")) {
            assertThat(line.length()).as(line).isLessThanOrEqualTo(columns);
          }
        }
        assertThat(text).doesNotContain("\t", "\033");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void numbersBelowTheAxisStandApart(String name) {
    Chart chart = Gallery.charts().get(name);
    for (int columns : new int[] {30, 47, 80, 200}) {
      List<String> lines = Pictures.text(chart, columns, 8, false).lines().toList();
      int rule = IntStream.range(0, lines.size()).filter(i -> isRule(lines.get(i))).sum();
      if (chart.panels().size() == 1) {
        long marks = lines.get(rule).chars().filter(letter -> letter == '┬').count();
        assertThat(lines.get(rule + 1).strip().split(" +")).hasSize((int) marks);
        assertThat(marks).isPositive();
      }
    }
  }

  private static boolean isRule(String line) {
    return line.strip().startsWith("└");
  }

  @ParameterizedTest
  @MethodSource("names")
  void theAxisIsStraight(String name) {
    for (int columns : new int[] {30, 80}) {
      List<Integer> places =
          Pictures.text(Gallery.charts().get(name), columns, 12, false)
              .lines()
              .filter(line -> line.matches("[^┤│└]{1,15}[┤│└].*"))
              .map(line -> line.replaceAll("[┤│└].*", "").length())
              .distinct()
              .toList();
      assertThat(places).hasSize(Gallery.charts().get(name).panels().isEmpty() ? 0 : 1);
    }
  }
}
