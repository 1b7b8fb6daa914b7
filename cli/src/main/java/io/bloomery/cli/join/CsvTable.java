package io.bloomery.cli.join;

import io.bloomery.tools.input.Block;
import io.bloomery.tools.input.BlockReader;
import io.bloomery.tools.input.Bytes;
import io.bloomery.tools.input.ColumnSplitter;
import io.bloomery.tools.input.KeyInput;
import io.bloomery.tools.input.KeyRow;
import io.bloomery.tools.input.Reading;
import io.bloomery.tools.input.RowLayout;
import io.bloomery.tools.problem.Problem;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A CSV or TSV file, read row by row: the key of each row and its printed form. */
final class CsvTable implements AutoCloseable {

  private final ColumnSplitter splitter;
  private final boolean hasHeader;
  private final BlockReader reader;
  private final KeySample sample = new KeySample();
  private @Nullable Block block; // null after the last
  private int record = -1; // in the block
  private long count;

  /**
   * Opens a file, or standard input for {@code -}, and reads its first row.
   *
   * @param splitter finds rows and keys
   * @param hasHeader whether the first row is a header row
   * @param reading how the file is read, which lists empty keys
   */
  CsvTable(
      KeyInput input,
      String name,
      ColumnSplitter splitter,
      boolean hasHeader,
      Reading reading,
      LongConsumer progress) {
    this.splitter = splitter;
    this.hasHeader = hasHeader;
    this.reader = input.open(reading.of(splitter, reading.hasher()).listingEmpty(), progress);
    do {
      block = reader.next();
    } while (block != null && splitter.layout() == null);
    if (hasHeader && splitter.layout() == null) {
      reader.close();
      throw new Problem(name + ": empty; a row with the names of the columns is needed");
    }
  }

  /** The number of columns; 0 if there is no row. */
  int columns() {
    return splitter.layout() == null ? 0 : splitter.names().size();
  }

  /** The column names; empty if there is no header row. */
  List<String> header() {
    return hasHeader ? splitter.names() : List.of();
  }

  /** The columns of the key, from 0; none if there is no row. */
  List<Integer> keys() {
    RowLayout rows = splitter.layout();
    return rows == null ? List.of() : rows.columns();
  }

  /** The column separator. */
  byte separator() {
    RowLayout rows = splitter.layout();
    return rows == null ? (byte) ',' : rows.separator();
  }

  /** The line end, taken from the first line. */
  byte[] lineEnd() {
    return splitter.recordEnd();
  }

  /** The number of columns that are not key columns. */
  int others() {
    return columns() - keys().size();
  }

  /** Moves to the next row. */
  boolean next() {
    record++;
    while (block != null && record == block.count()) {
      block = reader.next();
      record = 0;
    }
    if (block == null) {
      return false;
    }
    count++;
    if (!sample.isFull() && keys().size() == 1) {
      sample(block);
    }
    return true;
  }

  private void sample(Block rows) {
    int start = rows.keyStarts()[record];
    if (rows.keyEnds()[record] > start) {
      sample.add(rows.bytes(), start, rows.keyEnds()[record] - start);
    }
  }

  /** The number of rows read, without the header row. */
  long count() {
    return count;
  }

  /** The first keys; none if they have several columns. */
  KeySample sample() {
    return sample;
  }

  private Block current() {
    if (block == null) {
      throw new IllegalStateException("there is no row");
    }
    return block;
  }

  /** Whether all columns of the row's key have a value. */
  boolean isComplete() {
    Block rows = current();
    int start = rows.keyStarts()[record];
    int length = rows.keyEnds()[record] - start;
    return length > 0 && (keys().size() == 1 || !KeyRow.hasEmptyValue(rows.bytes(), start, length));
  }

  /** The hash of the row's key. */
  long hash() {
    return current().hashes()[record];
  }

  /** Appends the row's key. */
  void key(Bytes key) {
    Block rows = current();
    int start = rows.keyStarts()[record];
    key.key(rows.bytes(), start, rows.keyEnds()[record] - start);
  }

  /** Appends the row in its printed form, without its line end. */
  void row(Bytes row) {
    Block rows = current();
    int start = rows.starts()[record];
    int end = rows.ends()[record];
    if (end > start && rows.bytes()[end - 1] == '\n') {
      end--;
      end -= end > start && rows.bytes()[end - 1] == '\r' ? 1 : 0;
    }
    row.key(rows.bytes(), start, end - start);
  }

  @Override
  public void close() {
    reader.close();
  }
}
