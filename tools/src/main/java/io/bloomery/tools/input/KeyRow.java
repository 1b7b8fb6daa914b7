package io.bloomery.tools.input;

/**
 * A key of several values: a row of CSV, with commas between the values and quotes around those
 * that hold a comma, a quote or a line end. It does not depend on how the values are written in the
 * input, so that a CSV, a TSV and a JSON file with the same values have the same keys; and other
 * values give another row. If all values are empty, so is the key. The key of one value is that
 * value.
 */
public final class KeyRow {

  private static final byte SEPARATOR = ',';
  private static final byte QUOTE = '"';

  private final KeyForm form;
  private final Bytes row = new Bytes();
  private int values;
  private boolean empty;

  /** A row of values that are brought into a form, each of them. */
  KeyRow(KeyForm form) {
    this.form = form;
  }

  /** Begins another key. */
  void clear() {
    row.clear();
    values = 0;
    empty = true;
  }

  /**
   * Adds a value.
   *
   * @throws IllegalArgumentException if it is not of the type of the form
   */
  void add(byte[] bytes, int offset, int length) {
    if (values++ > 0) {
      row.add(SEPARATOR);
    }
    if (form.isAsItIs()) {
      append(bytes, offset, length);
    } else {
      byte[] value = form.of(bytes, offset, length);
      append(value, 0, value.length);
    }
  }

  private void append(byte[] bytes, int offset, int length) {
    empty &= length == 0;
    RowLayout.append(bytes, offset, length, SEPARATOR, row);
  }

  /** Adds the key of a record to a block. */
  void addTo(Block block, int start, int end) {
    block.addAside(start, end, row.array(), empty ? 0 : row.length());
  }

  /** Whether a value of the row is empty. */
  public static boolean hasEmptyValue(byte[] key, int offset, int length) {
    int end = offset + length;
    boolean begins = true;
    for (int at = offset; at < end; at++) {
      if (begins && key[at] == QUOTE) {
        do { // to the closing quote, where the next byte is not a quote
          at++;
          while (key[at] != QUOTE) {
            at++;
          }
          at++;
        } while (at < end && key[at] == QUOTE);
      } else if (begins && key[at] == SEPARATOR) {
        return true;
      }
      begins = at < end && key[at] == SEPARATOR;
    }
    return begins;
  }
}
