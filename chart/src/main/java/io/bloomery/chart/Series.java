package io.bloomery.chart;

import java.util.ArrayList;
import java.util.Arrays;
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

  private static final int AREA_CORNERS = 4;

  /** How values are drawn. */
  public enum Form {
    /** A line with occasional marks that distinguish it from others. */
    CURVE,
    /** A line with a mark at each value: only these values exist. */
    STEPS,
    /** A plain line, because the marks of the same name show measured values. */
    LINE,
    /** Hollow marks alone, with a bar for the interval. */
    MEASURED,
    /** Filled areas, convex; each four points are the corners of one. */
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
   * Checks the look.
   *
   * @throws IllegalArgumentException if the look is negative
   */
  public Series {
    if (look < 0) {
      throw new IllegalArgumentException("look " + look + " is negative");
    }
    points = List.copyOf(points);
  }

  /** A stretch of the line from (0, 0), the lower left corner of a panel, to (1, 1). */
  record Segment(double fromX, double fromY, double toX, double toY) {
    boolean isFinite() {
      return Double.isFinite(fromX)
          && Double.isFinite(fromY)
          && Double.isFinite(toX)
          && Double.isFinite(toY);
    }
  }

  /** The parts of the line that are inside the panel; it is broken where a value has no place. */
  List<Segment> segments(Axis x, Axis y) {
    List<Segment> inside = new ArrayList<>();
    for (int i = 1; i < points.size(); i++) {
      Point a = points.get(i - 1);
      Point b = points.get(i);
      Segment whole =
          new Segment(x.position(a.x), y.position(a.y), x.position(b.x), y.position(b.y));
      double[] part = {0, 1};
      if (whole.isFinite()
          && clip(whole.fromX, whole.toX - whole.fromX, part)
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

  /** The parts of the areas that are inside the panel, each by its corners (x, y). */
  List<List<double[]>> areas(Axis x, Axis y) {
    List<List<double[]>> inside = new ArrayList<>();
    for (int i = 0; i + AREA_CORNERS <= points.size(); i += AREA_CORNERS) {
      List<double[]> corners = new ArrayList<>();
      for (Point point : points.subList(i, i + AREA_CORNERS)) {
        corners.add(new double[] {x.position(point.x), y.position(point.y)});
      }
      if (corners.stream().flatMapToDouble(Arrays::stream).allMatch(Double::isFinite)) {
        for (int coordinate = 0; coordinate < 2; coordinate++) {
          corners = cut(corners, coordinate, 0, 1);
          corners = cut(corners, coordinate, 1, -1);
        }
        if (!corners.isEmpty()) {
          inside.add(corners);
        }
      }
    }
    return inside;
  }

  /** The part of a convex area on one side of an edge (Sutherland and Hodgman). */
  private static List<double[]> cut(List<double[]> corners, int coordinate, double edge, int side) {
    List<double[]> kept = new ArrayList<>();
    for (int i = 0; i < corners.size(); i++) {
      double[] a = corners.get(i);
      double[] b = corners.get((i + 1) % corners.size());
      double before = side * (a[coordinate] - edge);
      double after = side * (b[coordinate] - edge);
      if (before >= 0) {
        kept.add(a);
      }
      if ((before > 0 && after < 0) || (before < 0 && after > 0)) {
        double share = before / (before - after);
        kept.add(new double[] {a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])});
      }
    }
    return kept;
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
