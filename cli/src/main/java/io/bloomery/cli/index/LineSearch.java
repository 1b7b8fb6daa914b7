package io.bloomery.cli.index;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the lines that contain any or all of some keys. A key made of tokens matches where its
 * first token starts at a token of the line and its last token ends at one; a line key matches
 * whole lines. Not thread-safe.
 */
final class LineSearch {

  /** Receives the matching lines. */
  @FunctionalInterface
  interface Hits {
    /** A line without its line end; returns false to stop. */
    boolean line(byte[] bytes, int start, int end);
  }

  private final boolean lines;
  private final Tokens tokens;
  private final boolean all;
  private final KeyRule.Wanted[] keys;
  private final int[][] skips;
  private final int[] next;

  /** Searches for these keys; {@code all} if a line must contain all of them. */
  LineSearch(KeyRule rule, List<KeyRule.Wanted> keys, boolean all) {
    this.lines = rule.lines();
    this.tokens = rule.tokens();
    this.all = all;
    this.keys = keys.toArray(KeyRule.Wanted[]::new);
    this.skips = new int[this.keys.length][];
    this.next = new int[this.keys.length];
    for (int i = 0; i < skips.length; i++) {
      skips[i] = skips(this.keys[i].bytes());
    }
  }

  /** How far the window may move, per last byte of the window (Horspool 1980). */
  private static int[] skips(byte[] key) {
    int[] skips = new int[256];
    Arrays.fill(skips, Math.max(1, key.length));
    for (int i = 0; i < key.length - 1; i++) {
      skips[key[i] & 0xFF] = key.length - 1 - i;
    }
    return skips;
  }

  /** Passes every matching line among some whole lines to {@code hits}; false if it was stopped. */
  boolean find(byte[] bytes, int from, int to, Hits hits) {
    Arrays.fill(next, -1);
    int at = from;
    while (at < to) {
      int found = all ? next(0, bytes, at, from, to) : first(bytes, at, from, to);
      if (found >= to) {
        return true;
      }
      int start = found;
      while (start > at && bytes[start - 1] != '\n') {
        start--;
      }
      int end = KeyRule.lineEnd(bytes, found, to);
      if ((!all || hasAll(bytes, start, end, from, to)) && !hits.line(bytes, start, end)) {
        return false;
      }
      at = end + 1;
    }
    return true;
  }

  private int first(byte[] bytes, int at, int from, int to) {
    int first = to;
    for (int i = 0; i < keys.length; i++) {
      if (next[i] < at) {
        next[i] = next(i, bytes, at, from, to);
      }
      first = Math.min(first, next[i]);
    }
    return first;
  }

  private boolean hasAll(byte[] bytes, int start, int end, int from, int to) {
    for (int i = 1; i < keys.length; i++) {
      int limit = Math.min(to, end + 1); // an empty key matches the empty line
      if (next(i, bytes, start, from, limit) >= limit) {
        return false;
      }
    }
    return true;
  }

  /** The position of a key at or after {@code at}, or {@code to} if there is none. */
  private int next(int i, byte[] bytes, int at, int from, int to) {
    byte[] key = keys[i].bytes();
    if (key.length == 0) {
      return emptyLine(bytes, at, from, to);
    }
    int[] skip = skips[i];
    int last = key.length - 1;
    byte lastByte = key[last];
    int limit = to - last;
    for (int place = at; place < limit; ) {
      byte end = bytes[place + last];
      if (end == lastByte
          && Arrays.equals(bytes, place, place + last, key, 0, last)
          && isWhole(keys[i], bytes, place, from, to)) {
        return place;
      }
      place += skip[end & 0xFF];
    }
    return to;
  }

  private boolean isWhole(KeyRule.Wanted key, byte[] bytes, int place, int from, int to) {
    if (!lines) {
      return tokens.standsAlone(bytes, from, to, place + key.first(), place + key.last());
    }
    int end = place + key.bytes().length;
    boolean ends =
        end == to
            || bytes[end] == '\n'
            || (bytes[end] == '\r' && (end + 1 == to || bytes[end + 1] == '\n'));
    return ends && (place == from || bytes[place - 1] == '\n');
  }

  private static int emptyLine(byte[] bytes, int at, int from, int to) {
    for (int place = at; place < to; place++) {
      boolean begins = place == from || bytes[place - 1] == '\n';
      boolean pair = bytes[place] == '\r' && (place + 1 == to || bytes[place + 1] == '\n');
      if (begins && (bytes[place] == '\n' || pair)) {
        return place;
      }
    }
    return to;
  }
}
