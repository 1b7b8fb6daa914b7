package io.bloomery.tools.input;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.report.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The format of a file's rows and the columns that form the key.
 *
 * <p>With a separator other than a tab, fields may be quoted (RFC 4180): a field that begins with a
 * quote ends with one and may hold separators, line ends and doubled quotes. In any other field,
 * and between tabs, a quote is an ordinary byte. Rows end with {@code \n} or {@code \r\n}.
 *
 * @param separator what separates fields
 * @param columns which fields are the key, from 0
 * @param timeColumn which field is the time of the row, -1 if none
 * @param groupColumn which field is the group of the row, -1 if none
 * @param width how many fields every row must have, 0 if their numbers may differ
 */
public record RowLayout(
    byte separator, List<Integer> columns, int timeColumn, int groupColumn, int width) {

  private static final byte QUOTE = '"';
  private static final int EXCERPT = 60;

  /** Copies the list. */
  public RowLayout {
    columns = List.copyOf(columns);
  }

  /** Rows without a time and a group. */
  public RowLayout(byte separator, List<Integer> columns) {
    this(separator, columns, -1, -1, 0);
  }

  /** A layout whose key is not known yet. */
  static RowLayout unknown(byte separator) {
    return new RowLayout(separator, List.of());
  }

  /** Whether fields may be quoted. */
  boolean quotes() {
    return quotes(separator);
  }

  /** Whether fields may be quoted where this separates them: between tabs a quote is a byte. */
  public static boolean quotes(byte separator) {
    return separator != '\t';
  }

  /** One past the end of the row that begins at {@code from}, or -1 if it has no end yet. */
  int rowEnd(byte[] bytes, int from, int limit) {
    return rowEnd(bytes, from, limit, Integer.MAX_VALUE, false);
  }

  /**
   * One past the end of a row, or -1 if it has no end yet.
   *
   * @param longest the longest row
   * @param lenient whether a row that is too long, or goes on after a closing quote, ends with its
   *     first line
   */
  int rowEnd(byte[] bytes, int from, int limit, int longest, boolean lenient) {
    int at = from;
    boolean begins = true;
    while (at < limit) {
      byte next = bytes[at++];
      if (next == '\n') {
        return lenient && at - from > longest ? lineEnd(bytes, from, limit) : at;
      }
      if (begins && next == QUOTE && quotes()) {
        at = closingQuote(bytes, at, limit) + 1;
        if (at == 0) {
          return -1;
        }
        if (lenient && at < limit && !isFieldEnd(bytes, at, limit)) {
          return bytes[at] == '\r' && at + 1 == limit ? -1 : lineEnd(bytes, from, limit);
        }
      }
      begins = next == separator;
    }
    return -1;
  }

  /** One past the end of the line that begins at {@code from}, or -1. */
  static int lineEnd(byte[] bytes, int from, int limit) {
    for (int at = from; at < limit; at++) {
      if (bytes[at] == '\n') {
        return at + 1;
      }
    }
    return -1;
  }

  private boolean isFieldEnd(byte[] bytes, int at, int limit) {
    return at == limit
        || bytes[at] == separator
        || bytes[at] == '\n'
        || (bytes[at] == '\r' && at + 1 < limit && bytes[at + 1] == '\n');
  }

  /** Where the quote is that closes a field, or -1. */
  private static int closingQuote(byte[] bytes, int from, int limit) {
    for (int at = from; at < limit; at++) {
      if (bytes[at] == QUOTE) {
        if (at + 1 == limit || bytes[at + 1] != QUOTE) {
          return at;
        }
        at++;
      }
    }
    return -1;
  }

  /** Adds the key of every row from {@code from} on. */
  void split(Block block, int from) {
    Row row = new Row(block);
    int at = from;
    while (at < block.length()) {
      at = row.read(at);
    }
  }

  /**
   * Reads the time of every record that was found; one without a time is a bad row.
   *
   * @param parser milliseconds from 1970 of a value; throws IllegalArgumentException if it has none
   */
  void readTimes(Block block, ToLongFunction<byte[]> parser) {
    Row row = new Row(block);
    block.retain(
        i -> {
          int from = block.starts()[i];
          try {
            block.time(i, parser.applyAsLong(row.value(from, timeColumn)));
            return true;
          } catch (IllegalArgumentException e) {
            row.complaint =
                "has no time in column %d: %s".formatted(timeColumn + 1, e.getMessage());
            block.addBad(from, block.ends()[i], () -> row.problem(from));
            return false;
          }
        });
  }

  /** Reads the group of every record that was found; one without that column is a bad row. */
  void readGroups(Block block) {
    Row row = new Row(block);
    block.retain(
        i -> {
          int from = block.starts()[i];
          if (row.find(from, groupColumn)) {
            row.group(i);
            return true;
          }
          row.complaint = "has no column " + (groupColumn + 1);
          block.addBad(from, block.ends()[i], () -> row.problem(from));
          return false;
        });
  }

  /** The values of all fields of the row that begins at {@code from}; a bad row has none. */
  List<byte[]> values(Block block, int from) {
    List<byte[]> values = new ArrayList<>();
    Row row = new Row(block);
    int at = from;
    boolean more = true;
    while (more) {
      int end = row.field(at);
      if (end < 0) {
        throw new Problem(row.problem(from));
      }
      values.add(row.value());
      more = end < block.length() && block.bytes()[end] == separator;
      at = end + 1;
    }
    return values;
  }

  /**
   * Converts the records of a block to rows of another order and separator. Rows with another
   * number of fields than the order, or that cannot be written with the separator, are bad.
   */
  void arrange(Block block, RowOrder order) {
    Row row = new Row(block);
    block.retain(i -> row.arrange(i, order));
  }

  /**
   * Where the first {@code count} fields of a well-formed row end: at a separator, or at {@code
   * limit} if the row has no more.
   */
  public static int fieldsEnd(byte[] bytes, int from, int limit, int count, byte separator) {
    boolean quotes = quotes(separator);
    int at = from;
    for (int i = 0; i < count; i++) {
      at += i > 0 && at < limit ? 1 : 0;
      if (quotes && at < limit && bytes[at] == QUOTE) {
        at = closingQuote(bytes, at + 1, limit) + 1;
      }
      while (at < limit && bytes[at] != separator) {
        at++;
      }
    }
    return at;
  }

  /**
   * Appends a value to a row, in quotes if it needs them.
   *
   * @return whether it can be written: between tabs a value has neither tabs nor line ends
   */
  public static boolean append(byte[] bytes, int offset, int length, byte separator, Bytes row) {
    if (quotes(separator)) {
      quote(bytes, offset, length, separator, row);
      return true;
    }
    row.key(bytes, offset, length);
    for (int i = offset; i < offset + length; i++) {
      if (bytes[i] == separator || bytes[i] == '\n' || bytes[i] == '\r') {
        return false;
      }
    }
    return true;
  }

  /** Appends a value to a row whose fields may be quoted. */
  private static void quote(byte[] bytes, int offset, int length, byte separator, Bytes row) {
    boolean needed = false;
    for (int i = offset; i < offset + length; i++) {
      byte b = bytes[i];
      needed |= b == separator || b == QUOTE || b == '\n' || b == '\r';
    }
    if (!needed) {
      row.key(bytes, offset, length);
      return;
    }
    row.add(QUOTE);
    for (int i = offset; i < offset + length; i++) {
      row.add(bytes[i]);
      if (bytes[i] == QUOTE) {
        row.add(QUOTE);
      }
    }
    row.add(QUOTE);
  }

  /** Goes through rows. */
  private final class Row {
    private final Block block;
    private final int limit;
    private final int[] slots; // which part of the key a field is, or -1
    private final int[] starts = new int[columns.size()]; // of the parts of the key
    private final int[] ends = new int[columns.size()];
    private final boolean[] doubles = new boolean[columns.size()];
    private final KeyRow key;
    private final Bytes arranged = new Bytes();
    private int start; // of the value of the field that was read last
    private int end;
    private boolean doubled; // whether it has doubled quotes
    private String complaint = ""; // what is wrong with a bad row

    Row(Block block) {
      this.block = block;
      this.limit = block.length();
      this.key = new KeyRow(block.form());
      this.slots = new int[columns.isEmpty() ? 0 : Collections.max(columns) + 1];
      Arrays.fill(slots, -1);
      for (int i = 0; i < columns.size(); i++) {
        slots[columns.get(i)] = i;
      }
    }

    /** Adds the key of the row that begins here and returns where the next one does. */
    int read(int from) {
      byte[] bytes = block.bytes();
      int at = from;
      int fields = 0;
      while (true) {
        at = field(at);
        if (at < 0) {
          return bad(from);
        }
        int slot = fields < slots.length ? slots[fields] : -1;
        if (slot >= 0) {
          starts[slot] = start;
          ends[slot] = end;
          doubles[slot] = doubled;
        }
        fields++;
        if (at == limit || bytes[at] != separator) {
          break;
        }
        at++;
      }
      int next = at == limit ? at : at + (bytes[at] == '\r' ? 2 : 1);
      if (fields == 1 && at == from) {
        return next; // a line without any byte is not a row
      }
      if (next - from > block.longest() && block.isLenient()) {
        complaint = "is too long" + block.moreAllowed();
        return bad(from);
      }
      if (width > 0 && fields != width) {
        complaint = "has %s; the first row has %d".formatted(Text.count(fields, "field"), width);
        block.addBad(from, next, () -> problem(from));
      } else if (fields < slots.length) {
        complaint = "has no column " + slots.length;
        block.addBad(from, next, () -> problem(from));
      } else if (starts.length > 1) {
        addRow(from, next);
      } else if (doubles[0]) {
        byte[] value = unescaped(starts[0], ends[0]);
        block.addAside(from, next, value, value.length);
      } else {
        block.add(from, next, starts[0], ends[0]);
      }
      return next;
    }

    /** The value of a field of a row that was read before; empty if it has no such field. */
    byte[] value(int from, int column) {
      return find(from, column) ? value() : new byte[0];
    }

    /** Reads a field of a row that was read before; false if it has no such field. */
    boolean find(int from, int column) {
      int at = from;
      for (int i = 0; i < column; i++) {
        at = field(at);
        if (at == limit || block.bytes()[at] != separator) {
          return false;
        }
        at++;
      }
      field(at);
      return true;
    }

    /** Says that the field that was read last is the group of a record. */
    void group(int record) {
      if (doubled) {
        byte[] value = unescaped(start, end);
        int from = block.putAside(value, value.length);
        block.group(record, from, from + value.length);
      } else {
        block.group(record, start, end);
      }
    }

    /** Notes a row whose end is not known as far as its first line, and returns where that ends. */
    private int bad(int from) {
      int end = lineEnd(block.bytes(), from, limit);
      int next = end < 0 ? limit : end;
      block.addBad(from, next, () -> problem(from));
      return next;
    }

    /** Writes a record in another order; false if it is a bad row. */
    boolean arrange(int record, RowOrder order) {
      int from = block.starts()[record];
      int to = block.ends()[record];
      int[] begins = new int[order.width()]; // of fields, with their quotes
      int[] stops = new int[begins.length];
      byte[] bytes = block.bytes();
      int at = from;
      int fields = 0;
      boolean more = true;
      for (; more; fields++) {
        int stop = field(at);
        if (fields < begins.length) {
          begins[fields] = at;
          stops[fields] = stop;
        }
        more = stop < limit && bytes[stop] == separator;
        at = more ? stop + 1 : stop;
      }
      if (fields != begins.length) {
        complaint = "has %s, its header %d".formatted(Text.count(fields, "field"), begins.length);
      } else if (write(order, begins, stops)) {
        arranged.key(bytes, at, to - at); // the line end
        block.replace(record, arranged);
        return true;
      } else {
        complaint = "has a tab or line end in a field, which the first file, TSV, cannot have";
      }
      block.addBad(from, to, () -> problem(from));
      return false;
    }

    private boolean write(RowOrder order, int[] begins, int[] stops) {
      arranged.clear();
      boolean possible = true;
      for (int i = 0; i < order.fields().size(); i++) {
        if (i > 0) {
          arranged.add(order.separator());
        }
        int source = order.fields().get(i);
        if (source == RowOrder.EMPTY) {
          continue;
        }
        if (order.separator() == separator) {
          arranged.key(block.bytes(), begins[source], stops[source] - begins[source]);
        } else {
          field(begins[source]);
          byte[] value = value();
          possible &= append(value, 0, value.length, order.separator(), arranged);
        }
      }
      return possible;
    }

    /** Adds a record whose key has several values. */
    private void addRow(int from, int next) {
      key.clear();
      try {
        for (int i = 0; i < starts.length; i++) {
          byte[] bytes = doubles[i] ? unescaped(starts[i], ends[i]) : block.bytes();
          int offset = doubles[i] ? 0 : starts[i];
          key.add(bytes, offset, doubles[i] ? bytes.length : ends[i] - starts[i]);
        }
      } catch (IllegalArgumentException e) {
        block.addBad(from, next, () -> block.place(from) + ": " + e.getMessage());
        return;
      }
      key.addTo(block, from, next);
    }

    /** Reads the field at a place and returns where its separator or line end is; -1: bad row. */
    int field(int from) {
      byte[] bytes = block.bytes();
      return from < limit && bytes[from] == QUOTE && quotes()
          ? quoted(bytes, from)
          : plain(bytes, from);
    }

    private int plain(byte[] bytes, int from) {
      int at = from;
      while (at < limit && bytes[at] != separator && bytes[at] != '\n') {
        at++;
      }
      if (at < limit && at > from && bytes[at] == '\n' && bytes[at - 1] == '\r') {
        at--;
      }
      start = from;
      end = at;
      doubled = false;
      return at;
    }

    private int quoted(byte[] bytes, int from) {
      int close = closingQuote(bytes, from + 1, limit);
      if (close < 0) {
        complaint = "has a quote that is never closed";
        return -1;
      }
      int at = close + 1;
      if (!isFieldEnd(bytes, at, limit)) {
        complaint = "goes on after a closing quote (within quotes a quote is written twice)";
        return -1;
      }
      start = from + 1;
      end = close;
      doubled = false;
      for (int i = start; i < end && !doubled; i++) {
        doubled = bytes[i] == QUOTE;
      }
      return at;
    }

    byte[] value() {
      return doubled ? unescaped(start, end) : Arrays.copyOfRange(block.bytes(), start, end);
    }

    private byte[] unescaped(int from, int to) {
      byte[] bytes = block.bytes();
      byte[] value = new byte[to - from];
      int length = 0;
      for (int i = from; i < to; i++) {
        value[length++] = bytes[i];
        i += bytes[i] == QUOTE ? 1 : 0;
      }
      return Arrays.copyOf(value, length);
    }

    /** What is wrong with the row that begins here. */
    String problem(int row) {
      int length = 0;
      while (row + length < limit && length < EXCERPT && block.bytes()[row + length] != '\n') {
        length++;
      }
      return "%s: the row \"%s\" %s"
          .formatted(block.place(row), Octets.text(block.bytes(), row, length), complaint);
    }
  }
}
