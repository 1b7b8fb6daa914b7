package io.bloomery.find;

import io.bloomery.find.text.FoldedText;
import java.util.List;

/**
 * Finds the lines that contain any or all of some keys, whatever the case of letters: folded keys
 * are looked for in folded text, of which the lines are those of the text in the same order. Not
 * thread-safe.
 */
final class FoldedSearch implements RecordSearch {

  private final LineSearch search;
  private final FoldedText folded = new FoldedText();

  /** Searches for these keys, which are folded; {@code all} if a line must contain all of them. */
  FoldedSearch(KeyRule rule, List<KeyRule.Wanted> keys, boolean all) {
    this.search = new LineSearch(rule, keys, all);
  }

  @Override
  public boolean find(byte[] bytes, int length, long line, boolean first, Hits hits) {
    folded.set(bytes, 0, length);
    return search.find(
        folded.bytes(), folded.length(), line, first, new Unfolded(bytes, length, hits));
  }

  /** Passes on the line of the text instead of the folded line. */
  private static final class Unfolded implements Hits {
    private final byte[] text;
    private final int length;
    private final Hits hits;
    private int foldedAt; // line ends up to here were found
    private int at; // the same place in the text

    private Unfolded(byte[] text, int length, Hits hits) {
      this.text = text;
      this.length = length;
      this.hits = hits;
    }

    @Override
    public boolean record(byte[] foldedBytes, int start, int end) {
      for (; foldedAt < start; foldedAt++) {
        if (foldedBytes[foldedAt] == '\n') {
          at = KeyRule.lineEnd(text, at, length) + 1;
        }
      }
      return hits.record(text, at, KeyRule.lineEnd(text, at, length));
    }
  }
}
