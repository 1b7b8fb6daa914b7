package io.bloomery.internal.solve;

import io.bloomery.internal.probe.Mix;

/**
 * Mixes hashes with a salt and sorts them as unsigned numbers, equal ones once, with a value beside
 * each if there are values. One pass spreads them over parts by their highest bits, then each part
 * is sorted by itself, in cache: linear for mixed hashes, however many are equal.
 */
final class KeySort {

  private static final int PART_LOG = 15;
  private static final int MAX_PARTS_LOG = 13;

  private final long salt;
  private final int partsLog;
  private final long[] target;
  private final int[] targetValues;
  private long[] part = new long[0];
  private int[] partValues = new int[0];

  private KeySort(long salt, int partsLog, long[] target, int[] targetValues) {
    this.salt = salt;
    this.partsLog = partsLog;
    this.target = target;
    this.targetValues = targetValues;
  }

  /**
   * Sorts {@code source[from…from+count-1]} to {@code target[at…]}. Source and target may be one
   * array if the ranges are apart.
   *
   * @return how many different hashes there are
   * @throws IllegalArgumentException if equal hashes have different values
   */
  static int sort(
      long[] source,
      int[] values,
      int from,
      int count,
      long salt,
      long[] target,
      int[] targetValues,
      int at) {
    int log = Integer.SIZE - Integer.numberOfLeadingZeros(count >>> PART_LOG);
    return new KeySort(salt, Math.min(log, MAX_PARTS_LOG), target, targetValues)
        .sort(source, values, from, from + count, at);
  }

  private int sort(long[] source, int[] values, int first, int last, int at) {
    int[] ends = new int[1 << partsLog];
    for (int i = first; i < last; i++) {
      ends[partOf(Mix.mix(source[i] ^ salt))]++;
    }
    int end = at;
    for (int i = 0; i < ends.length; i++) {
      int size = ends[i];
      ends[i] = end;
      end += size;
    }
    for (int i = first; i < last; i++) {
      long key = Mix.mix(source[i] ^ salt);
      int to = ends[partOf(key)]++;
      target[to] = key;
      if (values != null) {
        targetValues[to] = values[i];
      }
    }
    int from = at;
    int to = at;
    for (int partEnd : ends) {
      to = sortPart(from, partEnd, to);
      from = partEnd;
    }
    return to - at;
  }

  private int partOf(long key) {
    return partsLog == 0 ? 0 : (int) (key >>> -partsLog);
  }

  /** Sorts one part to {@code to…}, which is not behind {@code from}; returns the end. */
  private int sortPart(int from, int end, int to) {
    int count = end - from;
    if (part.length < count) {
      part = new long[count];
      partValues = new int[targetValues == null ? 0 : count];
    }
    int binsLog = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(count >>> 2));
    int[] starts = new int[(1 << binsLog) + 1];
    for (int i = from; i < end; i++) {
      starts[(int) (target[i] << partsLog >>> -binsLog) + 1]++;
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    for (int i = from; i < end; i++) {
      int spot = starts[(int) (target[i] << partsLog >>> -binsLog)]++;
      part[spot] = target[i];
      if (targetValues != null) {
        partValues[spot] = targetValues[i];
      }
    }
    int out = to;
    int next = 0;
    for (int i = 0; i < starts.length - 1; i++) {
      int first = out;
      for (; next < starts[i]; next++) {
        out = insert(first, out, part[next], targetValues == null ? 0 : partValues[next]);
      }
    }
    return out;
  }

  private int insert(int first, int end, long key, int value) {
    int spot = end;
    while (spot > first && Long.compareUnsigned(target[spot - 1], key) > 0) {
      spot--;
    }
    if (spot > first && target[spot - 1] == key) {
      if (targetValues != null && targetValues[spot - 1] != value) {
        throw new IllegalArgumentException(
            "a hash has two values, " + targetValues[spot - 1] + " and " + value);
      }
      return end;
    }
    System.arraycopy(target, spot, target, spot + 1, end - spot);
    target[spot] = key;
    if (targetValues != null) {
      System.arraycopy(targetValues, spot, targetValues, spot + 1, end - spot);
      targetValues[spot] = value;
    }
    return end + 1;
  }
}
