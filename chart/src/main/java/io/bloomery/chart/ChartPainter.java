package io.bloomery.chart;

import io.bloomery.chart.Chart.Panel;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.chart.Series.Segment;
import io.bloomery.chart.Surface.Anchor;
import io.bloomery.chart.Surface.Letters;
import java.util.ArrayList;
import java.util.List;

/**
 * Paints a chart: title, note, panels with axes and grid, legend below. All layout in pixels
 * happens here, without measuring text on the surface, so that every surface shows the same
 * picture.
 */
final class ChartPainter {

  static final int PAPER = 0xFFFFFF;
  static final int INK = 0x333333;
  static final int GRID = 0xE4E4E4;
  static final int STRONG = 0x111111;
  static final int WEAK = 0x555555;

  private static final Letters TITLE = new Letters(16, true, STRONG, false);
  private static final Letters NOTE = new Letters(12, false, WEAK, false);
  private static final Letters TICKS = new Letters(12, false, INK, false);
  private static final Letters LABEL = new Letters(13, false, STRONG, false);
  private static final Letters UPWARDS = new Letters(13, false, STRONG, true);

  /** The relative size of exponents. */
  static final double EXPONENT_SIZE = 0.75;

  private static final int LEAST_LEFT = 72;
  private static final int RIGHT = 22;
  private static final int EDGE = 4;
  private static final int TOP = 58;
  private static final int TITLE_LINE = 20;
  private static final int NOTE_LINE = 16;
  private static final int AXIS_HEIGHT = 46;
  private static final int PANEL_GAP = 26;
  private static final int LEAST_PANEL = 60;
  private static final int LEAST_WIDTH = 240;
  private static final int ENTRY_HEIGHT = 20;
  private static final int ENTRY_LINE = 34;
  private static final int ENTRY_GAP = 16;
  private static final int BOTTOM = 12;
  private static final double MARK = 4;
  private static final int MARKS_PER_CURVE = 6;
  private static final int PIXELS_PER_NUMBER_X = 70;
  private static final int PIXELS_PER_NUMBER_Y = 40;
  private static final int NUMBER_GAP = 8;

  private final Chart chart;
  private final Surface surface;
  private final int width;
  private final int height;
  private final List<String> titleLines;
  private final List<String> noteLines;
  private final double top;
  private final double left;
  private final double right;
  private final double panelHeight;
  private final List<List<Series>> rows;

  /**
   * Lays a picture out.
   *
   * @throws IllegalArgumentException if there is no room for it
   */
  ChartPainter(Chart chart, Surface surface, int width, int height) {
    int least = leastHeight(chart, width);
    if (height < least) {
      throw new IllegalArgumentException(
          "a picture %d wide has to be %d high or more, not %d".formatted(width, least, height));
    }
    this.chart = chart;
    this.surface = surface;
    this.width = width;
    this.height = height;
    this.titleLines = lines(chart.title(), TITLE, width);
    this.noteLines = lines(chart.note(), NOTE, width);
    this.top = top(chart, width);
    this.rows = legendRows(chart, width);
    int gaps = PANEL_GAP * (chart.panels().size() - 1);
    this.panelHeight = (bottom() - top - gaps) / Math.max(1, chart.panels().size());
    this.left = left();
    this.right = right();
  }

  /** The least height of a chart of a width. */
  static int leastHeight(Chart chart, int width) {
    if (width < LEAST_WIDTH) {
      throw new IllegalArgumentException(
          "a picture is %d wide or wider, not %d".formatted(LEAST_WIDTH, width));
    }
    int panels = Math.max(1, chart.panels().size());
    return top(chart, width)
        + panels * LEAST_PANEL
        + (panels - 1) * PANEL_GAP
        + AXIS_HEIGHT
        + legendRows(chart, width).size() * ENTRY_HEIGHT
        + BOTTOM;
  }

  private static int top(Chart chart, int width) {
    return TOP
        + TITLE_LINE * (lines(chart.title(), TITLE, width).size() - 1)
        + NOTE_LINE * (lines(chart.note(), NOTE, width).size() - 1);
  }

  private static List<String> lines(String text, Letters letters, int width) {
    return TextWidths.wrap(text, letters.size(), letters.bold(), width - LEAST_LEFT - RIGHT);
  }

  /** Numbers of the vertical axes are left of the panels, beside the label. */
  private double left() {
    double widest = 0;
    for (Panel panel : chart.panels()) {
      for (Axis.Tick tick : verticalTicks(panel.y(), panelHeight)) {
        widest = Math.max(widest, numberWidth(tick));
      }
    }
    return Math.max(LEAST_LEFT, Math.min(0.7 * width, Math.ceil(widest) + 36));
  }

  /** The last number of the horizontal axis is below the right edge of the panels. */
  private double right() {
    double edge = width - (double) RIGHT;
    double widest = 0;
    for (Panel panel : chart.panels()) {
      for (Axis.Tick tick : horizontalTicks(panel.x(), edge - left)) {
        widest = Math.max(widest, numberWidth(tick));
      }
    }
    return Math.min(edge, width - EDGE - Math.ceil(widest / 2));
  }

  private double bottom() {
    return height - (double) BOTTOM - ENTRY_HEIGHT * rows.size() - AXIS_HEIGHT;
  }

  private static double numberWidth(Axis.Tick tick) {
    return TextWidths.of(tick.text(), TICKS.size(), false)
        + EXPONENT_SIZE * TextWidths.of(tick.exponent(), TICKS.size(), false);
  }

  private static List<Axis.Tick> verticalTicks(Axis axis, double height) {
    return axis.ticks((int) (height / PIXELS_PER_NUMBER_Y), height, tick -> 1.4 * TICKS.size());
  }

  private static List<Axis.Tick> horizontalTicks(Axis axis, double length) {
    int most = (int) (length / PIXELS_PER_NUMBER_X);
    return axis.ticks(most, length, tick -> numberWidth(tick) + NUMBER_GAP);
  }

  /** The part of the picture that a panel's curves have. */
  private record Area(double left, double top, double right, double bottom) {
    double x(double position) {
      return left + position * (right - left);
    }

    double y(double position) {
      return bottom - position * (bottom - top);
    }
  }

  void paint() {
    int y = 26;
    for (String line : titleLines) {
      surface.text(LEAST_LEFT, y, Anchor.START, TITLE, line, "");
      y += TITLE_LINE;
    }
    y -= 1;
    for (String line : noteLines) {
      surface.text(LEAST_LEFT, y, Anchor.START, NOTE, line, "");
      y += NOTE_LINE;
    }
    for (int i = 0; i < chart.panels().size(); i++) {
      double begin = top + i * (panelHeight + PANEL_GAP);
      Area area = new Area(left, begin, right, begin + panelHeight);
      paint(chart.panels().get(i), area, i == chart.panels().size() - 1);
    }
    paintLegend(bottom() + AXIS_HEIGHT + ENTRY_HEIGHT * 0.7);
  }

  private void paint(Panel panel, Area area, boolean lowest) {
    paintAxes(panel, area, lowest);
    for (Series series : panel.series()) {
      if (series.form() == Form.AREAS) {
        paintAreas(series, panel, area);
      } else if (series.form() != Form.MEASURED) {
        paintLine(series, panel, area);
      }
    }
    for (Series series : panel.series()) {
      paintMarks(series, panel, area);
    }
  }

  private void paintAxes(Panel panel, Area area, boolean lowest) {
    double length = area.right - area.left;
    for (Axis.Tick tick : horizontalTicks(panel.x(), length)) {
      double x = area.x(panel.x().position(tick.value()));
      boolean numbered = tick.isNumbered();
      if (numbered) {
        surface.line(new double[] {x, area.top, x, area.bottom}, GRID, 1);
      }
      surface.line(new double[] {x, area.bottom, x, area.bottom + (numbered ? 5 : 3)}, INK, 1);
      if (numbered && lowest) {
        surface.text(x, area.bottom + 20, Anchor.MIDDLE, TICKS, tick.text(), tick.exponent());
      }
    }
    for (Axis.Tick tick : verticalTicks(panel.y(), area.bottom - area.top)) {
      double y = area.y(panel.y().position(tick.value()));
      boolean numbered = tick.isNumbered();
      if (numbered) {
        surface.line(new double[] {area.left, y, area.right, y}, GRID, 1);
        surface.text(area.left - 9, y + 4, Anchor.END, TICKS, tick.text(), tick.exponent());
      }
      surface.line(new double[] {area.left - (numbered ? 5 : 3), y, area.left, y}, INK, 1);
    }
    surface.line(
        new double[] {area.left, area.top, area.left, area.bottom, area.right, area.bottom},
        INK,
        1.2);
    String up = TextWidths.cut(panel.y().label(), UPWARDS.size(), false, area.bottom - area.top);
    surface.text(20, (area.top + area.bottom) / 2, Anchor.MIDDLE, UPWARDS, up, "");
    if (lowest) {
      double middle = (area.left + area.right) / 2;
      String label = TextWidths.cut(panel.x().label(), LABEL.size(), false, length);
      surface.text(middle, area.bottom + 40, Anchor.MIDDLE, LABEL, label, "");
    }
  }

  private void paintLine(Series series, Panel panel, Area area) {
    Look look = Look.of(series.look());
    List<Double> points = new ArrayList<>();
    Segment last = null;
    for (Segment segment : series.segments(panel.x(), panel.y())) {
      boolean joined =
          last != null && last.toX() == segment.fromX() && last.toY() == segment.fromY();
      if (!joined) {
        stroke(points, look);
        points.clear();
        points.add(area.x(segment.fromX()));
        points.add(area.y(segment.fromY()));
      }
      points.add(area.x(segment.toX()));
      points.add(area.y(segment.toY()));
      last = segment;
    }
    stroke(points, look);
  }

  private void stroke(List<Double> points, Look look) {
    if (!points.isEmpty()) {
      double[] line = points.stream().mapToDouble(Double::doubleValue).toArray();
      surface.line(line, look.colour(), 2, look.dashes());
    }
  }

  private void paintAreas(Series series, Panel panel, Area area) {
    int colour = Look.of(series.look()).colour();
    for (List<double[]> corners : series.areas(panel.x(), panel.y())) {
      double[] points = new double[2 * corners.size()];
      for (int i = 0; i < corners.size(); i++) {
        points[2 * i] = area.x(corners.get(i)[0]);
        points[2 * i + 1] = area.y(corners.get(i)[1]);
      }
      surface.area(points, colour, colour);
    }
  }

  private void paintMarks(Series series, Panel panel, Area area) {
    Look look = Look.of(series.look());
    boolean measured = series.form() == Form.MEASURED;
    for (Point point : marked(series, panel)) {
      double x = area.x(panel.x().position(point.x()));
      double y = area.y(panel.y().position(point.y()));
      if (point.high() > point.low()) {
        double low = panel.y().position(Math.max(point.low(), panel.y().min()));
        double high = panel.y().position(Math.min(point.high(), panel.y().max()));
        surface.line(new double[] {x, area.y(low), x, area.y(high)}, look.colour(), 1.3);
      }
      surface.area(look.mark(x, y, MARK), measured ? PAPER : look.colour(), look.colour());
    }
  }

  private static List<Point> marked(Series series, Panel panel) {
    return switch (series.form()) {
      case LINE, AREAS -> List.of();
      case CURVE -> few(series, panel);
      case STEPS, MEASURED -> series.inside(panel.x(), panel.y());
    };
  }

  /** A few values at about equal distances, which differ between looks; at least one. */
  static List<Point> few(Series series, Panel panel) {
    List<Point> inside = series.inside(panel.x(), panel.y());
    if (inside.isEmpty()) {
      return inside;
    }
    List<Point> few = new ArrayList<>();
    double first = (series.look() % Look.COUNT + 0.5) / Look.COUNT / MARKS_PER_CURVE;
    for (int i = 0; i < MARKS_PER_CURVE; i++) {
      Point nearest = nearest(inside, panel, first + (double) i / MARKS_PER_CURVE);
      if (distance(nearest, panel, first + (double) i / MARKS_PER_CURVE) < 0.5 / MARKS_PER_CURVE) {
        few.add(nearest);
      }
    }
    return few.isEmpty() ? List.of(inside.get(inside.size() / 2)) : few;
  }

  private static Point nearest(List<Point> points, Panel panel, double position) {
    Point nearest = points.get(0);
    for (Point point : points) {
      nearest =
          distance(point, panel, position) < distance(nearest, panel, position) ? point : nearest;
    }
    return nearest;
  }

  private static double distance(Point point, Panel panel, double position) {
    return Math.abs(panel.x().position(point.x()) - position);
  }

  private static List<List<Series>> legendRows(Chart chart, int width) {
    List<List<Series>> rows = new ArrayList<>();
    double used = Double.MAX_VALUE;
    for (Series entry : chart.legend()) {
      double entryWidth = entryWidth(entry);
      if (used + entryWidth > width - LEAST_LEFT - RIGHT + ENTRY_GAP) {
        rows.add(new ArrayList<>());
        used = 0;
      }
      rows.get(rows.size() - 1).add(entry);
      used += entryWidth;
    }
    return rows;
  }

  private static double entryWidth(Series entry) {
    return ENTRY_LINE + ENTRY_GAP + TextWidths.of(entry.name(), TICKS.size(), false);
  }

  private void paintLegend(double top) {
    double y = top;
    for (List<Series> row : rows) {
      double x = LEAST_LEFT;
      for (Series entry : row) {
        Look look = Look.of(entry.look());
        boolean measured = entry.form() == Form.MEASURED;
        if (!measured && entry.form() != Form.AREAS) {
          double[] line = {x, y, x + ENTRY_LINE - 8, y};
          surface.line(line, look.colour(), 2, look.dashes());
        }
        boolean hollow = measured || entry.form() == Form.LINE;
        double middle = x + (ENTRY_LINE - 8) / 2.0;
        double[] mark = entry.form() == Form.AREAS ? swatch(middle, y) : look.mark(middle, y, MARK);
        surface.area(mark, hollow ? PAPER : look.colour(), look.colour());
        double begin = x + ENTRY_LINE - 2;
        String name = TextWidths.cut(entry.name(), TICKS.size(), false, width - EDGE - begin);
        surface.text(begin, y + 4, Anchor.START, TICKS, name, "");
        x += entryWidth(entry);
      }
      y += ENTRY_HEIGHT;
    }
  }

  private static double[] swatch(double x, double y) {
    return new double[] {x - 9, y - 5, x + 9, y - 5, x + 9, y + 5, x - 9, y + 5};
  }
}
