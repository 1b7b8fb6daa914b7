package io.bloomery.chart;

import io.bloomery.chart.Chart.Panel;
import io.bloomery.chart.Series.Form;
import io.bloomery.chart.Series.Point;
import io.bloomery.chart.Series.Segment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws with letters and the braille patterns of Unicode, which have 2 × 4 dots per letter. */
final class TerminalChart {

  private static final int LEAST_LEFT = 8;
  private static final int RIGHT = 2;
  private static final int LEAST_COLUMNS = 30;
  private static final int LEAST_LINES = 3;
  private static final int DOTS_X = 2;
  private static final int DOTS_Y = 4;
  private static final int BRAILLE = 0x2800;
  private static final int[][] DOTS = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  private static final String MARKS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final int LETTERS_PER_NUMBER = 9;
  private static final int LINES_PER_NUMBER = 3;

  private final Chart chart;
  private final int columns;
  private final int lines;
  private final boolean coloured;
  private final int left;
  private final StringBuilder out = new StringBuilder();

  TerminalChart(Chart chart, int columns, int lines, boolean coloured) {
    if (columns < LEAST_COLUMNS || lines < LEAST_LINES) {
      throw new IllegalArgumentException(
          "a chart has %d columns and %d lines or more, not %d and %d"
              .formatted(LEAST_COLUMNS, LEAST_LINES, columns, lines));
    }
    this.chart = chart;
    this.columns = columns;
    this.lines = lines;
    this.coloured = coloured;
    int widest = 0;
    for (Panel panel : chart.panels()) {
      for (Axis.Tick tick : verticalTicks(panel.y())) {
        widest = Math.max(widest, length(text(tick)));
      }
    }
    this.left = Math.max(LEAST_LEFT, Math.min(columns / 2, widest + 2));
  }

  /** No two numbers on one line. */
  private List<Axis.Tick> verticalTicks(Axis axis) {
    return axis.ticks(lines / LINES_PER_NUMBER, lines, tick -> 1.01);
  }

  String paint() {
    wrap(chart.title());
    wrap(chart.note());
    for (Panel panel : chart.panels()) {
      out.append('\n');
      wrap(panel.y().label());
      new Grid(panel).print();
    }
    out.append('\n');
    for (Series entry : chart.legend()) {
      out.append("  ").append(colour(entry.look(), mark(entry))).append("  ");
      out.append(visible(entry.name()));
      out.append('\n');
    }
    return out.toString();
  }

  /** Prints a text in as many lines as it needs. */
  private void wrap(String text) {
    StringBuilder line = new StringBuilder();
    for (String word : visible(text).split(" ", -1)) {
      if (line.length() > 0 && length(line.toString()) + 1 + length(word) > columns) {
        out.append(line).append('\n');
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    out.append(line).append('\n');
  }

  private static String mark(Series series) {
    return String.valueOf(MARKS.charAt(series.look() % MARKS.length()));
  }

  /** Titles and names must not contain control sequences for the terminal. */
  private static String visible(String text) {
    return text.codePoints()
        .map(letter -> Character.isISOControl(letter) ? ' ' : letter)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private String colour(int look, String text) {
    return coloured ? "\033[38;5;" + Look.of(look).terminal() + "m" + text + "\033[0m" : text;
  }

  private static String text(Axis.Tick tick) {
    StringBuilder text = new StringBuilder(tick.text());
    for (char c : tick.exponent().toCharArray()) {
      text.append(c == '−' ? '⁻' : SUPERSCRIPTS.charAt(c - '0'));
    }
    return text.toString();
  }

  /** The letters of one panel. */
  private final class Grid {
    private final Panel panel;
    private final int width = columns - left - RIGHT;
    private final int[][] dots = new int[lines][width];
    private final int[][] looks = new int[lines][width];
    private final @Nullable String[] marks = new String[lines * width]; // line by line

    Grid(Panel panel) {
      this.panel = panel;
      for (Series series : panel.series()) {
        if (series.form() != Form.MEASURED && series.form() != Form.AREAS) {
          series.segments(panel.x(), panel.y()).forEach(segment -> draw(segment, series.look()));
        }
      }
      for (Series series : panel.series()) {
        boolean all = series.form() == Form.MEASURED || series.form() == Form.AREAS;
        (all ? series.inside(panel.x(), panel.y()) : ChartPainter.few(series, panel))
            .forEach(point -> mark(point, series));
      }
    }

    private void draw(Segment s, int look) {
      double across = (s.toX() - s.fromX()) * width * DOTS_X;
      double up = (s.toY() - s.fromY()) * lines * DOTS_Y;
      int steps = (int) Math.ceil(Math.max(Math.abs(across), Math.abs(up))) + 1;
      for (int i = 0; i <= steps; i++) {
        double share = (double) i / steps;
        dot(
            s.fromX() + share * (s.toX() - s.fromX()),
            s.fromY() + share * (s.toY() - s.fromY()),
            look);
      }
    }

    private void dot(double x, double y, int look) {
      int column = place(x, width * DOTS_X);
      int row = lines * DOTS_Y - 1 - place(y, lines * DOTS_Y);
      dots[row / DOTS_Y][column / DOTS_X] |= DOTS[column % DOTS_X][row % DOTS_Y];
      looks[row / DOTS_Y][column / DOTS_X] = look;
    }

    private void mark(Point point, Series series) {
      int column = place(panel.x().position(point.x()), width);
      int row = lines - 1 - place(panel.y().position(point.y()), lines);
      marks[row * width + column] = TerminalChart.mark(series);
      looks[row][column] = series.look();
    }

    private int place(double position, int count) {
      return Math.max(0, Math.min(count - 1, (int) (position * count)));
    }

    void print() {
      @Nullable String[] labels = new String[lines];
      for (Axis.Tick tick : verticalTicks(panel.y())) {
        if (tick.isNumbered()) {
          labels[lines - 1 - place(panel.y().position(tick.value()), lines)] = text(tick);
        }
      }
      for (int row = 0; row < lines; row++) {
        String label = labels[row] == null ? "" : labels[row];
        StringBuilder line = new StringBuilder(" ".repeat(Math.max(0, left - 2 - length(label))));
        line.append(label).append(labels[row] == null ? " │" : " ┤");
        for (int column = 0; column < width; column++) {
          line.append(letter(row, column));
        }
        out.append(line.toString().stripTrailing()).append('\n');
      }
      printBottom();
    }

    private String letter(int row, int column) {
      String mark = marks[row * width + column];
      if (mark == null && dots[row][column] == 0) {
        return " ";
      }
      String letter = mark != null ? mark : Character.toString(BRAILLE + dots[row][column]);
      return colour(looks[row][column], letter);
    }

    private void printBottom() {
      StringBuilder rule = new StringBuilder("─".repeat(width));
      StringBuilder numbers = new StringBuilder(" ".repeat(columns));
      List<Axis.Tick> ticks =
          panel.x().ticks(width / LETTERS_PER_NUMBER, width, tick -> 2.01 + length(text(tick)));
      int end = -1;
      for (Axis.Tick tick : ticks) {
        if (tick.isNumbered()) {
          int column = place(panel.x().position(tick.value()), width);
          String label = text(tick);
          int start = Math.min(columns - length(label), left + column - length(label) / 2);
          if (start > end) {
            rule.setCharAt(column, '┬');
            numbers.replace(start, start + length(label), label);
            end = start + length(label);
          }
        }
      }
      out.append(" ".repeat(left - 1)).append('└').append(rule).append('\n');
      out.append(numbers.toString().stripTrailing()).append('\n');
      String label = visible(panel.x().label());
      int centred = left + Math.max(0, (width - length(label)) / 2);
      int indent = Math.max(0, Math.min(centred, columns - length(label)));
      out.append(" ".repeat(indent)).append(label).append('\n');
    }
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }
}
