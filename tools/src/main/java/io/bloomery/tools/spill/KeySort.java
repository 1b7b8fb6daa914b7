package io.bloomery.tools.spill;

import java.util.Arrays;

/**
 * Sorts the keys of a table by their bytes, as unsigned numbers: a least-significant-byte-first
 * radix sort of eight bytes at a time, then the next eight bytes of keys that are equal so far.
 */
final class KeySort {

  /** The memory per key while sorting. */
  static final int ENTRY_BYTES = 2 * (Long.BYTES + Integer.BYTES);

  private static final int FEW = 24;
  private static final int MOST_DEPTH = 128;
  private static final int VALUES = 1 << Byte.SIZE;

  private final KeyTable table;
  private int[] order;
  private int[] otherOrder;
  private long[] words;
  private long[] otherWords;

  private KeySort(KeyTable table) {
    this.table = table;
    this.order = new int[table.size()];
    this.otherOrder = new int[table.size()];
    this.words = new long[table.size()];
    this.otherWords = new long[table.size()];
    Arrays.setAll(order, i -> i);
  }

  /** The indexes of all keys, ordered by their bytes. */
  static int[] byKey(KeyTable table) {
    KeySort sort = new KeySort(table);
    sort.byBytes(0, table.size(), 0);
    return sort.order;
  }

  /**
   * The indexes of all keys, highest values first, keys with equal values ordered by their bytes.
   */
  static int[] byValueDown(KeyTable table) {
    KeySort sort = new KeySort(table);
    sort.byBytes(0, table.size(), 0);
    for (int i = 0; i < table.size(); i++) {
      sort.words[i] = Long.MAX_VALUE - table.value(sort.order[i]);
    }
    sort.byWords(0, table.size());
    return sort.order;
  }

  /** Sorts keys that are equal before byte {@code 8 · depth}. */
  private void byBytes(int from, int to, int depth) {
    if (to - from <= FEW || depth == MOST_DEPTH) {
      byComparison(from, to);
      return;
    }
    int at = Long.BYTES * depth;
    for (int i = from; i < to; i++) {
      words[i] = table.word(order[i], at);
    }
    byWords(from, to);
    for (int start = from; start < to; ) {
      int end = start + 1;
      while (end < to && words[end] == words[start]) {
        end++;
      }
      if (end - start > 1) {
        sortEqual(start, end, depth);
      }
      start = end;
    }
  }

  /** Among keys with equal words, those that end within the word come first, shortest first. */
  private void sortEqual(int from, int to, int depth) {
    int limit = Long.BYTES * (depth + 1);
    int ended = from;
    for (int i = from; i < to; i++) {
      if (table.length(order[i]) <= limit) {
        int index = order[i];
        order[i] = order[ended];
        order[ended++] = index;
      }
    }
    byComparison(from, ended); // at most nine, which differ only in length
    byBytes(ended, to, depth + 1);
  }

  private void byComparison(int from, int to) {
    if (to - from > FEW) {
      Integer[] boxed = new Integer[to - from];
      Arrays.setAll(boxed, i -> order[from + i]);
      Arrays.sort(boxed, table::compare);
      for (int i = from; i < to; i++) {
        order[i] = boxed[i - from];
      }
      return;
    }
    for (int i = from + 1; i < to; i++) {
      int index = order[i];
      int place = i;
      while (place > from && table.compare(order[place - 1], index) > 0) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = index;
    }
  }

  /** Sorts by words, as unsigned numbers; stable. */
  private void byWords(int from, int to) {
    if (from == to) {
      return;
    }
    int[][] counts = new int[Long.BYTES][VALUES];
    for (int i = from; i < to; i++) {
      long word = words[i];
      for (int b = 0; b < Long.BYTES; b++) {
        counts[b][(int) (word >>> (Byte.SIZE * b)) & (VALUES - 1)]++;
      }
    }
    for (int b = 0; b < Long.BYTES; b++) {
      int shift = Byte.SIZE * b;
      if (counts[b][(int) (words[from] >>> shift) & VALUES - 1] < to - from) {
        pass(from, to, shift, counts[b]);
      }
    }
  }

  private void pass(int from, int to, int shift, int[] counts) {
    int place = from;
    for (int value = 0; value < VALUES; value++) {
      int count = counts[value];
      counts[value] = place;
      place += count;
    }
    for (int i = from; i < to; i++) {
      int target = counts[(int) (words[i] >>> shift) & VALUES - 1]++;
      otherWords[target] = words[i];
      otherOrder[target] = order[i];
    }
    if (to - from == order.length) {
      int[] swappedOrder = order;
      order = otherOrder;
      otherOrder = swappedOrder;
      long[] swappedWords = words;
      words = otherWords;
      otherWords = swappedWords;
    } else {
      System.arraycopy(otherWords, from, words, from, to - from);
      System.arraycopy(otherOrder, from, order, from, to - from);
    }
  }
}
