package io.bloomery.chart;

import io.bloomery.chart.Chart.Panel;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** Charts of every kind, ordinary and pathological ones. */
final class Gallery {

  private static final Axis RATE = new Axis("false-positive rate", 1e-6, 1, true);
  private static final Axis BITS = new Axis("memory, bits per key", 4, 24, false);

  private Gallery() {}

  static Map<String, Chart> charts() {
    Map<String, Chart> charts = new LinkedHashMap<>();
    charts.put("curves", one(BITS, RATE, curves(3)));
    charts.put("eight-looks", one(BITS, RATE, curves(8)));
    charts.put("measured", one(BITS, RATE, measured()));
    charts.put("steps", one(BITS, RATE, List.of(series("steps", 1, Form.STEPS, 4, 24, 9))));
    charts.put("areas", one(unit("x"), unit("y"), areas()));
    charts.put(
        "two-panels",
        new Chart(
            "Growth",
            "from 100,000 keys on, 1 %",
            List.of(
                new Panel(logs("keys", 1e5, 1e8), logs("bits per key", 4, 96), curvesUp()),
                new Panel(logs("keys", 1e5, 1e8), RATE, List.of()))));
    charts.put("no-series", one(BITS, RATE, List.of()));
    charts.put("no-panels", new Chart("Nothing", "", List.of()));
    charts.put("no-points", one(BITS, RATE, forms(List.of())));
    charts.put("one-point", one(BITS, RATE, forms(List.of(new Point(14, 1e-3)))));
    charts.put("not-finite", one(BITS, RATE, forms(notFinite())));
    charts.put("all-outside", one(BITS, RATE, forms(List.of(new Point(1, 9), new Point(99, 99)))));
    charts.put("negative", one(line("t", -5, 5), line("change", -0.02, 0.02), sine(-5, 5, 0.02)));
    charts.put("large", one(line("t", 0, 3e9), line("bytes", 0, 4e12), sine(0, 3e9, 4e12)));
    charts.put("small", one(line("t", 0, 3e-9), line("s", -4e-12, 4e-12), sine(0, 3e-9, 4e-12)));
    charts.put("far", one(line("t", 1e9, 1e9 + 10), line("y", 1e6, 1e6 + 1), List.of()));
    charts.put("narrow-log", one(logs("x", 3, 4), logs("y", 1.2e-7, 1.3e-7), List.of()));
    charts.put("one-decade", one(logs("x", 1, 10), logs("y", 0.1, 1), List.of()));
    charts.put("two-decades", one(logs("x", 4, 96), logs("y", 1e-5, 1e-3), List.of()));
    charts.put("wide-log", one(logs("x", 1e-300, 1e300), logs("y", 1e-12, 1), List.of()));
    charts.put("wordy", wordy());
    return charts;
  }

  private static Chart one(Axis x, Axis y, List<Series> series) {
    return new Chart("A chart", "1,000,000 keys, hashes by xxh3", List.of(new Panel(x, y, series)));
  }

  private static Axis line(String label, double min, double max) {
    return new Axis(label, min, max, false);
  }

  private static Axis logs(String label, double min, double max) {
    return new Axis(label, min, max, true);
  }

  static Axis unit(String label) {
    return line(label, 0, 1);
  }

  static List<Series> curves(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> series("curve number " + i, i, Form.CURVE, 4, 24, 60))
        .toList();
  }

  private static List<Series> curvesUp() {
    List<Point> points = points(1e5, 1e8, 40, x -> 8 + 3 * Math.log10(x / 1e5));
    return List.of(new Series("curve number 0", 0, Form.CURVE, points));
  }

  private static Series series(String name, int look, Form form, double a, double b, int count) {
    return new Series(
        name, look, form, points(a, b, count, x -> Math.pow(0.5 + 0.02 * look, x * 0.69)));
  }

  private static List<Point> points(double a, double b, int count, DoubleUnaryOperator f) {
    return IntStream.range(0, count)
        .mapToDouble(i -> a + (b - a) * i / (count - 1))
        .mapToObj(x -> new Point(x, f.applyAsDouble(x)))
        .toList();
  }

  private static List<Series> measured() {
    List<Point> hollow =
        points(5, 23, 7, x -> Math.pow(0.5, x * 0.69)).stream()
            .map(p -> new Point(p.x(), p.y(), p.x() > 20 ? 0 : p.y() / 3, p.y() * 2))
            .toList();
    return List.of(
        series("bloom", 0, Form.LINE, 4, 24, 60), new Series("bloom", 0, Form.MEASURED, hollow));
  }

  private static List<Series> areas() {
    return List.of(
        new Series("inside", 2, Form.AREAS, box(0.1, 0.1, 0.4, 0.5)),
        new Series("across the edges", 5, Form.AREAS, box(0.8, 0.7, 2, 3)),
        new Series("outside", 6, Form.AREAS, box(4, 4, 5, 5)),
        new Series("around", 7, Form.AREAS, box(-1, 0.55, 3, 0.6)));
  }

  static List<Point> box(double left, double low, double right, double high) {
    return List.of(
        new Point(left, low), new Point(right, low), new Point(right, high), new Point(left, high));
  }

  private static List<Series> forms(List<Point> points) {
    List<Series> series = new ArrayList<>();
    for (Form form : Form.values()) {
      series.add(new Series(form.name(), series.size(), form, points));
    }
    return series;
  }

  private static List<Point> notFinite() {
    List<Point> points = new ArrayList<>();
    for (double value : new double[] {Double.NaN, 1e-3, 0, Double.POSITIVE_INFINITY, -1, 1e-2}) {
      points.add(new Point(10 + points.size(), value));
      points.add(new Point(value, 1e-2));
      points.add(new Point(14, 1e-2, 0, value));
      points.add(new Point(15, 1e-2, value, Double.POSITIVE_INFINITY));
    }
    return points;
  }

  private static List<Series> sine(double from, double to, double height) {
    List<Point> points = points(from, to, 80, x -> height * Math.sin(6 * (x - from) / (to - from)));
    return List.of(new Series("sine", 4, Form.CURVE, points));
  }

  private static Chart wordy() {
    String many = "many words that go on and on ".repeat(8);
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      series.add(series(i + " " + many, i, Form.CURVE, 4, 24, 30));
    }
    series.add(series("W".repeat(300), 8, Form.STEPS, 4, 24, 30));
    Axis x = new Axis(many, 4, 24, false);
    Axis y = new Axis(many, 1e-6, 1, true);
    return new Chart(many, many + "x".repeat(300), List.of(new Panel(x, y, series)));
  }
}
