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
 * Paints a chart: title, note, panels with axes and grid, legend below. Whatever has a number of
 * pixels is laid out here, without asking the surface how wide letters are, so that every surface
 * shows the same picture.
 */
final class ChartPainter {

  private static final int INK = 0x333333;
  private static final int GRID = 0xE4E4E4;
  private static final Letters TITLE = new Letters(16, true, 0x111111, false);
  private static final Letters NOTE = new Letters(12, false, 0x555555, false);
  private static final Letters TICKS = new Letters(12, false, INK, false);
  private static final Letters LABEL = new Letters(13, false, 0x111111, false);
  private static final Letters UPWARDS = new Letters(13, false, 0x111111, true);
  private static final double LETTER_WIDTH = 0.56;

  private static final int LEFT = 72;
  private static final int RIGHT = 22;
  private static final int TOP = 58;
  private static final int AXIS_HEIGHT = 46;
  private static final int PANEL_GAP = 26;
  private static final int ENTRY_HEIGHT = 20;
  private static final int ENTRY_LINE = 34;
  private static final int ENTRY_GAP = 16;
  private static final double MARK = 4;
  private static final int MARKS_PER_CURVE = 6;
  private static final int PIXELS_PER_NUMBER_X = 70;
  private static final int PIXELS_PER_NUMBER_Y = 40;

  private final Chart chart;
  private final Surface surface;
  private final int width;
  private final int height;

  ChartPainter(Chart chart, Surface surface, int width, int height) {
    this.chart = chart;
    this.surface = surface;
    this.width = width;
    this.height = height;
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
    surface.text(LEFT, 26, Anchor.START, TITLE, chart.title(), "");
    surface.text(LEFT, 45, Anchor.START, NOTE, chart.note(), "");
    List<List<Series>> rows = legendRows();
    double bottom = height - 12.0 - ENTRY_HEIGHT * rows.size() - AXIS_HEIGHT;
    int panels = chart.panels().size();
    double each = (bottom - TOP - PANEL_GAP * (panels - 1)) / panels;
    for (int i = 0; i < panels; i++) {
      double top = TOP + i * (each + PANEL_GAP);
      Area area = new Area(LEFT, top, width - RIGHT, top + each);
      paint(chart.panels().get(i), area, i == panels - 1);
    }
    paintLegend(rows, bottom + AXIS_HEIGHT + ENTRY_HEIGHT * 0.7);
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
    int numbers = (int) Math.max(2, (area.right - area.left) / PIXELS_PER_NUMBER_X);
    for (Axis.Tick tick : panel.x().ticks(numbers)) {
      double x = area.x(panel.x().position(tick.value()));
      boolean numbered = !tick.text().isEmpty();
      if (numbered) {
        surface.line(new double[] {x, area.top, x, area.bottom}, GRID, 1);
      }
      surface.line(new double[] {x, area.bottom, x, area.bottom + (numbered ? 5 : 3)}, INK, 1);
      if (numbered && lowest) {
        surface.text(x, area.bottom + 20, Anchor.MIDDLE, TICKS, tick.text(), tick.exponent());
      }
    }
    numbers = (int) Math.max(2, (area.bottom - area.top) / PIXELS_PER_NUMBER_Y);
    for (Axis.Tick tick : panel.y().ticks(numbers)) {
      double y = area.y(panel.y().position(tick.value()));
      boolean numbered = !tick.text().isEmpty();
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
    surface.text(20, (area.top + area.bottom) / 2, Anchor.MIDDLE, UPWARDS, panel.y().label(), "");
    if (lowest) {
      double middle = (area.left + area.right) / 2;
      surface.text(middle, area.bottom + 40, Anchor.MIDDLE, LABEL, panel.x().label(), "");
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
    for (int i = 0; i + 4 <= series.points().size(); i += 4) {
      double[] corners = new double[8];
      for (int j = 0; j < 4; j++) {
        Point point = series.points().get(i + j);
        corners[2 * j] = area.x(panel.x().position(point.x()));
        corners[2 * j + 1] = area.y(panel.y().position(point.y()));
      }
      surface.area(corners, colour, colour);
    }
  }

  private void paintMarks(Series series, Panel panel, Area area) {
    Look look = Look.of(series.look());
    boolean measured = series.form() == Form.MEASURED;
    for (Point point : marked(series, panel)) {
      double x = area.x(panel.x().position(point.x()));
      double y = area.y(panel.y().position(point.y()));
      if (point.high() > point.low()) {
        double low = Math.max(panel.y().position(point.low()), 0);
        double high = Math.min(panel.y().position(point.high()), 1);
        surface.line(new double[] {x, area.y(low), x, area.y(high)}, look.colour(), 1.3);
      }
      surface.area(look.mark(x, y, MARK), measured ? 0xFFFFFF : look.colour(), look.colour());
    }
  }

  private static List<Point> marked(Series series, Panel panel) {
    return switch (series.form()) {
      case LINE, AREAS -> List.of();
      case CURVE -> few(series, panel);
      case STEPS, MEASURED -> series.inside(panel.x(), panel.y());
    };
  }

  /** Values at about equal distances that differ from look to look. */
  static List<Point> few(Series series, Panel panel) {
    List<Point> inside = series.inside(panel.x(), panel.y());
    if (inside.isEmpty()) {
      return inside;
    }
    List<Point> few = new ArrayList<>();
    double first = (series.look() % Look.COUNT + 0.5) / Look.COUNT / MARKS_PER_CURVE;
    for (int i = 0; i < MARKS_PER_CURVE; i++) {
      double wanted = first + (double) i / MARKS_PER_CURVE;
      Point nearest = inside.get(0);
      for (Point point : inside) {
        nearest =
            distance(point, panel, wanted) < distance(nearest, panel, wanted) ? point : nearest;
      }
      if (distance(nearest, panel, wanted) < 0.5 / MARKS_PER_CURVE) {
        few.add(nearest);
      }
    }
    return few;
  }

  private static double distance(Point point, Panel panel, double position) {
    return Math.abs(panel.x().position(point.x()) - position);
  }

  private List<List<Series>> legendRows() {
    List<List<Series>> rows = new ArrayList<>();
    double used = Double.MAX_VALUE;
    for (Series entry : chart.legend()) {
      double entryWidth = entryWidth(entry);
      if (used + entryWidth > width - LEFT - RIGHT + ENTRY_GAP) {
        rows.add(new ArrayList<>());
        used = 0;
      }
      rows.get(rows.size() - 1).add(entry);
      used += entryWidth;
    }
    return rows;
  }

  private static double entryWidth(Series entry) {
    return ENTRY_LINE + ENTRY_GAP + entry.name().length() * LETTER_WIDTH * TICKS.size();
  }

  private void paintLegend(List<List<Series>> rows, double top) {
    double y = top;
    for (List<Series> row : rows) {
      double x = LEFT;
      for (Series entry : row) {
        Look look = Look.of(entry.look());
        boolean measured = entry.form() == Form.MEASURED;
        if (!measured && entry.form() != Form.AREAS) {
          double[] line = {x, y, x + ENTRY_LINE - 8, y};
          surface.line(line, look.colour(), 2, look.dashes());
        }
        boolean hollow = measured || entry.form() == Form.LINE;
        double[] mark = look.mark(x + (ENTRY_LINE - 8) / 2.0, y, MARK);
        surface.area(mark, hollow ? 0xFFFFFF : look.colour(), look.colour());
        surface.text(x + ENTRY_LINE - 2, y + 4, Anchor.START, TICKS, entry.name(), "");
        x += entryWidth(entry);
      }
      y += ENTRY_HEIGHT;
    }
  }
}
