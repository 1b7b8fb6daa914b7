package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a perfect hash with fingerprints: cells of 2 bits, a count for each 256 of them, and
 * n fingerprints of f bits.
 *
 * @param keyCount n, distinct keys, 0 … 2^27
 * @param fingerprintBits f, 0…32; with 0, members and other keys cannot be distinguished
 * @param layout the layout of the three cells of a key: 1, one in each of three equal parts; 2, one
 *     in each of three neighbouring segments (binary fuse filter, Graf and Lemire 2022)
 * @param cells all cells, 3 … 2^30: a multiple of 3, or three or more segments
 * @param segmentLog binary logarithm of the cells of a segment, 0…18; 0 without segments
 */
public record PerfectHashShape(
    @FieldName("keys") long keyCount,
    @FieldName("fingerprint bits") int fingerprintBits,
    @FieldName("layout") int layout,
    @FieldName("cells") long cells,
    @FieldName("segment log") int segmentLog)
    implements Shape {

  /** Cells between two counts. */
  public static final int CELLS_PER_COUNT = 256;

  /** Cells of a key; labels of two bits determine which of them it owns. */
  static final int CELLS_PER_KEY = 3;

  private static final int LABEL_BITS = 2;
  private static final int COUNT_BITS = 32;
  private static final int MAX_FINGERPRINT_BITS = 32;

  public PerfectHashShape {
    Arguments.inRange(
        "keyCount",
        keyCount,
        0,
        Math.min(
            SolvedCells.Peeled.MAX_KEYS,
            new SolvedCells.Peeled(layout, cells, CELLS_PER_KEY, segmentLog).cells()));
    Arguments.inRange("fingerprintBits", fingerprintBits, 0, MAX_FINGERPRINT_BITS);
  }

  /**
   * The smallest shape with a rate of at most {@code falsePositiveRate}: f = ⌈log2(1/rate)⌉.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate 2^-32 … 1 (excluded) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PerfectHashShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.requireRate(falsePositiveRate, 0x1p-32);
    int bits = (int) Math.ceil(BloomMath.informationBound(falsePositiveRate));
    return forFingerprints(expectedKeys, bits);
  }

  /**
   * The shape for fingerprints of a given width.
   *
   * @param expectedKeys distinct keys, 0 … 2^27
   * @param fingerprintBits f, 0…32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PerfectHashShape forFingerprints(long expectedKeys, int fingerprintBits) {
    Sizing.requireAtMost("expectedKeys", expectedKeys, 0, SolvedCells.Peeled.MAX_KEYS);
    return of(
        expectedKeys,
        fingerprintBits,
        SolvedCells.Peeled.forKeys(Math.max(1, expectedKeys), CELLS_PER_KEY));
  }

  /** The shape of given cells. */
  static PerfectHashShape of(long keyCount, int fingerprintBits, SolvedCells.Peeled cells) {
    Arguments.inRange("cellsPerKey", cells.cellsPerKey(), CELLS_PER_KEY, CELLS_PER_KEY);
    return new PerfectHashShape(
        keyCount, fingerprintBits, cells.layout().wireId(), cells.cells(), cells.segmentLog());
  }

  /** Where the cells of a key lie. */
  SolvedCells.Peeled peeled() {
    return new SolvedCells.Peeled(layout, cells, CELLS_PER_KEY, segmentLog);
  }

  /**
   * The widest fingerprints that fit a given memory.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param bits the budget, at most {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static PerfectHashShape forBudget(long expectedKeys, long bits) {
    Sizing.requireKeys(expectedKeys, SolvedCells.Peeled.MAX_KEYS);
    PerfectHashShape bare = forFingerprints(expectedKeys, 0);
    Sizing.requireBudget(bits, bare.sizeInBits() + expectedKeys);
    long each = (bits - bare.sizeInBits()) / expectedKeys;
    return forFingerprints(expectedKeys, (int) Math.min(MAX_FINGERPRINT_BITS, each));
  }

  /**
   * The shape of the same rate for another number of keys.
   *
   * @param keys distinct keys, 0 or more
   * @return the shape
   * @throws IllegalArgumentException if there are too many for one filter
   */
  public PerfectHashShape withKeys(long keys) {
    return forFingerprints(keys, fingerprintBits);
  }

  /**
   * The number of counts.
   *
   * @return one for each 256 cells, the last for fewer
   */
  public long counts() {
    return (cells + CELLS_PER_COUNT - 1) / CELLS_PER_COUNT;
  }

  /**
   * The memory of the perfect hash without fingerprints.
   *
   * @return the size in bits
   */
  public long hashBits() {
    return cells * LABEL_BITS + counts() * COUNT_BITS;
  }

  @Override
  public long sizeInBits() {
    return hashBits() + keyCount * fingerprintBits;
  }

  /**
   * The false-positive rate.
   *
   * @param keys number of distinct keys
   * @return 2^-f, or 0 without keys
   */
  @Override
  public double falsePositiveRate(long keys) {
    return Sizing.requireLoad(keys) == 0 ? 0 : Math.scalb(1.0, -fingerprintBits);
  }
}
