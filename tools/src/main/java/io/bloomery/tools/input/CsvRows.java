package io.bloomery.tools.input;

import io.bloomery.tools.report.Text;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into rows of fields, by the rules of {@link RowLayout}. A row ends with
 * {@code \n} or {@code \r\n} outside of quotes; the last one may lack its end. Bytes are never
 * decoded. Lines without any byte are not rows; a UTF-8 byte-order mark at the beginning is left
 * out.
 */
public final class CsvRows {

  private static final int BUFFER = 1 << 16;
  private static final byte QUOTE = '"';
  private static final byte PLAIN = 0;
  private static final byte QUOTED = 1;
  private static final byte ESCAPED = 2;

  private final InputStream in;
  private final byte delimiter;
  private final boolean quotes;
  private final int longest;
  private byte[] buffer = new byte[BUFFER];
  private int start; // of the row in the buffer
  private int end; // of what was read
  private int rowBytes; // without the line end
  private int consumed; // with it
  private boolean pair; // whether the line end is \r\n
  private int fields;
  private int[] ends = new int[64]; // of the fields, from the row's start
  private byte[] forms = new byte[64];
  private byte[] scratch = new byte[256];
  private long line = 1; // where the row begins
  private long lines; // that have ended

  /**
   * Reads rows whose fields {@code delimiter} separates.
   *
   * @param longest the longest row, its line end included
   */
  public CsvRows(InputStream in, byte delimiter, int longest) throws IOException {
    this.in = in;
    this.delimiter = delimiter;
    this.quotes = RowLayout.quotes(delimiter);
    this.longest = longest;
    has(ByteOrderMark.LENGTH - 1);
    if (ByteOrderMark.length(buffer, end) > 0) {
      consumed = ByteOrderMark.LENGTH;
    }
  }

  /**
   * Moves to the next row.
   *
   * @return false if there is none
   * @throws IOException if the stream fails, or quotes are not as they must be; the message has the
   *     line
   */
  public boolean next() throws IOException {
    do {
      start += consumed;
      consumed = 0;
      line = lines + 1;
      fields = 0;
      if (start == end && !fill()) {
        rowBytes = 0;
        return false;
      }
      readRow();
    } while (rowBytes == 0);
    return true;
  }

  private void readRow() throws IOException {
    int at = 0;
    boolean more = true;
    while (more) {
      boolean quoted = quotes && has(at) && buffer[start + at] == QUOTE;
      at = quoted ? quotedField(at) : plainField(at);
      more = has(at) && buffer[start + at] == delimiter;
      at++;
    }
    at--;
    rowBytes = ends[fields - 1];
    pair = false;
    if (has(at)) { // the rest is the line end
      pair = buffer[start + at] == '\r';
      at += pair ? 2 : 1;
      lines++;
    }
    consumed = at;
    checkLength(consumed);
  }

  private void checkLength(int length) throws IOException {
    if (length > longest) {
      throw new IOException(
          "line %d: longer than %s; --max-record allows more".formatted(line, Text.bytes(longest)));
    }
  }

  private int plainField(int begin) throws IOException {
    int at = begin;
    while (has(at)) {
      at = plainEnd(at);
      if (start + at < end) {
        break;
      }
    }
    if (start + at < end
        && buffer[start + at] == '\n'
        && at > begin
        && buffer[start + at - 1] == '\r') {
      at--;
    }
    addField(at, PLAIN);
    return at;
  }

  /** Where a delimiter or line end is next, or nothing was read yet. */
  private int plainEnd(int from) {
    byte[] bytes = buffer;
    byte separator = delimiter;
    int limit = end;
    int i = start + from;
    while (i < limit && bytes[i] != separator && bytes[i] != '\n') {
      i++;
    }
    return i - start;
  }

  private int quotedField(int begin) throws IOException {
    long opened = lines + 1;
    byte form = QUOTED;
    int at = begin + 1;
    while (true) {
      if (!has(at)) {
        throw new IOException("line " + opened + ": a quote is opened and never closed");
      }
      byte next = buffer[start + at++];
      if (next == '\n') {
        lines++;
      } else if (next == QUOTE) {
        if (!has(at) || buffer[start + at] != QUOTE) {
          break;
        }
        form = ESCAPED;
        at++;
      }
    }
    addField(at, form);
    if (has(at) && !isEnd(at)) {
      throw new IOException(
          "line "
              + (lines + 1)
              + ": text after a closing quote; a quote within quotes is written twice");
    }
    return at;
  }

  private boolean isEnd(int at) throws IOException {
    byte next = buffer[start + at];
    return next == delimiter
        || next == '\n'
        || (next == '\r' && has(at + 1) && buffer[start + at + 1] == '\n');
  }

  private void addField(int fieldEnd, byte form) {
    if (fields == ends.length) {
      ends = Arrays.copyOf(ends, 2 * fields);
      forms = Arrays.copyOf(forms, 2 * fields);
    }
    ends[fields] = fieldEnd;
    forms[fields++] = form;
  }

  /** Whether the row, as far as it is known, has a byte at this place; reads on if need be. */
  private boolean has(int at) throws IOException {
    return start + at < end || readOn(at);
  }

  private boolean readOn(int at) throws IOException {
    while (start + at >= end) {
      if (!fill()) {
        return false;
      }
    }
    return true;
  }

  private boolean fill() throws IOException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (end == buffer.length) {
      checkLength(end);
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int count = in.read(buffer, end, buffer.length - end);
    end += Math.max(count, 0);
    return count >= 0;
  }

  /** The line, from 1, at which the row begins. */
  public long line() {
    return line;
  }

  /** How many fields the row has, 1 or more. */
  public int fields() {
    return fields;
  }

  /** Whether the row ends with {@code \r\n}. */
  public boolean endsWithPair() {
    return pair;
  }

  /** Gives the row as it was read, without its line end. */
  public void row(KeySink sink) {
    sink.key(buffer, start, rowBytes);
  }

  /** Gives a field as it was read, with its quotes. */
  public void raw(int field, KeySink sink) {
    int from = begin(field);
    sink.key(buffer, start + from, ends[field] - from);
  }

  /** Gives the value of a field, without quotes. */
  public void value(int field, KeySink sink) {
    int from = start + begin(field);
    int to = start + ends[field];
    switch (forms[field]) {
      case PLAIN -> sink.key(buffer, from, to - from);
      case QUOTED -> sink.key(buffer, from + 1, to - from - 2);
      default -> {
        int length = unescape(from + 1, to - 1);
        sink.key(scratch, 0, length);
      }
    }
  }

  private int unescape(int from, int to) {
    if (scratch.length < to - from) {
      scratch = new byte[Math.max(to - from, 2 * scratch.length)];
    }
    int length = 0;
    for (int i = from; i < to; i++) {
      scratch[length++] = buffer[i];
      i += buffer[i] == QUOTE ? 1 : 0;
    }
    return length;
  }

  private int begin(int field) {
    return field == 0 ? 0 : ends[field - 1] + 1;
  }
}
