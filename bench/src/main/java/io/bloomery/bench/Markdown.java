package io.bloomery.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A Markdown table that also reads well on a terminal. */
final class Markdown {

  /** The placeholder for a missing figure. */
  static final String NOTHING = "–";

  private final int leftColumns;
  private final List<List<String>> lines = new ArrayList<>();

  /** A table whose first columns are words and whose others are figures. */
  Markdown(int leftColumns, List<String> head) {
    this.leftColumns = leftColumns;
    lines.add(List.copyOf(head));
  }

  void line(List<String> cells) {
    lines.add(List.copyOf(cells));
  }

  /** A line that spans the table. */
  void title(String text) {
    List<String> line = new ArrayList<>();
    line.add("**" + text + "**");
    while (line.size() < lines.get(0).size()) {
      line.add("");
    }
    lines.add(line);
  }

  boolean isEmpty() {
    return lines.size() == 1;
  }

  static String ratio(double value) {
    return number(value, 2);
  }

  static String number(double value, int digits) {
    return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  static String name(Row row) {
    return row.origin() == Row.Origin.OURS ? "**" + row.name() + "**" : row.name();
  }

  String format() {
    int columns = lines.get(0).size();
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      // A title spans the row, so it does not widen the first column.
      for (int i = 0; i < columns && !isTitle(line); i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      appendLine(out, lines.get(i), widths);
      if (i == 0) {
        for (int column = 0; column < columns; column++) {
          boolean left = column < leftColumns;
          out.append(left ? "|:" : "|-").append("-".repeat(widths[column]));
          out.append(left ? "-" : ":");
        }
        out.append("|\n");
      }
    }
    return out.toString();
  }

  private static boolean isTitle(List<String> line) {
    return line.get(1).isEmpty();
  }

  private void appendLine(StringBuilder out, List<String> line, int[] widths) {
    if (isTitle(line)) {
      out.append("| ").append(line.get(0)).append(" |".repeat(widths.length)).append('\n');
      return;
    }
    for (int i = 0; i < widths.length; i++) {
      String padding = " ".repeat(widths[i] - line.get(i).length());
      String cell = line.get(i);
      out.append("| ").append(i < leftColumns ? cell + padding : padding + cell).append(' ');
    }
    out.append("|\n");
  }
}
