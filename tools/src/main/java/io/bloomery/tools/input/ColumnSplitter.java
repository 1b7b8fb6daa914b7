package io.bloomery.tools.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keys that are a column of rows, or several. A column that is given by its name is looked for in
 * the first row of each file, which is then no record.
 *
 * <p>A key of several columns is these as a row of their own, in the order in which they were given
 * and with quotes only where a value needs them; it is empty if all values are.
 */
public final class ColumnSplitter implements Splitter {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final List<String> wanted;
  private final @Nullable Byte separator;
  private final boolean header;
  private final LineEnd lineEnd = new LineEnd();
  private @Nullable RowLayout
      layout; // of the present input; its columns are known after its first row

  /**
   * Takes columns by their names or numbers.
   *
   * @param wanted a column each, or several with commas between them
   * @param separator what separates columns, null to see from the first row
   * @param header whether the first row has names also where all columns have numbers
   */
  public ColumnSplitter(List<String> wanted, @Nullable Byte separator, boolean header) {
    this.wanted = List.copyOf(wanted);
    this.separator = separator;
    this.header = header || !parts().stream().allMatch(ColumnSplitter::isNumber);
    if (parts().contains("0")) {
      throw new Problem("--column 0: columns are numbered from 1");
    }
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
    lineEnd.startInput();
  }

  @Override
  public int lastEnd(Block block, int from) {
    return lastEnd(block.bytes(), block.length());
  }

  /** One past the last whole row of bytes that begin with a row; 0 if there is none. */
  public int lastEnd(byte[] bytes, int length) {
    RowLayout known = layout != null ? layout : RowLayout.unknown(separatorOf(bytes, length));
    int last = 0;
    for (int end = known.rowEnd(bytes, 0, length); end > 0; ) {
      last = end;
      end = known.rowEnd(bytes, end, length);
    }
    return last;
  }

  @Override
  public void begin(Block block) throws IOException {
    int headerEnd = 0;
    if (layout == null) {
      byte chosen = separatorOf(block.bytes(), block.length());
      RowLayout unknown = RowLayout.unknown(chosen);
      int start = startsWithMark(block) ? MARK.length : 0;
      layout = new RowLayout(chosen, columns(unknown, block, start));
      headerEnd = start;
      if (header) {
        int end = unknown.rowEnd(block.bytes(), start, block.length());
        headerEnd = end < 0 ? block.length() : end;
      }
    }
    block.layout(layout, headerEnd);
    lineEnd.learn(block, layout.rowEnd(block.bytes(), 0, block.length()));
  }

  private List<Integer> columns(RowLayout unknown, Block block, int start) throws IOException {
    List<String> names = new ArrayList<>();
    for (byte[] value : unknown.values(block, start)) {
      names.add(new String(value, UTF_8));
    }
    List<Integer> columns = new ArrayList<>();
    for (String each : wanted) {
      boolean isName = header && names.contains(each);
      for (String column : isName ? List.of(each) : List.of(each.split(",", -1))) {
        columns.add(columnOf(column, names, unknown.separator()));
      }
    }
    if (Set.copyOf(columns).size() < columns.size()) {
      throw new IOException("--column names a column twice: " + String.join(",", wanted));
    }
    return columns;
  }

  private static int columnOf(String column, List<String> names, byte separator)
      throws IOException {
    if (isNumber(column)) {
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
          "columns %d and %d are both named \"%s\"; give the number and --header"
              .formatted(found + 1, names.lastIndexOf(column) + 1, column));
    }
    return found;
  }

  private static boolean startsWithMark(Block block) {
    return block.length() >= MARK.length
        && Arrays.equals(block.bytes(), 0, MARK.length, MARK, 0, MARK.length);
  }

  private byte separatorOf(byte[] bytes, int length) {
    if (separator != null) {
      return separator;
    }
    for (int i = 0; i < length && bytes[i] != '\n'; i++) {
      if (bytes[i] == '\t') {
        return '\t';
      }
    }
    return ',';
  }

  @Override
  public void split(Block block) {
    Objects.requireNonNull(block.layout(), "rows have columns").split(block, block.headerEnd());
  }

  @Override
  public byte[] recordEnd() {
    return lineEnd.ofFirst();
  }
}
