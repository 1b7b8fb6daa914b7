package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws filters as points: bits per key over the time of a negative query, both logarithmic. Filled
 * points are filters of sets that never change, hollow ones take keys one by one.
 */
final class SpaceSpeed {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 620;
  private static final int LEFT = 70;
  private static final int RIGHT = 30;
  private static final int TOP = 70;
  private static final int BOTTOM = 60;
  private static final int LABEL_HEIGHT = 15;
  private static final double LETTER = 6.6;
  private static final String OURS = "#c0392b";
  private static final String PEERS = "#34618e";
  private static final double[] TICKS = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500
  };

  private record Point(String name, double x, double y, boolean ours, boolean frozen) {}

  private record Box(double x, double y, double width, double height) {
    boolean meets(Box other) {
      return x < other.x + other.width
          && other.x < x + width
          && y < other.y + other.height
          && other.y < y + height;
    }
  }

  private final List<Point> points = new ArrayList<>();
  private final List<Box> taken = new ArrayList<>();
  private final StringBuilder out = new StringBuilder();
  private double minX = Double.MAX_VALUE;
  private double maxX;
  private double minY = Double.MAX_VALUE;
  private double maxY;

  private SpaceSpeed() {}

  /** The picture, or an empty text if there is nothing to draw. */
  static String draw(Results results) {
    SpaceSpeed picture = new SpaceSpeed();
    picture.collect(results, Workload.STATIC);
    picture.collect(results, Workload.LONG);
    return picture.points.isEmpty() ? "" : picture.svg();
  }

  private void collect(Results results, Workload workload) {
    for (Row row : results.rows(workload)) {
      double bits = results.median(workload, row.name(), "bits");
      double nanos = results.median(workload, row.name(), "negative");
      if (row.origin() != Row.Origin.PHYSICAL && nanos > 0) {
        points.add(
            new Point(
                row.name(),
                nanos,
                bits,
                row.origin() == Row.Origin.OURS,
                workload == Workload.STATIC));
        minX = Math.min(minX, nanos / 1.25);
        maxX = Math.max(maxX, nanos * 1.6);
        minY = Math.min(minY, bits / 1.08);
        maxY = Math.max(maxY, bits * 1.08);
      }
    }
  }

  private double x(double nanos) {
    return LEFT + (WIDTH - LEFT - RIGHT) * Math.log(nanos / minX) / Math.log(maxX / minX);
  }

  private double y(double bits) {
    return HEIGHT
        - BOTTOM
        - (HEIGHT - TOP - BOTTOM) * Math.log(bits / minY) / Math.log(maxY / minY);
  }

  private String svg() {
    line(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">",
        WIDTH, HEIGHT);
    line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
    axes();
    legend();
    for (Point point : points) {
      taken.add(new Box(x(point.x) - 5, y(point.y) - 5, 10, 10));
      dot(x(point.x), y(point.y), point.ours, point.frozen);
    }
    points.forEach(this::label);
    return out.append("</svg>\n").toString();
  }

  private void axes() {
    int bottom = HEIGHT - BOTTOM;
    for (double tick : TICKS) {
      if (tick > minX && tick < maxX) {
        line(
            "<path d=\"M%.1f %dV%d\" stroke=\"#e4e4e4\"/>"
                + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%s</text>",
            x(tick), TOP, bottom, x(tick), bottom + 18, number(tick));
      }
      if (tick > minY && tick < maxY) {
        line(
            "<path d=\"M%d %.1fH%d\" stroke=\"#e4e4e4\"/>"
                + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555\">%s</text>",
            LEFT, y(tick), WIDTH - RIGHT, LEFT - 8, y(tick) + 4, number(tick));
      }
    }
    line(
        "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#555\"/>",
        LEFT, TOP, bottom, WIDTH - RIGHT);
    line(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">ns per query of an absent key</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18);
    line(
        "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">bits per"
            + " key</text>",
        (TOP + bottom) / 2);
    line(
        "<text x=\"%d\" y=\"24\" font-size=\"16\">Space and speed, 10 million keys: nearer to the"
            + " lower left corner is better</text>",
        LEFT);
  }

  private void legend() {
    int x = LEFT;
    x = entry(x, true, true, "ours, never changing (0.4 %)");
    x = entry(x, false, true, "peers, never changing");
    if (points.stream().anyMatch(point -> !point.frozen)) {
      x = entry(x, true, false, "ours, keys one by one (1 %)");
      entry(x, false, false, "peers, keys one by one (1 %)");
    }
  }

  private int entry(int x, boolean ours, boolean frozen, String text) {
    dot(x + 6, 46, ours, frozen);
    line("<text x=\"%d\" y=\"50\">%s</text>", x + 16, text);
    return x + 40 + (int) (text.length() * LETTER);
  }

  private void dot(double x, double y, boolean ours, boolean frozen) {
    String color = ours ? OURS : PEERS;
    line(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\" stroke=\"%s\""
            + " stroke-width=\"1.6\"/>",
        x, y, frozen ? color : "white", color);
  }

  /** Beside its point, or nearby where nothing else is. */
  private void label(Point point) {
    double width = point.name.length() * LETTER;
    Box best = null;
    for (int step = 0; step < 12 && best == null; step++) {
      double away = 11 + 7 * (step / 2);
      double up = step == 0 ? 0 : (step % 2 == 0 ? -1 : 1) * LABEL_HEIGHT * ((step + 1) / 2) * 0.8;
      for (double left : new double[] {x(point.x) + away, x(point.x) - away - width}) {
        Box box = new Box(left, y(point.y) + up - 8, width, LABEL_HEIGHT);
        boolean inside = left > LEFT && left + width < WIDTH - 4 && box.y > TOP - 10;
        if (best == null && inside && taken.stream().noneMatch(box::meets)) {
          best = box;
        }
      }
    }
    if (best == null) {
      best = new Box(x(point.x) + 11, y(point.y) - 8, width, LABEL_HEIGHT);
    }
    taken.add(best);
    line(
        "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>",
        best.x, best.y + 12, point.ours ? OURS : PEERS, point.name);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
