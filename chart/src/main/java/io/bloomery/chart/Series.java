package io.bloomery.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * Values of one thing in the order they are drawn.
 *
 * @param name what the legend calls it
 * @param look which colour, dashes and mark it has; the same number looks the same everywhere
 * @param form how it is drawn
 * @param points the values
 */
public record Series(String name, int look, Form form, List<Point> points) {

  /** How values are drawn. */
  public enum Form {
    /** A line; marks here and there tell it from others. */
    CURVE,
    /** A line with a mark at each value: only these values exist. */
    STEPS,
    /** A plain line, because the marks of the same name are measured. */
    LINE,
    /** Hollow marks alone, with a bar for the interval. */
    MEASURED,
    /** Filled areas; each four points are the corners of one. */
    AREAS
  }

  /**
   * One value.
   *
   * @param x along the horizontal axis
   * @param y along the vertical axis
   * @param low the lower end of its interval; {@code y} if it has none
   * @param high the upper end of its interval; {@code y} if it has none
   */
  public record Point(double x, double y, double low, double high) {
    /**
     * A value without an interval.
     *
     * @param x along the horizontal axis
     * @param y along the vertical axis
     */
    public Point(double x, double y) {
      this(x, y, y, y);
    }
  }

  /**
   * Copies the list.
   *
   * @param name what the legend calls it
   * @param look which colour, dashes and mark it has
   * @param form how it is drawn
   * @param points the values
   */
  public Series {
    points = List.copyOf(points);
  }

  /** A stretch of the line from (0, 0), the lower left corner of a panel, to (1, 1). */
  record Segment(double fromX, double fromY, double toX, double toY) {}

  /** The parts of the line that are inside the panel. */
  List<Segment> segments(Axis x, Axis y) {
    List<Segment> inside = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      Point a = points.get(i - 1);
      Point b = points.get(i);
      Segment whole =
          new Segment(x.position(a.x), y.position(a.y), x.position(b.x), y.position(b.y));
      double[] part = {0, 1};
      if (clip(whole.fromX, whole.toX - whole.fromX, part)
          && clip(whole.fromY, whole.toY - whole.fromY, part)) {
        inside.add(part(whole, part[0], part[1]));
      }
    }
    return inside;
  }

  private static Segment part(Segment s, double from, double to) {
    double width = s.toX - s.fromX;
    double height = s.toY - s.fromY;
    return new Segment(
        s.fromX + from * width,
        s.fromY + from * height,
        s.fromX + to * width,
        s.fromY + to * height);
  }

  /** Narrows the share of a segment to where one coordinate is within 0…1 (Liang and Barsky). */
  private static boolean clip(double start, double change, double[] part) {
    if (change == 0) {
      return start >= 0 && start <= 1;
    }
    double atZero = -start / change;
    double atOne = (1 - start) / change;
    part[0] = Math.max(part[0], Math.min(atZero, atOne));
    part[1] = Math.min(part[1], Math.max(atZero, atOne));
    return part[0] <= part[1];
  }

  /** The values that are inside the panel. */
  List<Point> inside(Axis x, Axis y) {
    return points.stream()
        .filter(point -> isInside(x.position(point.x)) && isInside(y.position(point.y)))
        .toList();
  }

  private static boolean isInside(double position) {
    return position >= -1e-9 && position <= 1 + 1e-9;
  }
}
