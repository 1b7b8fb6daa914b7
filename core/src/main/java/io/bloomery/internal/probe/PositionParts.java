package io.bloomery.internal.probe;

/**
 * A bulk add of scattered bits to an array that is larger than the cache, part by part: positions
 * are buffered until a part has many, and are then set in memory that the cache and the TLB hold.
 * Single adds miss both for nearly every position.
 *
 * <p>The scratch of 4 MB belongs to one call.
 */
final class PositionParts {

  private static final int PARTS_LOG = 6;

  /** The most positions buffered for a part. */
  private static final int ROOM_LOG = 14;

  /** Smaller arrays, up to 2 MB, are quick to fill in any order. */
  private static final long MIN_WORDS = 1 << 18;

  private final long[] heap;
  private final int shift;
  private final int[] waiting = new int[1 << (PARTS_LOG + ROOM_LOG)];
  private final int[] ends = new int[1 << PARTS_LOG];
  private long changed;

  /** For this many bits of an array that is laid out as {@code Words.heap}, at most 2^31. */
  PositionParts(long[] heap, long bits) {
    this.heap = heap;
    this.shift = Long.SIZE - Long.numberOfLeadingZeros(bits - 1) - PARTS_LOG;
  }

  /** Whether splitting into parts saves time: each gets as many positions as may wait. */
  static boolean pay(long positions, long words) {
    return positions >= 1 << (PARTS_LOG + ROOM_LOG) && words >= MIN_WORDS;
  }

  /** Sets a bit, immediately or in {@link #finish}. */
  void set(int position) {
    int part = position >>> shift;
    int end = ends[part];
    waiting[(part << ROOM_LOG) + end] = position;
    end++;
    ends[part] = end;
    if (end == 1 << ROOM_LOG) {
      empty(part);
    }
  }

  /** Sets the buffered bits; returns true if any bit was 0. */
  boolean finish() {
    for (int part = 0; part < ends.length; part++) {
      empty(part);
    }
    return changed != 0;
  }

  private void empty(int part) {
    int from = part << ROOM_LOG;
    int to = from + ends[part];
    long[] array = heap;
    long set = 0;
    for (int i = from; i < to; i++) {
      int position = waiting[i];
      int at = Powers.word(position);
      long old = array[at];
      long next = old | 1L << position;
      array[at] = next;
      set |= old ^ next;
    }
    changed |= set;
    ends[part] = 0;
  }
}
