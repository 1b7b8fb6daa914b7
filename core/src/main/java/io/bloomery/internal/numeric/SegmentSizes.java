package io.bloomery.internal.numeric;

/**
 * The number of cells that peeling needs, in segments whose length is a power of two (binary fuse
 * filter, Graf and Lemire 2022, sec. 4): 1.125 cells per key with 3 cells of a key and 1.075 with 4
 * for a million keys or more, more for fewer.
 */
public final class SegmentSizes {

  /** The most keys that are peeled together, 2^27. */
  public static final int MAX_KEYS = 1 << 27;

  /** The longest segment is 2^18 cells: this many bits of the hash select a cell in it. */
  public static final int MAX_SEGMENT_LOG = 18;

  /** The most cells of a layout. */
  public static final int MAX_CELLS = 1 << 30;

  private SegmentSizes() {}

  /** The binary logarithm of the segment length for a number of keys with 3 or 4 cells each. */
  public static int segmentLog(long keys, int arity) {
    double log = log(keys);
    double best = arity == 3 ? log / Math.log(3.33) + 2.11 : log / Math.log(2.91) - 0.5;
    return Math.max(1, Math.min(MAX_SEGMENT_LOG, (int) Math.floor(best)));
  }

  /** In how many segments the first cell of a key may lie. */
  public static int starts(long keys, int arity, int segmentLog) {
    double factor =
        arity == 3
            ? Math.max(1.125, 0.875 + 0.25 * Math.log(1e6) / log(keys))
            : Math.max(1.075, 0.77 + 0.305 * Math.log(6e5) / log(keys));
    long cells = (long) (keys * factor);
    long segments = (cells + (1L << segmentLog) - 1) >>> segmentLog;
    return (int) Math.max(1, segments - arity + 1);
  }

  private static double log(long keys) {
    return Math.log((double) Math.max(2, keys));
  }
}
