package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Draws filters as points: bits per key over the time of a miss in cache, both logarithmic. Filled
 * points are static filters, hollow ones take keys one by one. All filters of a series have the
 * same rate; a row whose rate is another is left out.
 */
final class SpaceSpeed {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 620;
  private static final int LEFT = 70;
  private static final int RIGHT = 30;
  private static final int TOP = 70;
  private static final int BOTTOM = 60;
  private static final int LABEL_HEIGHT = 15;
  private static final double LETTER = 7.2;

  /** How far a label may be from its point. */
  private static final double FARTHEST = 90;

  /** How much farther a label may be if it is to the right. */
  private static final double TO_THE_LEFT = 2;

  /** How far a label is from its point at most if no line leads to it. */
  private static final double BESIDE = 12;

  private static final String OURS = "#c0392b";
  private static final String PEERS = "#34618e";
  private static final double[] TICKS = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 17, 20, 25, 30, 40, 50, 70, 100, 150, 200, 300, 500
  };

  /** How much rates of one series differ at most. */
  private static final double SAME_RATE = 1.15;

  /** Filters that another point stands for, and those of which the literature is the reason. */
  private static final Set<String> HIDDEN =
      Set.of(
          Rows.BLOCKED_KEYED,
          Rows.BLOOM_KEYED,
          Rows.BLOCKED,
          "Bloom-g 1",
          "Bloom-g 2",
          "TwoChoice");

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
    for (Results.Part part : results.parts(workload)) {
      for (Row row : part.rows()) {
        double rate = part.median(row.name(), "rate") / workload.rate();
        boolean sameRate = rate > 1 / SAME_RATE && rate < SAME_RATE;
        if (Race.Size.CACHE.holds(part.keys()) && sameRate && !HIDDEN.contains(row.name())) {
          add(part, row);
        }
      }
    }
  }

  private void add(Results.Part part, Row row) {
    double bits = part.median(row.name(), "bits");
    double nanos = part.median(row.name(), Lane.Pass.MISS.figure());
    boolean frozen = part.workload() == Workload.STATIC;
    points.add(new Point(row.name(), nanos, bits, row.origin() == Row.Origin.OURS, frozen));
    minX = Math.min(minX, nanos / 1.25);
    maxX = Math.max(maxX, nanos * 1.6);
    minY = Math.min(minY, bits / 1.08);
    maxY = Math.max(maxY, bits * 1.08);
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
      taken.add(new Box(x(point.x) - 7, y(point.y) - 7, 14, 14));
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
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">ns of processor time per query of an absent key</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18);
    line(
        "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">bits per"
            + " key</text>",
        (TOP + bottom) / 2);
    line(
        "<text x=\"%d\" y=\"24\" font-size=\"16\">Space and speed, 200,000 keys: nearer to the"
            + " lower left corner is better</text>",
        LEFT);
  }

  private void legend() {
    int x = LEFT;
    for (boolean frozen : new boolean[] {true, false}) {
      if (points.stream().anyMatch(point -> point.frozen == frozen)) {
        String what = frozen ? ", static, 0.4 %" : ", 1 %";
        x = entry(x, true, frozen, "ours" + what);
        x = entry(x, false, frozen, "peers" + what);
      }
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

  /** As near to its point as nothing else is, with a line to it if that is not beside it. */
  private void label(Point point) {
    double width = point.name.length() * LETTER;
    double px = x(point.x);
    double py = y(point.y);
    Box best = null;
    double nearest = Double.MAX_VALUE;
    for (double up = -FARTHEST; up <= FARTHEST; up += 3) {
      for (double left = px - FARTHEST - width; left <= px + FARTHEST; left += 3) {
        Box box = new Box(left, py + up - LABEL_HEIGHT / 2.0, width, LABEL_HEIGHT);
        double away = distance(box, px, py);
        if (away < nearest && inside(box) && taken.stream().noneMatch(box::meets)) {
          nearest = away;
          best = box;
        }
      }
    }
    if (best == null) {
      throw new IllegalStateException("no room for the label " + point.name);
    }
    taken.add(best);
    String color = point.ours ? OURS : PEERS;
    if (nearest > BESIDE) {
      line(
          "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"0.6\"/>",
          px,
          py,
          Math.max(best.x, Math.min(px, best.x + best.width)),
          Math.max(best.y, Math.min(py, best.y + best.height)),
          color);
    }
    // The text ends where its point is, whatever the width of its letters.
    boolean left = best.x + best.width / 2 < px;
    line(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
        left ? best.x + best.width : best.x,
        best.y + 12,
        left ? "end" : "start",
        color,
        point.name);
  }

  private static boolean inside(Box box) {
    return box.x > LEFT + 4
        && box.x + box.width < WIDTH - 4
        && box.y > TOP
        && box.y + box.height < HEIGHT - BOTTOM;
  }

  /** From a point to the middle line of a box; to the right is preferred. */
  private static double distance(Box box, double px, double py) {
    double dx = Math.max(0, Math.max(box.x - px, px - box.x - box.width));
    double dy = Math.abs(box.y + box.height / 2 - py);
    return Math.hypot(dx, dy) + (box.x < px ? TO_THE_LEFT : 0);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
