package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Draws filters as points: bits per key over the time of a miss in cache, both logarithmic. Filled
 * points are static filters, hollow ones take keys one by one. All filters of a series have the
 * same rate; a row whose rate is another is left out. Letters are large enough for a page of 400
 * pixels.
 */
final class SpaceSpeed {

  private static final int WIDTH = 640;
  private static final int HEIGHT = 590;
  private static final int LEFT = 60;
  private static final int RIGHT = 20;
  private static final int TOP = 118;
  private static final int BOTTOM = 66;
  private static final int FONT = 16;
  private static final int LABEL_HEIGHT = 19;
  private static final double LETTER = 8.8;
  private static final double DOT = 6;

  /** How far a label may be from its point. */
  private static final double FARTHEST = 120;

  /** How much farther a label may be if it is to the right. */
  private static final double TO_THE_LEFT = 2;

  /** How far a label is from its point at most if no line leads to it. */
  private static final double BESIDE = 12;

  private static final String OURS = "#c0392b";
  private static final String PEERS = "#34618e";
  private static final double[] NANOS = {
    1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 500
  };
  private static final double[] BITS = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 17, 20, 25, 30};

  /** How much rates of one series differ at most. */
  private static final double SAME_RATE = 1.15;

  /**
   * Omitted: filters represented by another point, filters of purely academic interest, and coded
   * sets, ours and theirs, which are so slow that all others would share a third of the picture.
   */
  private static final Set<String> HIDDEN =
      Set.of(
          Rows.BLOCKED_KEYED,
          Rows.BLOOM_KEYED,
          Rows.BLOCKED,
          Rows.BLOCKED_128,
          "Blocked 256",
          "Bloom-g 1",
          "Bloom-g 2",
          "TwoChoice",
          "Golomb 8",
          "fastfilter GCS");

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
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" viewBox=\"0 0 %d %d\""
            + " font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%d\">",
        WIDTH, WIDTH, HEIGHT, FONT);
    line("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
    axes();
    legend();
    for (Point point : points) {
      taken.add(new Box(x(point.x) - DOT - 2, y(point.y) - DOT - 2, 2 * DOT + 4, 2 * DOT + 4));
      dot(x(point.x), y(point.y), point.ours, point.frozen);
    }
    points.forEach(this::label);
    return out.append("</svg>\n").toString();
  }

  private void axes() {
    int bottom = HEIGHT - BOTTOM;
    for (double tick : NANOS) {
      if (tick > minX && tick < maxX) {
        line(
            "<path d=\"M%.1f %dV%d\" stroke=\"#e4e4e4\"/>"
                + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%.0f</text>",
            x(tick), TOP, bottom, x(tick), bottom + 22, tick);
      }
    }
    for (double tick : BITS) {
      if (tick > minY && tick < maxY) {
        line(
            "<path d=\"M%d %.1fH%d\" stroke=\"#e4e4e4\"/>"
                + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#555\">%.0f</text>",
            LEFT, y(tick), WIDTH - RIGHT, LEFT - 8, y(tick) + 6, tick);
      }
    }
    line(
        "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#555\"/>",
        LEFT, TOP, bottom, WIDTH - RIGHT);
    line(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">ns per query of an absent key, 200,000 keys</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16);
    line(
        "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\">bits per"
            + " key</text>",
        (TOP + bottom) / 2);
    line(
        "<text x=\"%d\" y=\"30\" font-size=\"20\">Space and speed: lower left is better</text>",
        LEFT);
  }

  private void legend() {
    int y = 60;
    for (boolean frozen : new boolean[] {true, false}) {
      if (points.stream().anyMatch(point -> point.frozen == frozen)) {
        String what = frozen ? ", static, 0.4 %" : ", 1 %";
        entry(LEFT, y, true, frozen, "Bloomery" + what);
        entry((WIDTH + LEFT) / 2, y, false, frozen, "others" + what);
        y += 28;
      }
    }
  }

  private void entry(int x, int y, boolean ours, boolean frozen, String text) {
    dot(x + DOT + 2, y, ours, frozen);
    line("<text x=\"%.0f\" y=\"%d\">%s</text>", x + 3 * DOT + 2, y + 6, text);
  }

  private void dot(double x, double y, boolean ours, boolean frozen) {
    String color = ours ? OURS : PEERS;
    line(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.0f\" fill=\"%s\" stroke=\"%s\""
            + " stroke-width=\"2\"/>",
        x, y, DOT, frozen ? color : "white", color);
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
    taken.add(new Box(best.x - LETTER, best.y, best.width + 2 * LETTER, best.height));
    String color = point.ours ? OURS : PEERS;
    if (nearest > BESIDE) {
      line(
          "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"%s\" stroke-width=\"0.8\"/>",
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
        best.y + 15,
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

  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
