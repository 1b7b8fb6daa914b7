package io.bloomery.cli.join;

import io.bloomery.tools.console.Console;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.CsvRows;
import io.bloomery.tools.input.KeyForm;
import io.bloomery.tools.input.KeyStreams;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.input.Separators;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A CSV or TSV file, read row by row, with one or more key columns. */
final class CsvTable implements AutoCloseable {

  private static final int LOOK_AHEAD = 1 << 16;

  private final String name;
  private final KeyStreams streams;
  private final CsvRows rows;
  private final byte separator;
  private final List<String> header = new ArrayList<>(); // empty if there is none
  private final int columns;
  private final boolean pairs; // lines end with \r\n
  private int[] keys = {};
  private boolean[] isKey = {};
  private boolean pending; // the first row is not a header and was not returned yet
  private long count;
  private KeyForm form = KeyForm.AS_IT_IS;
  private final KeySample sample = new KeySample();

  /**
   * Opens a file, or standard input for {@code -}, and reads its first row.
   *
   * @param separator the column separator; null for a tab if the first line has one, else a comma
   * @param hasHeader whether the first row is a header row
   * @param longest the length of the longest row, including its line end
   */
  CsvTable(
      Console console,
      String name,
      @Nullable Byte separator,
      boolean hasHeader,
      int longest,
      LongConsumer progress) {
    this.name = name;
    this.streams = new KeyStreams(console, List.of(name), progress);
    try {
      InputStream in = new BufferedInputStream(streams.nextKeys(true), LOOK_AHEAD);
      this.separator = separator != null ? separator : separatorOf(in);
      this.rows = new CsvRows(in, this.separator, longest);
      pending = rows.next();
      columns = rows.fields();
      pairs = rows.endsWithPair();
      if (hasHeader && !pending) {
        throw new Problem(name + ": empty; a row with the names of the columns is needed");
      }
      for (int i = 0; hasHeader && i < columns; i++) {
        rows.value(i, (bytes, at, length) -> header.add(Octets.text(bytes, at, length)));
      }
      pending &= !hasHeader;
    } catch (IOException e) {
      throw streams.problem(e);
    }
  }

  private static byte separatorOf(InputStream in) throws IOException {
    in.mark(LOOK_AHEAD);
    int next;
    int looked = 0;
    do {
      next = in.read();
      looked++;
    } while (next >= 0 && next != '\n' && next != '\t' && looked < LOOK_AHEAD);
    in.reset();
    return (byte) (next == '\t' ? '\t' : ',');
  }

  /** Selects the key columns by name, or by number from 1, and the form of their values. */
  void keyColumns(List<String> wanted, KeyForm compared) {
    form = compared;
    keys =
        columns == 0
            ? new int[0]
            : wanted.stream().flatMap(this::parts).mapToInt(this::column).toArray();
    isKey = new boolean[columns];
    for (int key : keys) {
      if (isKey[key]) {
        throw new Problem(
            "%s: column %d is twice in the key %s"
                .formatted(name, key + 1, String.join(",", wanted)));
      }
      isKey[key] = true;
    }
  }

  /** The number of key columns. */
  int keyParts() {
    return keys.length;
  }

  /** The number of columns; 0 if there is no row. */
  int columns() {
    return columns;
  }

  /** Splits column names at commas, unless a column has exactly this name. */
  private Stream<String> parts(String wanted) {
    return header.contains(wanted) ? Stream.of(wanted) : Stream.of(wanted.split(",", -1));
  }

  private int column(String wanted) {
    int found = header.indexOf(wanted);
    if (found >= 0 && found != header.lastIndexOf(wanted)) {
      throw new Problem(
          "%s: several columns are named '%s'; give the number of one".formatted(name, wanted));
    }
    if (found < 0 && wanted.matches("[1-9][0-9]{0,8}")) {
      found = Integer.parseInt(wanted) - 1;
      if (found >= columns) {
        throw new Problem(
            "%s: no column %s; there are %s%s"
                .formatted(name, wanted, Text.count(columns), Separators.hint(header, separator)));
      }
    }
    if (found < 0) {
      throw new Problem(
          header.isEmpty()
              ? "%s: without a header a column is a number from 1, not '%s'".formatted(name, wanted)
              : "%s: no column '%s'; %s: %s%s"
                  .formatted(
                      name,
                      wanted,
                      columns == 1 ? "the header has one column" : "there are",
                      String.join(", ", header),
                      Separators.hint(header, separator)));
    }
    return found;
  }

  /** Moves to the next row. Every row must have as many fields as the first. */
  boolean next() {
    try {
      if (!pending && !rows.next()) {
        return false;
      }
    } catch (IOException e) {
      throw streams.problem(e);
    }
    pending = false;
    count++;
    if (rows.fields() != columns) {
      throw new Problem(
          "%s, line %d: %s; the first row has %d"
              .formatted(name, rows.line(), Text.count(rows.fields(), "field"), columns));
    }
    return true;
  }

  /** The number of rows read, without the header row. */
  long count() {
    return count;
  }

  /** The column names; empty if there is no header row. */
  List<String> header() {
    return header;
  }

  /** The column separator. */
  byte separator() {
    return separator;
  }

  /** The line end, taken from the first line. */
  byte[] lineEnd() {
    return pairs ? new byte[] {'\r', '\n'} : new byte[] {'\n'};
  }

  /** The number of columns that are not key columns. */
  int others() {
    return columns - keys.length;
  }

  /** Whether a column is a key column. */
  boolean isKey(int column) {
    return isKey[column];
  }

  /** Assembles the key of the row; returns whether all key columns have a value. */
  boolean key(Bytes key) {
    key.clear();
    boolean complete = true;
    for (int column : keys) {
      int before = key.length();
      if (keys.length > 1) {
        key.addInt(0);
      }
      rows.value(column, (bytes, at, size) -> addValue(key, bytes, at, size));
      int length = key.length() - before - (keys.length > 1 ? Integer.BYTES : 0);
      complete &= length > 0;
      if (keys.length > 1) {
        key.setInt(before, length);
      }
    }
    return complete;
  }

  private void addValue(Bytes key, byte[] bytes, int at, int length) {
    if (keys.length == 1 && length > 0) {
      sample.add(bytes, at, length);
    }
    if (form.isAsItIs()) {
      key.key(bytes, at, length);
      return;
    }
    try {
      byte[] value = form.of(bytes, at, length);
      key.key(value, 0, value.length);
    } catch (IllegalArgumentException e) {
      throw new Problem("%s, line %d: %s".formatted(name, rows.line(), e.getMessage()));
    }
  }

  /** The first keys; none if they have several columns. */
  KeySample sample() {
    return sample;
  }

  /** Appends the row unchanged. */
  void row(Bytes row) {
    rows.row(row);
  }

  /**
   * Appends a row in the layout of another table, with this row's key and all other fields empty.
   */
  void keyAsRowOf(CsvTable other, Bytes row) {
    for (int i = 0; i < other.columns; i++) {
      if (i > 0) {
        row.add(other.separator);
      }
      for (int part = 0; part < keys.length; part++) {
        if (other.keys[part] == i) {
          rows.value(
              keys[part], (bytes, at, length) -> append(bytes, at, length, other.separator, row));
        }
      }
    }
  }

  private void append(byte[] bytes, int at, int length, byte outputSeparator, Bytes row) {
    if (!RowLayout.append(bytes, at, length, outputSeparator, row)) {
      throw new Problem(
          "%s, line %d: a field has a tab or line end, which the other file cannot hold, as it is TSV"
              .formatted(name, rows.line()));
    }
  }

  /** Appends the fields that are not part of the key, each preceded by a separator. */
  void others(Bytes row, byte outputSeparator) {
    for (int i = 0; i < columns; i++) {
      if (!isKey[i]) {
        row.add(outputSeparator);
        if (outputSeparator == separator) {
          rows.raw(i, row);
        } else {
          rows.value(i, (bytes, at, length) -> append(bytes, at, length, outputSeparator, row));
        }
      }
    }
  }

  @Override
  public void close() {
    try {
      streams.close();
    } catch (IOException e) {
      throw streams.problem(e);
    }
  }
}
