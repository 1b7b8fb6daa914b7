package io.bloomery.internal.solve;

import io.bloomery.internal.bits.KeyHashes;
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
  private final int at;
  private final int[] ends;
  private long[] part = new long[0];
  private int[] partValues = new int[0];

  private KeySort(int count, long salt, long[] target, int[] targetValues, int at) {
    int log = Integer.SIZE - Integer.numberOfLeadingZeros(count >>> PART_LOG);
    this.salt = salt;
    this.partsLog = Math.min(log, MAX_PARTS_LOG);
    this.target = target;
    this.targetValues = targetValues;
    this.at = at;
    this.ends = new int[1 << partsLog];
  }

  /**
   * Sorts all hashes to the front of {@code target}.
   *
   * @return how many different hashes there are
   * @throws IllegalArgumentException if equal hashes have different values
   */
  static int sort(KeyHashes source, int[] values, long salt, long[] target, int[] targetValues) {
    KeySort sort = new KeySort(target.length, salt, target, targetValues, 0);
    for (int i = 0; i < source.pieces(); i++) {
      sort.count(source.piece(i), 0, source.length(i));
    }
    sort.begin();
    int first = 0;
    for (int i = 0; i < source.pieces(); i++) {
      sort.move(source.piece(i), 0, source.length(i), values, first);
      first += source.length(i);
    }
    return sort.finish();
  }

  /**
   * Sorts {@code source[from…to-1]}, all different, to {@code target[at…]}. Source and target may
   * be one array if the ranges are apart.
   */
  static void sort(
      long[] source,
      int[] values,
      int from,
      int to,
      long salt,
      long[] target,
      int[] targetValues,
      int at) {
    KeySort sort = new KeySort(to - from, salt, target, targetValues, at);
    sort.count(source, from, to);
    sort.begin();
    sort.move(source, from, to, values, from);
    sort.finish();
  }

  private void count(long[] source, int from, int to) {
    for (int i = from; i < to; i++) {
      ends[partOf(Mix.mix(source[i] ^ salt))]++;
    }
  }

  private void begin() {
    int end = at;
    for (int i = 0; i < ends.length; i++) {
      int size = ends[i];
      ends[i] = end;
      end += size;
    }
  }

  /** Moves hashes to their parts; {@code firstValue} is the place of the first value. */
  private void move(long[] source, int from, int to, int[] values, int firstValue) {
    for (int i = from; i < to; i++) {
      long key = Mix.mix(source[i] ^ salt);
      int spot = ends[partOf(key)]++;
      target[spot] = key;
      if (values != null) {
        targetValues[spot] = values[firstValue + i - from];
      }
    }
  }

  private int finish() {
    int from = at;
    int to = at;
    for (int end : ends) {
      to = sortPart(from, end, to);
      from = end;
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
