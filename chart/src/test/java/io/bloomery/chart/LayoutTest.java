package io.bloomery.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.chart.Chart.Panel;
import io.bloomery.chart.RecordingSurface.Stroke;
import io.bloomery.chart.RecordingSurface.Text;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where things are in pictures. */
final class LayoutTest {

  private static final Chart EMPTY =
      new Chart("T", "", List.of(new Panel(Gallery.unit("x"), Gallery.unit("y"), List.of())));

  static Stream<Arguments> pictures() {
    return Gallery.charts().entrySet().stream()
        .flatMap(
            entry ->
                Stream.of(240, 300, 800, 2000)
                    .map(width -> Arguments.of(entry.getKey(), entry.getValue(), width)));
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("pictures")
  void textsAreInThePictureAndDoNotOverlap(String name, Chart chart, int width) {
    for (int height : heights(chart, width)) {
      List<Text> texts = RecordingSurface.of(chart, width, height).texts;
      assertThat(texts).isNotEmpty();
      for (int i = 0; i < texts.size(); i++) {
        Text text = texts.get(i);
        assertThat(text.box().isWithin(width, height)).as("%s", text).isTrue();
        for (Text other : texts.subList(0, i)) {
          assertThat(text.box().overlaps(other.box())).as("%s, %s", text, other).isFalse();
        }
      }
    }
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("pictures")
  void everythingElseIsInThePictureToo(String name, Chart chart, int width) {
    for (int height : heights(chart, width)) {
      RecordingSurface surface = RecordingSurface.of(chart, width, height);
      for (Stroke stroke : concat(surface.lines, surface.areas)) {
        boolean isWithin = true;
        for (int i = 0; i < stroke.points().size(); i += 2) {
          double x = stroke.points().get(i);
          double y = stroke.points().get(i + 1);
          isWithin &= x >= 0 && x <= width && y >= 0 && y <= height;
        }
        assertThat(isWithin).as(() -> stroke.points().toString()).isTrue();
      }
    }
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("pictures")
  void everyAxisHasTwoNumbersOrMore(String name, Chart chart, int width) {
    int height = 600 + Pictures.leastHeight(chart, width);
    RecordingSurface surface = RecordingSurface.of(chart, width, height);
    Set<String> numbers = new HashSet<>();
    surface.texts.stream()
        .filter(text -> text.letters().size() == 12 && text.text().matches("[−0-9.·]+"))
        .forEach(text -> numbers.add(text.box().bottom() + text.text() + text.exponent()));
    assertThat(numbers).hasSizeGreaterThanOrEqualTo(chart.panels().isEmpty() ? 0 : 3);
  }

  private static List<Integer> heights(Chart chart, int width) {
    int least = Pictures.leastHeight(chart, width);
    return List.of(least, least + 37, least + 600);
  }

  private static <T> List<T> concat(List<T> a, List<T> b) {
    return Stream.concat(a.stream(), b.stream()).toList();
  }

  @Test
  void picturesWithoutRoomAreRefused() {
    int least = Pictures.leastHeight(EMPTY, 240);
    assertThat(Pictures.svg(EMPTY, 240, least)).startsWith("<svg ");
    assertThatThrownBy(() -> Pictures.svg(EMPTY, 240, least - 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a picture 240 wide has to be 176 high or more, not 175");
    assertThatThrownBy(() -> Pictures.png(EMPTY, 239, 1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a picture is 240 wide or wider, not 239");
  }

  @Test
  void longTitlesAndNotesAreBrokenAndNothingIsLost() {
    String title = "every word of this title is somewhere in the picture, however narrow it is";
    String note = "and every word of the note below it, which says under which conditions";
    Chart chart = new Chart(title, note, EMPTY.panels());
    List<String> words = RecordingSurface.of(chart, 240, 400).words();
    assertThat(words.stream().takeWhile(word -> !word.equals("0.0")).toList())
        .hasSizeGreaterThan(4);
    assertThat(String.join(" ", words)).startsWith(title + " " + note);
  }

  @Test
  void namesInTheLegendAreOnceEachInTheOrderOfThePanels() {
    List<Point> points = List.of(new Point(0, 0), new Point(1, 1));
    Series first = new Series("first", 3, Form.LINE, points);
    Series again = new Series("first", 3, Form.MEASURED, points);
    Series second = new Series("second", 1, Form.CURVE, points);
    Series third = new Series("third", 2, Form.CURVE, points);
    Panel upper = new Panel(Gallery.unit("x"), Gallery.unit("y"), List.of(first, again, third));
    Panel lower = new Panel(Gallery.unit("x"), Gallery.unit("y"), List.of(second, first));
    Chart chart = new Chart("T", "N", List.of(upper, lower));
    assertThat(chart.legend()).extracting(Series::name).containsExactly("first", "third", "second");
    List<String> words = RecordingSurface.of(chart, 800, 480).words();
    assertThat(words.subList(words.size() - 3, words.size()))
        .containsExactly("first", "third", "second");
  }

  @Test
  void legendsUseAsManyRowsAsTheyNeed() {
    int one = Pictures.leastHeight(chartOf(Gallery.curves(1)), 800);
    assertThat(Pictures.leastHeight(EMPTY, 800)).isEqualTo(one - 20);
    assertThat(Pictures.leastHeight(chartOf(Gallery.curves(8)), 800)).isEqualTo(one + 20);
    assertThat(Pictures.leastHeight(chartOf(Gallery.curves(8)), 250)).isEqualTo(one + 7 * 20);
  }

  private static Chart chartOf(List<Series> series) {
    return new Chart("T", "", List.of(new Panel(Gallery.unit("x"), Gallery.unit("y"), series)));
  }

  @Test
  void onlyTheLowestPanelNumbersTheHorizontalAxis() {
    Panel panel = new Panel(Gallery.unit("across"), Gallery.unit("up"), List.of());
    List<String> words =
        RecordingSurface.of(new Chart("T", "", List.of(panel, panel, panel)), 800, 700).words();
    assertThat(words).containsOnlyOnce("across");
    assertThat(words.stream().filter("up"::equals)).hasSize(3);
  }

  @Test
  void aSinglePointIsSeen() {
    for (Form form : List.of(Form.CURVE, Form.STEPS, Form.MEASURED)) {
      for (double x : new double[] {0, 0.1, 0.26, 0.5, 0.77, 1}) {
        for (int look = 0; look < Look.COUNT; look++) {
          Series series = new Series("s", look, form, List.of(new Point(x, 0.5)));
          RecordingSurface surface = RecordingSurface.of(chartOf(List.of(series)), 800, 480);
          assertThat(surface.areas).as("%s at %s, look %d", form, x, look).hasSize(2);
          assertThat(surface.areas.get(0).points()).hasSameSizeAs(surface.areas.get(1).points());
        }
      }
    }
  }

  @Test
  void intervalsEndAtTheEdges() {
    Axis y = new Axis("y", 1e-3, 1, true);
    Point point = new Point(0.5, 0.1, 0, Double.POSITIVE_INFINITY);
    Series series = new Series("s", 2, Form.MEASURED, List.of(point));
    Chart chart = new Chart("T", "", List.of(new Panel(Gallery.unit("x"), y, List.of(series))));
    Stroke bar =
        RecordingSurface.of(chart, 800, 480).lines.stream()
            .filter(line -> line.colour() == Look.of(2).colour())
            .findFirst()
            .orElseThrow();
    double bottom = 480 - 12 - 20 - 46;
    assertThat(bar.points()).containsExactly(425.0, bottom, 425.0, 58.0);
  }

  @Test
  void areasAreCutAtTheEdges() {
    Series series = new Series("a", 0, Form.AREAS, Gallery.box(0.5, 0.5, 7, 7));
    List<List<double[]>> areas = series.areas(Gallery.unit("x"), Gallery.unit("y"));
    assertThat(areas).hasSize(1);
    assertThat(areas.get(0).stream().map(Arrays::toString))
        .containsExactly("[0.5, 0.5]", "[1.0, 0.5]", "[1.0, 1.0]", "[0.5, 1.0]");
  }
}
