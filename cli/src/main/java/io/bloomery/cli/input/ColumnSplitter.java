package io.bloomery.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.cli.console.Problem;
import io.bloomery.cli.report.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Keys that are one column of rows. A column that is given by its name is looked for in the first
 * row of each file, which is then no record.
 */
public final class ColumnSplitter implements Splitter {

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final String column;
  private final Byte separator;
  private final boolean header;
  private RowLayout layout; // of the present input; its column is known after its first row

  /**
   * Takes a column by its name or number.
   *
   * @param separator what separates columns, null to see from the first row
   * @param header whether the first row has names also where the column has a number
   */
  public ColumnSplitter(String column, Byte separator, boolean header) {
    this.column = column;
    this.separator = separator;
    this.header = header || !NUMBER.matcher(column).matches();
    if (NUMBER.matcher(column).matches() && Integer.parseInt(column) == 0) {
      throw new Problem("--column 0: columns are numbered from 1");
    }
  }

  @Override
  public void startInput() {
    layout = null;
  }

  @Override
  public int lastEnd(Block block, int from) {
    byte[] bytes = block.bytes();
    int length = block.length();
    RowLayout known = layout != null ? layout : new RowLayout(separatorOf(block), -1);
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
      byte chosen = separatorOf(block);
      RowLayout unknown = new RowLayout(chosen, -1);
      int start = startsWithMark(block) ? MARK.length : 0;
      layout = new RowLayout(chosen, columnOf(unknown, block, start));
      headerEnd = start;
      if (header) {
        int end = unknown.rowEnd(block.bytes(), start, block.length());
        headerEnd = end < 0 ? block.length() : end;
      }
    }
    block.layout(layout, headerEnd);
  }

  private int columnOf(RowLayout unknown, Block block, int start) throws IOException {
    List<String> names = new ArrayList<>();
    for (byte[] value : unknown.values(block, start)) {
      names.add(new String(value, UTF_8));
    }
    if (NUMBER.matcher(column).matches()) {
      int number = Integer.parseInt(column);
      if (number > names.size()) {
        throw new IOException(
            "there is no column %d; the first row has %s"
                .formatted(number, Text.count(names.size(), "column")));
      }
      return number - 1;
    }
    int found = names.indexOf(column);
    if (found < 0) {
      throw new IOException(
          "no column is named \"%s\"; the first row has: %s"
              .formatted(column, String.join(", ", names)));
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

  private byte separatorOf(Block block) {
    if (separator != null) {
      return separator;
    }
    byte[] bytes = block.bytes();
    for (int i = 0; i < block.length() && bytes[i] != '\n'; i++) {
      if (bytes[i] == '\t') {
        return '\t';
      }
    }
    return ',';
  }

  @Override
  public void split(Block block) {
    block.layout().split(block, block.headerEnd());
  }

  @Override
  public byte[] recordEnd() {
    return new byte[] {'\n'};
  }
}
