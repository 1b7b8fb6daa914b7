package io.bloomery.tools.report;

import java.util.ArrayList;
import java.util.List;

/** A text table with aligned columns. A row may have a text below it. */
public final class Table {

  private static final String GAP = "  ";

  private record Row(List<String> cells, String below) {}

  private final String alignment;
  private final List<Row> rows = new ArrayList<>();

  /** Takes the alignment of each column, one letter each: {@code l} left, {@code r} right. */
  public Table(String alignment, String... head) {
    this.alignment = alignment;
    row(head);
  }

  /** Adds a row. */
  public Table row(String... cells) {
    rows.add(new Row(List.of(cells), ""));
    return this;
  }

  /** Adds a text below the last row, starting at the second column. */
  public Table below(String text) {
    Row last = rows.remove(rows.size() - 1);
    rows.add(new Row(last.cells, text));
    return this;
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> Text.columns(row.cells.get(column))).max().orElse(0);
  }

  /** All rows, each with its line end; texts below rows are wrapped at {@code columns} columns. */
  public String text(int columns) {
    StringBuilder out = new StringBuilder();
    int[] widths = new int[alignment.length()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = width(column);
    }
    for (Row row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < widths.length; column++) {
        String cell = row.cells.get(column);
        String space = " ".repeat(widths[column] - Text.columns(cell));
        line.append(column == 0 ? "" : GAP)
            .append(alignment.charAt(column) == 'r' ? space + cell : cell + space);
      }
      out.append(line.toString().stripTrailing()).append('\n');
      if (!row.below.isEmpty()) {
        out.append(Text.wrap(row.below, columns, " ".repeat(widths[0]) + GAP));
      }
    }
    return out.toString();
  }
}
