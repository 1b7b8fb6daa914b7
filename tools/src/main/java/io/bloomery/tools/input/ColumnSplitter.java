package io.bloomery.tools.input;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are a column of rows, or several. A column given by its name is looked up in the header
 * row of each file, which is then not a record.
 *
 * <p>A key of several columns is a {@link KeyRow} of their values, in the given order.
 */
public final class ColumnSplitter implements Splitter {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

  private final List<String> wanted;
  private final @Nullable Byte separator;
  private final boolean header;
  private final LineEnd lineEnd = new LineEnd();
  private final boolean printing;
  private final @Nullable Time time;
  private final @Nullable String group;
  private final @Nullable Arrangement table; // null: rows may have any number of fields
  private @Nullable RowLayout
      layout; // of the current input; its columns are known after its first row
  private List<String> names = List.of(); // in the first row of the current input
  private @Nullable Header printed; // that of the first input, if rows are printed
  private @Nullable RowOrder order; // of the current input's fields in print, null: as they are

  private record Time(String column, ToLongFunction<byte[]> parser) {}

  /** Decides how the rows of a table are printed. */
  @FunctionalInterface
  public interface Arrangement {
    /**
     * The form of printed rows; null: as they are.
     *
     * @param layout the separator, the number of fields and the key of the table's rows
     */
    @Nullable RowOrder order(RowLayout layout);
  }

  private record Header(List<String> names, byte separator) {}

  /**
   * Takes columns by their names or numbers.
   *
   * @param wanted a column each, or several with commas between them
   * @param separator what separates columns, null to see from the first row
   * @param header whether the first row has names also where all columns have numbers
   */
  public ColumnSplitter(List<String> wanted, @Nullable Byte separator, boolean header) {
    this(wanted, separator, header, false);
  }

  /**
   * Takes columns by their names or numbers.
   *
   * @param wanted a column each, or several with commas between them
   * @param separator what separates columns, null to see from the first row
   * @param header whether the first row has names also where all columns have numbers
   * @param printing whether rows are printed: those of all files in the order of fields, and with
   *     the separator, of the first file's header
   */
  public ColumnSplitter(
      List<String> wanted, @Nullable Byte separator, boolean header, boolean printing) {
    this(wanted, separator, header, printing, null, null, null);
  }

  private ColumnSplitter(
      List<String> wanted,
      @Nullable Byte separator,
      boolean header,
      boolean printing,
      @Nullable Time time,
      @Nullable String group,
      @Nullable Arrangement table) {
    this.time = time;
    this.group = group;
    this.table = table;
    this.wanted = List.copyOf(wanted);
    this.separator = separator;
    this.printing = printing;
    boolean numbers = parts().stream().allMatch(ColumnSplitter::isNumber);
    this.header =
        header
            || !numbers
            || (time != null && !isNumber(time.column))
            || (group != null && !isNumber(group));
    if (parts().contains("0")) {
      throw new Problem("--column 0: columns are numbered from 1");
    }
  }

  /**
   * The same, with the time of each row.
   *
   * @param column the name or number of its column
   * @param parser milliseconds from 1970 of a value; throws IllegalArgumentException if it has none
   */
  public ColumnSplitter withTime(String column, ToLongFunction<byte[]> parser) {
    return new ColumnSplitter(
        wanted, separator, header, printing, new Time(column, parser), group, table);
  }

  /**
   * The same, with the group of each row.
   *
   * @param column the name or number of its column
   */
  public ColumnSplitter withGroup(String column) {
    if (column.equals("0")) {
      throw new Problem("--group 0: columns are numbered from 1");
    }
    return new ColumnSplitter(wanted, separator, header, printing, time, column, table);
  }

  /** The same for a table, all of whose rows have as many fields as the first. */
  public ColumnSplitter ofTable(Arrangement arrangement) {
    return new ColumnSplitter(wanted, separator, header, printing, time, group, arrangement);
  }

  /** The names in the first row of the current input; its values if it is not a header row. */
  public List<String> names() {
    return names;
  }

  /** The rows of the current input; null before its first row. */
  public @Nullable RowLayout layout() {
    return layout;
  }

  private List<String> parts() {
    return wanted.stream().flatMap(each -> Stream.of(each.split(",", -1))).toList();
  }

  private static boolean isNumber(String column) {
    return NUMBER.matcher(column).matches();
  }

  @Override
  public void startInput() {
    layout = null;
    order = null;
    lineEnd.startInput();
  }

  @Override
  public int lastEnd(Block block, int from) {
    byte[] bytes = block.bytes();
    return lastEnd(bytes, block.length(), block.longest(), block.isLenient());
  }

  @Override
  public int badEnd(Block block) {
    return Math.max(0, RowLayout.lineEnd(block.bytes(), 0, block.length()));
  }

  /**
   * One past the last whole row of bytes that begin with a row; 0 if there is none.
   *
   * @param lenient whether a row that is longer than {@link Reading#MAX_RECORD}, or goes on after a
   *     closing quote, ends with its first line
   */
  public int lastEnd(byte[] bytes, int length, boolean lenient) {
    if (!lenient) {
      return lastEnd(bytes, length, Integer.MAX_VALUE, false);
    }
    int last = lastEnd(bytes, length, Reading.MAX_RECORD, true);
    return last == 0 && length > Reading.MAX_RECORD
        ? Math.max(0, RowLayout.lineEnd(bytes, 0, length))
        : last;
  }

  private int lastEnd(byte[] bytes, int length, int longest, boolean lenient) {
    RowLayout known = layout != null ? layout : RowLayout.unknown(separatorOf(bytes, length));
    int last = 0;
    for (int end = known.rowEnd(bytes, 0, length, longest, lenient); end > 0; ) {
      last = end;
      end = known.rowEnd(bytes, end, length, longest, lenient);
    }
    return last;
  }

  @Override
  public void begin(Block block) throws IOException {
    int headerStart = 0;
    int headerEnd = 0;
    RowLayout rows = layout;
    if (rows == null) {
      byte[] bytes = block.bytes();
      headerStart = firstRow(bytes, block.length());
      byte chosen = separatorOf(bytes, block.length());
      rows = RowLayout.unknown(chosen);
      headerEnd = headerStart;
      if (headerStart < block.length()) {
        names = names(rows, block, headerStart);
        if (header) {
          int end = rows.rowEnd(bytes, headerStart, block.length());
          headerEnd = end < 0 ? block.length() : end;
        }
        int timeColumn = time == null ? -1 : columnOf(time.column, names, chosen);
        int groupColumn = group == null ? -1 : columnOf(group, names, chosen);
        int width = table == null ? 0 : names.size();
        rows = new RowLayout(chosen, columns(chosen), timeColumn, groupColumn, width);
        layout = rows;
        arrange(rows);
      } else {
        headerStart = 0; // nothing of it is printed
        headerEnd = 0;
      }
    }
    block.layout(rows, headerStart, headerEnd);
    block.order(order);
    lineEnd.learn(block, rows.rowEnd(block.bytes(), headerStart, block.length()));
  }

  /** After a byte-order mark and lines without any byte, which are not rows. */
  private static int firstRow(byte[] bytes, int length) {
    int at = ByteOrderMark.length(bytes, length);
    while (at < length
        && (bytes[at] == '\n' || (bytes[at] == '\r' && at + 1 < length && bytes[at + 1] == '\n'))) {
      at += bytes[at] == '\n' ? 1 : 2;
    }
    return at;
  }

  /** Finds out how the rows of the current input are printed. */
  private void arrange(RowLayout rows) throws IOException {
    Header first = printed;
    if (table != null) {
      order = table.order(rows);
    } else if (header && printing && first == null) {
      printed = new Header(names, rows.separator());
    } else if (header && first != null) {
      order = RowOrder.of(first.names, first.separator, names, rows.separator());
    }
  }

  private static List<String> names(RowLayout unknown, Block block, int start) {
    return unknown.values(block, start).stream().map(value -> Octets.text(value)).toList();
  }

  private List<Integer> columns(byte chosen) throws IOException {
    List<Integer> columns = new ArrayList<>();
    for (String each : wanted) {
      boolean isName = header && names.contains(each);
      for (String column : isName ? List.of(each) : List.of(each.split(",", -1))) {
        columns.add(columnOf(column, names, chosen));
      }
    }
    if (Set.copyOf(columns).size() < columns.size()) {
      throw new IOException("the key names a column twice: " + String.join(",", wanted));
    }
    return columns;
  }

  private int columnOf(String column, List<String> names, byte separator) throws IOException {
    boolean isName = header && names.contains(column);
    if (isNumber(column) && !isName) {
      int number = Integer.parseInt(column);
      if (number > names.size()) {
        throw new IOException(
            "there is no column %d; the first row has %s%s"
                .formatted(
                    number, Text.count(names.size(), "column"), Separators.hint(names, separator)));
      }
      return number - 1;
    }
    int found = names.indexOf(column);
    if (found < 0) {
      throw new IOException(
          "no column is named \"%s\"; the first row has%s: %s%s"
              .formatted(
                  column,
                  names.size() == 1 ? " one column" : "",
                  String.join(", ", names),
                  Separators.hint(names, separator)));
    }
    if (names.lastIndexOf(column) > found) {
      throw new IOException(
          "columns %d and %d are both named \"%s\"; give the number of one%s"
              .formatted(
                  found + 1,
                  names.lastIndexOf(column) + 1,
                  column,
                  table == null ? ", and --header" : ""));
    }
    return found;
  }

  private byte separatorOf(byte[] bytes, int length) {
    if (separator != null) {
      return separator;
    }
    for (int i = firstRow(bytes, length); i < length && bytes[i] != '\n'; i++) {
      if (bytes[i] == '\t') {
        return '\t';
      }
    }
    return ',';
  }

  @Override
  public void split(Block block) {
    RowLayout rows = block.layout();
    if (rows == null || rows.columns().isEmpty()) {
      return; // nothing but empty lines yet
    }
    rows.split(block, block.headerEnd());
    if (time != null) {
      rows.readTimes(block, time.parser);
    }
    if (group != null) {
      rows.readGroups(block);
    }
  }

  @Override
  public void arrange(Block block) {
    RowOrder wantedOrder = block.order();
    if (wantedOrder != null) {
      Objects.requireNonNull(block.layout(), "rows have columns").arrange(block, wantedOrder);
    }
  }

  @Override
  public boolean areRows(Block block) {
    RowLayout rows = block.layout();
    return rows != null && rows.columns().size() > 1;
  }

  @Override
  public boolean isRow() {
    return true;
  }

  @Override
  public byte[] recordEnd() {
    return lineEnd.ofFirst();
  }
}
