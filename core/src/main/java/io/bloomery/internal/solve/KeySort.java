package io.bloomery.internal.solve;

/**
 * Mixes keys with a salt, sorts them in place as unsigned numbers and removes duplicates, with
 * their values if they have any. One pass moves them to parts by their highest bits, each directly
 * to its place; then every part is sorted separately, in cache. Takes linear time for mixed keys,
 * regardless of duplicates.
 */
final class KeySort {

  private static final int PART_LOG = 15;
  private static final int MAX_PARTS_LOG = 13;

  private final KeyPieces keys;
  private final int partsLog;
  private final boolean valued;
  private final int[] ends;

  // A part, and the same in the order of its bins.
  private long[] part = {};
  private int[] partValues = {};
  private long[] binned = {};
  private int[] binnedValues = {};

  private KeySort(KeyPieces keys, int count, long salt) {
    int log = Integer.SIZE - Integer.numberOfLeadingZeros(count >>> PART_LOG);
    this.keys = keys;
    this.partsLog = Math.min(log, MAX_PARTS_LOG);
    this.valued = keys.hasValues();
    this.ends = keys.mix(count, salt, partsLog);
  }

  /**
   * Mixes and sorts the first {@code count} keys.
   *
   * @return how many different keys there are, which come first
   * @throws IllegalArgumentException if equal keys have different values
   */
  static int sort(KeyPieces keys, int count, long salt) {
    KeySort sort = new KeySort(keys, count, salt);
    sort.moveToParts();
    int from = 0;
    int to = 0;
    for (int end : sort.ends) {
      to = sort.sortPart(from, end, to);
      from = end;
    }
    return to;
  }

  private void moveToParts() {
    int[] heads = new int[ends.length];
    int end = 0;
    for (int i = 0; i < ends.length; i++) {
      heads[i] = end;
      end += ends[i];
      ends[i] = end;
    }
    for (int own = 0; own < ends.length - 1; own++) {
      for (int at = heads[own]; at < ends[own]; at++) {
        moveFrom(at, own, heads);
      }
    }
  }

  /**
   * Moves the key at a position to its part, the key displaced there to its own part, and so on.
   */
  private void moveFrom(int at, int own, int[] heads) {
    long key = keys.key(at);
    int to = partOf(key);
    if (to == own) {
      return;
    }
    int value = valued ? keys.value(at) : 0;
    do {
      int spot = heads[to]++;
      key = keys.exchange(spot, key);
      value = valued ? keys.exchangeValue(spot, value) : 0;
      to = partOf(key);
    } while (to != own);
    keys.exchange(at, key);
    if (valued) {
      keys.exchangeValue(at, value);
    }
  }

  private int partOf(long key) {
    return KeyPieces.highest(key, partsLog);
  }

  /** Sorts one part to {@code to…}, which is not behind {@code from}; returns the end. */
  private int sortPart(int from, int end, int to) {
    int size = end - from;
    if (part.length < size) {
      part = new long[size];
      binned = new long[size];
      partValues = new int[valued ? size : 0];
      binnedValues = new int[valued ? size : 0];
    }
    keys.read(from, size, part, partValues);
    int binsLog = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(size >>> 2));
    int[] starts = new int[(1 << binsLog) + 1];
    for (int i = 0; i < size; i++) {
      starts[(int) (part[i] << partsLog >>> -binsLog) + 1]++;
    }
    for (int i = 1; i < starts.length; i++) {
      starts[i] += starts[i - 1];
    }
    for (int i = 0; i < size; i++) {
      int spot = starts[(int) (part[i] << partsLog >>> -binsLog)]++;
      binned[spot] = part[i];
      if (valued) {
        binnedValues[spot] = partValues[i];
      }
    }
    int out = 0;
    int next = 0;
    for (int i = 0; i < starts.length - 1; i++) {
      int first = out;
      for (; next < starts[i]; next++) {
        out = insert(first, out, binned[next], valued ? binnedValues[next] : 0);
      }
    }
    keys.write(to, out, part, partValues);
    return to + out;
  }

  /** Inserts a key into a sorted bin of the part, {@code first…end-1}; returns the new end. */
  private int insert(int first, int end, long key, int value) {
    int spot = end;
    while (spot > first && Long.compareUnsigned(part[spot - 1], key) > 0) {
      spot--;
    }
    if (spot > first && part[spot - 1] == key) {
      if (valued && partValues[spot - 1] != value) {
        throw new IllegalArgumentException(
            "a hash has two values, " + partValues[spot - 1] + " and " + value);
      }
      return end;
    }
    System.arraycopy(part, spot, part, spot + 1, end - spot);
    part[spot] = key;
    if (valued) {
      System.arraycopy(partValues, spot, partValues, spot + 1, end - spot);
      partValues[spot] = value;
    }
    return end + 1;
  }
}
