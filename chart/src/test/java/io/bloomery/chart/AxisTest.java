package io.bloomery.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTest {

  @Test
  void linearTicksAreRoundNumbers() {
    assertThat(numbers(new Axis("x", 4, 24, false), 10))
        .containsExactly("4", "6", "8", "10", "12", "14", "16", "18", "20", "22", "24");
    assertThat(numbers(new Axis("x", 0, 3, false), 8))
        .containsExactly("0.0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0");
    assertThat(numbers(new Axis("x", 0, 0.07, false), 8))
        .containsExactly("0.00", "0.01", "0.02", "0.03", "0.04", "0.05", "0.06", "0.07");
  }

  @Test
  void logarithmicTicksAreDecadesWithSmallOnesBetween() {
    Axis axis = new Axis("y", 1e-4, 1, true);
    assertThat(numbers(axis, 8)).containsExactly("10^−4", "10^−3", "10^−2", "10^−1", "1");
    assertThat(axis.ticks(8)).hasSize(4 * 9 + 1);
    assertThat(numbers(new Axis("y", 1e-12, 1, true), 6))
        .containsExactly("10^−12", "10^−10", "10^−8", "10^−6", "10^−4", "10^−2", "1");
    assertThat(numbers(new Axis("y", 4, 96, true), 5)).containsExactly("5", "10", "20", "50");
  }

  @Test
  void positionsAreSharesOfTheAxis() {
    assertThat(new Axis("x", 4, 24, false).position(14)).isEqualTo(0.5);
    assertThat(new Axis("x", 1e-4, 1, true).position(1e-2)).isEqualTo(0.5);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, false", "2, 1, false", "0, 1, true", "NaN, 1, false", "0, Infinity, false"})
  void impossibleAxesAreRefused(double min, double max, boolean log) {
    assertThatThrownBy(() -> new Axis("x", min, max, log))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void linesAreCutAtTheEdges() {
    Axis unit = new Axis("", 0, 1, false);
    Series series =
        new Series(
            "s",
            0,
            Series.Form.CURVE,
            List.of(
                new Series.Point(-1, 0.5),
                new Series.Point(2, 0.5),
                new Series.Point(2, -0.5),
                new Series.Point(0.5, -0.5),
                new Series.Point(0.5, 0.25)));
    assertThat(series.segments(unit, unit))
        .containsExactly(new Series.Segment(0, 0.5, 1, 0.5), new Series.Segment(0.5, 0, 0.5, 0.25));
    assertThat(series.inside(unit, unit)).containsExactly(new Series.Point(0.5, 0.25));
  }

  private static List<String> numbers(Axis axis, int most) {
    return axis.ticks(most).stream()
        .filter(tick -> !tick.text().isEmpty())
        .map(tick -> tick.text() + (tick.exponent().isEmpty() ? "" : "^" + tick.exponent()))
        .toList();
  }
}
