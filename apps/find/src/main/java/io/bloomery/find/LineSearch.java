package io.bloomery.find;

import io.bloomery.find.text.ByteSearch;
import io.bloomery.find.text.Tokens;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines that contain any or all of some keys. A key made of tokens matches where its
 * first token starts at a token of the line and its last token ends at one; a line key matches
 * whole lines. Not thread-safe.
 */
final class LineSearch implements RecordSearch {

  private final boolean lines;
  private final Tokens tokens;
  private final boolean all;
  private final KeyRule.Wanted[] keys;
  private @Nullable ByteSearch[]
      searches = {}; // none before the first text; null for the empty key
  private final int[] next;

  /** Searches for these keys; {@code all} if a line must contain all of them. */
  LineSearch(KeyRule rule, List<KeyRule.Wanted> keys, boolean all) {
    this.lines = rule.kind() == KeyRule.Kind.LINES;
    this.tokens = rule.tokenizer();
    this.all = all;
    this.keys = keys.toArray(new KeyRule.Wanted[0]);
    this.next = new int[this.keys.length];
  }

  private @Nullable ByteSearch[] searches(byte[] bytes, int length) {
    @Nullable ByteSearch[] made = new @Nullable ByteSearch[keys.length];
    for (int i = 0; i < made.length; i++) {
      byte[] key = keys[i].bytes();
      made[i] = key.length == 0 ? null : new ByteSearch(key, bytes, length);
    }
    return made;
  }

  @Override
  public boolean find(byte[] bytes, int to, long line, boolean first, Hits hits) {
    if (searches.length == 0) {
      searches = searches(bytes, to);
    }
    Arrays.fill(next, -1);
    int at = 0;
    while (at < to) {
      int found = all ? next(0, bytes, at, to) : first(bytes, at, to);
      if (found >= to) {
        return true;
      }
      int start = found;
      while (start > at && bytes[start - 1] != '\n') {
        start--;
      }
      int end = KeyRule.lineEnd(bytes, found, to);
      if ((!all || hasAll(bytes, start, end, to)) && !hits.record(bytes, start, end)) {
        return false;
      }
      at = end + 1;
    }
    return true;
  }

  private int first(byte[] bytes, int at, int to) {
    int first = to;
    for (int i = 0; i < keys.length; i++) {
      if (next[i] < at) {
        next[i] = next(i, bytes, at, to);
      }
      first = Math.min(first, next[i]);
    }
    return first;
  }

  private boolean hasAll(byte[] bytes, int start, int end, int to) {
    for (int i = 1; i < keys.length; i++) {
      int limit = Math.min(to, end + 1); // an empty key matches the empty line
      if (next(i, bytes, start, limit) >= limit) {
        return false;
      }
    }
    return true;
  }

  /** The position of a key at or after {@code at}, or {@code to} if there is none. */
  private int next(int i, byte[] bytes, int at, int to) {
    ByteSearch search = searches[i];
    if (search == null) {
      return emptyLine(bytes, at, to);
    }
    int place = search.find(bytes, at, to);
    while (place < to && !isWhole(keys[i], bytes, place, to)) {
      place = search.find(bytes, place + 1, to);
    }
    return place;
  }

  private boolean isWhole(KeyRule.Wanted key, byte[] bytes, int place, int to) {
    if (!lines) {
      return tokens.standsAlone(bytes, to, place + key.first(), place + key.last());
    }
    int end = place + key.bytes().length;
    boolean ends =
        end == to
            || bytes[end] == '\n'
            || (bytes[end] == '\r' && (end + 1 == to || bytes[end + 1] == '\n'));
    return ends && (place == 0 || bytes[place - 1] == '\n');
  }

  private static int emptyLine(byte[] bytes, int at, int to) {
    for (int place = at; place < to; place++) {
      boolean begins = place == 0 || bytes[place - 1] == '\n';
      boolean pair = bytes[place] == '\r' && (place + 1 == to || bytes[place + 1] == '\n');
      if (begins && (bytes[place] == '\n' || pair)) {
        return place;
      }
    }
    return to;
  }
}
