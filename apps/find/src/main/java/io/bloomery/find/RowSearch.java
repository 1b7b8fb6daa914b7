package io.bloomery.find;

import io.bloomery.find.text.FoldedText;
import io.bloomery.tools.input.Block;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows whose columns or values equal one of some keys. A row contains all keys only if
 * they are equal. Not thread-safe.
 */
final class RowSearch implements RecordSearch {

  private final Records records;
  private final List<KeyRule.Wanted> keys;
  private final boolean all;
  private final @Nullable FoldedText folded; // null unless the case of letters is ignored

  /** Searches the records of a file; keys are folded if {@code anyCase}. */
  RowSearch(Records records, List<KeyRule.Wanted> keys, boolean all, boolean anyCase) {
    this.folded = anyCase ? new FoldedText() : null;
    this.records = records;
    this.keys = keys;
    this.all = all;
  }

  @Override
  public boolean find(byte[] bytes, int length, long line, boolean first, Hits hits) {
    Block rows = records.rows(bytes, length, line, first);
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
    if (folded != null) {
      folded.set(rows.bytes(), from, to);
      return matches(folded.bytes(), 0, folded.length());
    }
    return matches(rows.bytes(), from, to);
  }

  private boolean matches(byte[] bytes, int from, int to) {
    for (KeyRule.Wanted key : keys) {
      byte[] wanted = key.bytes();
      if (Arrays.equals(bytes, from, to, wanted, 0, wanted.length) != all) {
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
