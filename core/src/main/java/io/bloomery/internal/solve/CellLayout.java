package io.bloomery.internal.solve;

import io.bloomery.internal.numeric.SegmentSizes;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.probe.Mix;

/**
 * The layout of the k cells of a key. A key is a 64-bit hash from {@link #remix}, or for {@link
 * #listed} the number of a row of given cells. The cells of one key are always distinct.
 *
 * <p>{@link #parts}: one cell in each of k equal parts (xor filter; Graf and Lemire 2020). {@link
 * #segments}: one cell in each of k neighbouring segments, whose length is a power of two (binary
 * fuse filter; Graf and Lemire 2022). Cell 0 grows with the hash, so that keys in the order of
 * their hashes use neighbouring cells.
 */
public final class CellLayout {

  /** The most cells of a key. */
  public static final int MAX_ARITY = 7;

  /** The most cells of a key in {@link #segments}. */
  public static final int MAX_SEGMENT_ARITY = 4;

  private static final long MULTIPLIER = 0xD6E8FEB86659FD93L;
  private static final long INVERSE = inverse(MULTIPLIER);

  private enum Kind {
    SEGMENTS,
    PARTS,
    LISTED
  }

  private static final int[] NO_LIST = {};

  private final Kind kind;
  private final int arity;
  private final int segmentLog;
  private final int span; // the range of cell 0
  private final int part;
  private final int cells;
  private final int[] list; // empty unless cells are listed

  private CellLayout(
      Kind kind, int arity, int segmentLog, int span, int part, int cells, int[] list) {
    this.kind = kind;
    this.arity = arity;
    this.segmentLog = segmentLog;
    this.span = span;
    this.part = part;
    this.cells = cells;
    this.list = list;
  }

  /** Cell i in part i of {@code arity} parts, 2…7, of {@code length} cells each. */
  public static CellLayout parts(int arity, int length) {
    check(arity >= 2 && arity <= MAX_ARITY && length >= 1, arity, (long) arity * length);
    return new CellLayout(Kind.PARTS, arity, 0, length, length, arity * length, NO_LIST);
  }

  /**
   * Cells in {@code arity} neighbouring segments, 2…4, of {@code 2^segmentLog} cells each; the
   * first is one of {@code starts}, so that there are {@code starts + arity - 1} segments.
   */
  public static CellLayout segments(int arity, int segmentLog, int starts) {
    long all = (starts + arity - 1L) << segmentLog;
    check(
        arity >= 2
            && arity <= MAX_SEGMENT_ARITY
            && segmentLog >= 0
            && segmentLog <= SegmentSizes.MAX_SEGMENT_LOG
            && starts >= 1,
        arity,
        all);
    return new CellLayout(
        Kind.SEGMENTS, arity, segmentLog, starts << segmentLog, 0, (int) all, NO_LIST);
  }

  /** The layout of given cells. */
  public static CellLayout of(SolvedCells.Peeled cells) {
    int count = Math.toIntExact(cells.cells());
    int arity = cells.cellsPerKey();
    int segmentLog = cells.segmentLog();
    return cells.isParts()
        ? parts(arity, count / arity)
        : segments(arity, segmentLog, (count >>> segmentLog) - arity + 1);
  }

  /** The cells of key i are {@code list[i·arity] … list[i·arity + arity-1]}, all different. */
  public static CellLayout listed(int arity, int cells, int[] list) {
    check(arity >= 2 && arity <= MAX_ARITY, arity, cells);
    return new CellLayout(Kind.LISTED, arity, 0, 1, 0, cells, list);
  }

  private static void check(boolean possible, int arity, long cells) {
    if (!possible || cells > SegmentSizes.MAX_CELLS) {
      throw new IllegalArgumentException("no layout of " + cells + " cells, " + arity + " per key");
    }
  }

  private static long inverse(long odd) {
    long x = odd;
    for (int i = 0; i < 5; i++) {
      x *= 2 - odd * x;
    }
    return x;
  }

  /**
   * The hash that cells and fingerprint come from in one trial: a bijection for every seed. Its
   * high half depends on all bits of the hash.
   */
  public static long remix(long hash, long seed) {
    return (hash ^ seed) * MULTIPLIER;
  }

  /** Undoes {@link #remix}. */
  public static long unmix(long mixed, long seed) {
    return (mixed * INVERSE) ^ seed;
  }

  /** The fingerprint of a remixed hash, of which the lowest 1…32 bits may be used. */
  public static long fingerprint(long mixed) {
    return mixed;
  }

  /** Folds the high half onto the low one, which is too simple to place cells. */
  private static long fold(long mixed) {
    return mixed ^ (mixed >>> 32);
  }

  /** Whether these are {@link #segments}. */
  boolean isSegmented() {
    return kind == Kind.SEGMENTS;
  }

  /** In a layout of segments: the number of cells that cell 0 is drawn from. */
  int span() {
    return span;
  }

  /** In a layout of segments: the logarithm of their length. */
  int segmentLog() {
    return segmentLog;
  }

  /** How many cells a key has. */
  public int arity() {
    return arity;
  }

  /** How many cells there are. */
  public int cells() {
    return cells;
  }

  /**
   * The number of groups of {@link #group}: starts of segments, or 1 where grouping would not help.
   */
  public int groups() {
    return kind == Kind.SEGMENTS ? span >>> segmentLog : kind == Kind.PARTS ? partGroups() : 1;
  }

  private int partGroups() {
    return Math.max(1, Math.min(1 << 10, part >>> 10));
  }

  /** Which of {@code groups} a remixed hash falls into, in the order of hashes. */
  public static int group(long mixed, int groups) {
    return (int) (((mixed >>> 32) * groups) >>> 32);
  }

  /** The group of the keys whose cell 0 is {@code cell}, in a layout of segments. */
  int groupOfCell(int cell) {
    return cell >>> segmentLog;
  }

  /** Cell {@code i} of a key. */
  public int at(long key, int i) {
    return switch (kind) {
      case SEGMENTS -> {
        int first = group(key, span);
        yield i == 0 ? first : inSegment(key, first, i, 1 << segmentLog);
      }
      case PARTS -> inPart(key, i, part);
      case LISTED -> list[(int) key * arity + i];
    };
  }

  /** Cell {@code i}, 1…3, of a key whose cell 0 is {@code first}, in segments of a given length. */
  public static int inSegment(long mixed, int first, int i, int length) {
    return (first + i * length) ^ (offset(mixed, i) & (length - 1));
  }

  private static int offset(long mixed, int i) {
    return switch (i) {
      case 1 -> (int) (fold(mixed) >>> SegmentSizes.MAX_SEGMENT_LOG);
      case 2 -> (int) fold(mixed);
      default -> (int) ((fold(mixed) * Mix.GOLDEN) >>> (Long.SIZE - SegmentSizes.MAX_SEGMENT_LOG));
    };
  }

  /** Cell {@code i} of a key, in parts of a given length. */
  public static int inPart(long mixed, int i, int length) {
    return i * length + group(window(mixed, i), length);
  }

  /** The word whose high half places a key in part {@code i}: three of each 64 bits. */
  private static long window(long mixed, int i) {
    return i < 3
        ? Long.rotateLeft(fold(mixed), 21 * i)
        : Long.rotateLeft(Mix.stream(mixed, i / 3), 21 * (i % 3));
  }

  /** Which of a key's cells {@code cell} is; it must be one. */
  int which(long key, int cell) {
    return switch (kind) {
      case SEGMENTS -> (cell >>> segmentLog) - (group(key, span) >>> segmentLog);
      case PARTS -> cell / part;
      case LISTED -> {
        int i = 0;
        while (list[(int) key * arity + i] != cell) {
          i++;
        }
        yield i;
      }
    };
  }

  /**
   * The first cell of the right half, if the layout is long enough to be peeled from both ends, or
   * the number of cells.
   */
  int middle() {
    boolean halves = kind == Kind.SEGMENTS && segmentLog >= 6 && groups() >= 64;
    return halves ? ((groups() + arity) / 2) << segmentLog : cells;
  }

  /** An upper bound on the distance between the first and the last cell of a key. */
  int reach() {
    return kind == Kind.SEGMENTS ? arity << segmentLog : cells;
  }
}
