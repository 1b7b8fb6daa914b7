package io.bloomery.tools.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A text table with aligned columns. A row may have a text below it. Where there is too little room
 * for all columns, those of least use are left out; where there is still too little, each row
 * becomes a paragraph that names its values.
 */
public final class Table {

  private static final String GAP = "  ";

  /** A space at which no line ends. */
  private static final char UNBROKEN = '\u00a0';

  /** The columns that begin a paragraph: what the row is about. */
  private static final int NAMES = 2;

  private record Row(List<String> cells, String below) {}

  private final String alignment;
  private final List<Row> rows = new ArrayList<>();
  private int[] optional = {};
  private int extra = -1;
  private int roomForExtra;

  /** Takes the alignment of each column, one letter each: {@code l} left, {@code r} right. */
  public Table(String alignment, String... head) {
    this.alignment = alignment;
    row(head);
  }

  /** Says which columns are left out where there is too little room, that of least use first. */
  public Table optional(int... columns) {
    optional = columns.clone();
    return this;
  }

  /** Says which column is shown only where there is more room than usual. */
  public Table from(int column, int room) {
    extra = column;
    roomForExtra = room;
    return this;
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

  /** All rows, each with its line end, in {@code columns} columns unless a word is longer. */
  public String text(int columns) {
    List<Integer> shown = new ArrayList<>(IntStream.range(0, alignment.length()).boxed().toList());
    int[] widths = shown.stream().mapToInt(this::width).toArray();
    if (columns < roomForExtra) {
      shown.remove((Integer) extra);
    }
    for (int next = 0; next < optional.length && total(shown, widths) > columns; next++) {
      shown.remove((Integer) optional[next]);
    }
    return total(shown, widths) > columns ? paragraphs(columns) : lines(shown, widths, columns);
  }

  private static int total(List<Integer> shown, int... widths) {
    return shown.stream().mapToInt(column -> widths[column]).sum()
        + GAP.length() * (shown.size() - 1);
  }

  private String lines(List<Integer> shown, int[] widths, int columns) {
    StringBuilder out = new StringBuilder();
    for (Row row : rows) {
      List<String> cells = new ArrayList<>();
      for (int column : shown) {
        String cell = row.cells.get(column);
        String space = " ".repeat(widths[column] - Text.columns(cell));
        cells.add(alignment.charAt(column) == 'r' ? space + cell : cell + space);
      }
      out.append(String.join(GAP, cells).stripTrailing()).append('\n');
      if (!row.below.isEmpty()) {
        out.append(Text.wrap(row.below, columns, " ".repeat(widths[0]) + GAP));
      }
    }
    return out.toString();
  }

  private String paragraphs(int columns) {
    StringBuilder out = new StringBuilder();
    List<String> head = rows.get(0).cells;
    for (Row row : rows.subList(1, rows.size())) {
      List<String> values = new ArrayList<>();
      for (int column = NAMES; column < head.size(); column++) {
        if (Arrays.stream(optional).noneMatch(Integer.valueOf(column)::equals)) {
          String value = head.get(column) + " " + row.cells.get(column);
          values.add(value.replace(' ', UNBROKEN));
        }
      }
      out.append(Text.wrap(String.join(" ", row.cells.subList(0, NAMES)).strip(), columns, ""));
      out.append(Text.wrap(String.join(", ", values), columns, GAP).replace(UNBROKEN, ' '));
      if (!row.below.isEmpty()) {
        out.append(Text.wrap(row.below, columns, GAP));
      }
    }
    return out.toString();
  }
}
