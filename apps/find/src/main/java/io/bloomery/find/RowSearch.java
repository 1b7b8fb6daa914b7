package io.bloomery.find;

import io.bloomery.tools.input.Block;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the rows whose columns equal one of some keys. A row contains all keys only if they are
 * equal. Not thread-safe.
 */
final class RowSearch implements RecordSearch {

  private final Records records;
  private final List<KeyRule.Wanted> keys;
  private final boolean all;

  /** Searches the records of a file. */
  RowSearch(Records records, List<KeyRule.Wanted> keys, boolean all) {
    this.records = records;
    this.keys = keys;
    this.all = all;
  }

  @Override
  public boolean find(byte[] bytes, int length, boolean first, Hits hits) {
    Block rows = records.rows(bytes, length, first);
    for (int i = 0; i < rows.count(); i++) {
      if (matches(rows, i) && !hits.record(bytes, rows.starts()[i], end(rows, i))) {
        return false;
      }
    }
    return true;
  }

  private boolean matches(Block rows, int row) {
    int from = rows.keyStarts()[row];
    int to = rows.keyEnds()[row];
    for (KeyRule.Wanted key : keys) {
      byte[] wanted = key.bytes();
      if (Arrays.equals(rows.bytes(), from, to, wanted, 0, wanted.length) != all) {
        return !all;
      }
    }
    return all;
  }

  private static int end(Block rows, int row) {
    int end = rows.ends()[row];
    return end > rows.starts()[row] && rows.bytes()[end - 1] == '\n' ? end - 1 : end;
  }
}
