package io.bloomery.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
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
  void largeAndSmallNumbersHavePowers() {
    assertThat(numbers(new Axis("x", 0, 999_999, false), 5))
        .containsExactly("0", "200000", "400000", "600000", "800000");
    assertThat(numbers(new Axis("x", 0, 2e6, false), 5))
        .containsExactly("0", "0.5·10^6", "1.0·10^6", "1.5·10^6", "2.0·10^6");
    assertThat(numbers(new Axis("x", -4e-9, 4e-9, false), 5))
        .containsExactly("−4·10^−9", "−2·10^−9", "0", "2·10^−9", "4·10^−9");
    assertThat(numbers(new Axis("x", -1, 1, false), 4))
        .containsExactly("−1.0", "−0.5", "0.0", "0.5", "1.0");
    assertThat(numbers(new Axis("x", 1e-5, 1e-3, true), 9))
        .containsExactly("10^−5", "2·10^−5", "5·10^−5", "10^−4", "2·10^−4", "5·10^−4", "10^−3");
  }

  @Test
  void logarithmicAxesWithinADecadeHaveNumbersToo() {
    assertThat(numbers(new Axis("x", 3, 4, true), 5))
        .containsExactly("3.0", "3.2", "3.4", "3.6", "3.8", "4.0");
    assertThat(numbers(new Axis("x", 60, 90, true), 4)).containsExactly("60", "70", "80", "90");
    assertThat(numbers(new Axis("x", 1, 10, true), 5)).containsExactly("1", "2", "5", "10");
  }

  @Test
  void ticksOfAnyAxisAreInOrderInsideAndNotTooMany() {
    SplittableRandom random = new SplittableRandom(27);
    for (int i = 0; i < 20_000; i++) {
      double min = (random.nextBoolean() ? 1 : -1) * Math.pow(10, random.nextDouble(-200, 200));
      double max = min + Math.abs(min) * Math.pow(10, random.nextDouble(-12, 12));
      Axis axis = new Axis("x", min, max, min > 0 && random.nextBoolean());
      int most = random.nextInt(2, 20);
      List<Axis.Tick> ticks = axis.ticks(most);
      double before = -1e-6;
      for (Axis.Tick tick : ticks) {
        double position = axis.position(tick.value());
        assertThat(position).as("%s of %s", tick, axis).isBetween(before, 1 + 1e-6);
        before = position;
      }
      assertThat(numbers(axis, most)).as("%s", axis).doesNotHaveDuplicates();
      assertThat(numbers(axis, most).size()).as("%s", axis).isLessThanOrEqualTo(most + 2);
      assertThat(numbers(axis, Math.max(5, most)).size()).as("%s", axis).isGreaterThan(1);
    }
  }

  @Test
  void numbersStandApart() {
    Axis axis = new Axis("x", 0, 100, false);
    assertThat(apart(axis, 10, 100, 9))
        .containsExactly("0", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100");
    assertThat(apart(axis, 10, 100, 11)).containsExactly("0", "20", "40", "60", "80", "100");
    assertThat(apart(axis, 10, 100, 60)).containsExactly("0", "100");
    assertThat(apart(axis, 10, 100, 300)).hasSize(1);
  }

  private static List<String> apart(Axis axis, int most, double length, double width) {
    return axis.ticks(most, length, tick -> width).stream()
        .map(Axis.Tick::text)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  @Test
  void valuesWithoutAPlaceHaveNoFinitePosition() {
    Axis axis = new Axis("x", 1e-3, 1, true);
    assertThat(axis.position(0)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(axis.position(-1)).isNaN();
    assertThat(axis.position(Double.NaN)).isNaN();
    assertThat(axis.position(Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(new Axis("x", 1e-300, 1e300, true).position(1)).isEqualTo(0.5);
  }

  @Test
  void linesBreakWhereAValueHasNoPlace() {
    Axis unit = new Axis("", 0, 1, false);
    Axis log = new Axis("", 0.01, 1, true);
    for (double gap : new double[] {Double.NaN, 0, -1, Double.POSITIVE_INFINITY}) {
      Series series =
          new Series(
              "s",
              0,
              Series.Form.CURVE,
              List.of(
                  new Series.Point(0, 0.1),
                  new Series.Point(0.25, 0.1),
                  new Series.Point(0.5, gap),
                  new Series.Point(0.75, 0.1),
                  new Series.Point(1, 0.1)));
      assertThat(series.segments(unit, log))
          .containsExactly(
              new Series.Segment(0, 0.5, 0.25, 0.5), new Series.Segment(0.75, 0.5, 1, 0.5));
      assertThat(series.inside(unit, log)).hasSize(4);
    }
  }

  @Test
  void negativeLooksAreRefused() {
    assertThatThrownBy(() -> new Series("s", -1, Series.Form.CURVE, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("look -1 is negative");
  }

  @Test
  void positionsAreSharesOfTheAxis() {
    assertThat(new Axis("x", 4, 24, false).position(14)).isEqualTo(0.5);
    assertThat(new Axis("x", 1e-4, 1, true).position(1e-2)).isEqualTo(0.5);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, false",
    "2, 1, false",
    "0, 1, true",
    "NaN, 1, false",
    "0, Infinity, false",
    "0, 4.9E-324, false",
    "1E-320, 1, true",
    "-1E308, 1E308, false",
    "-1, 1, true",
    "1, NaN, true"
  })
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
