package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.FingerprintMath;
import io.bloomery.internal.numeric.SegmentSizes;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a binary fuse filter: a table of fingerprints in segments of equal length, where
 * each key has one cell in each of 3 or 4 neighbouring segments.
 *
 * <p>The rate is 2^-fingerprintBits for any number of keys but 0. Sizes follow Graf and Lemire
 * 2022, sec. 4: for a million keys or more, 1.125 cells per key with arity 3 and 1.075 with arity
 * 4, and more for fewer keys, so that nearly every seed works.
 *
 * @param arity cells per key, 3 or 4
 * @param segmentLength cells of a segment, a power of two, 1 … 2^18
 * @param starts segments in which the first cell of a key may lie, 1 or more; there are {@code
 *     starts + arity - 1} segments, with at most 2^30 cells
 * @param fingerprintBits bits per cell, 1 … 32
 */
public record FuseShape(
    @FieldName("arity") int arity,
    @FieldName("segment length") int segmentLength,
    @FieldName("starts") int starts,
    @FieldName("fingerprint bits") int fingerprintBits)
    implements Shape {

  /** The most keys of one filter. */
  public static final int MAX_KEYS = 1 << 27;

  /** Default number of cells per key. */
  public static final int ARITY = 3;

  public FuseShape {
    Arguments.inRange("arity", arity, 3, 4);
    Arguments.powerOfTwo("segmentLength", segmentLength, 1, 1 << SegmentSizes.MAX_SEGMENT_LOG);
    Arguments.inRange("starts", starts, 1, (SegmentSizes.MAX_CELLS / segmentLength) - arity + 1);
    FingerprintMath.requireBits(fingerprintBits);
  }

  /**
   * The smallest filter with 3 cells per key whose rate is at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate 2^-32 … 1, and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, ARITY);
  }

  /**
   * The smallest filter of a given number of cells per key whose rate is at most {@code
   * falsePositiveRate}.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate 2^-32 … 1, and at least {@code expectedKeys · 2^-57}
   * @param arity cells per key: 3 are faster, 4 take 4.5 % less memory
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forKeys(long expectedKeys, double falsePositiveRate, int arity) {
    int bits = FingerprintMath.bitsFor(expectedKeys, falsePositiveRate);
    return forFingerprints(expectedKeys, bits, arity);
  }

  /**
   * The filter for a given fingerprint width.
   *
   * @param expectedKeys distinct keys, 0 … 2^27
   * @param fingerprintBits bits per cell, 1 … 32
   * @param arity cells per key, 3 or 4
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forFingerprints(long expectedKeys, int fingerprintBits, int arity) {
    Sizing.requireAtMost("expectedKeys", expectedKeys, 0, MAX_KEYS);
    Arguments.inRange("arity", arity, 3, 4);
    int segmentLog = SegmentSizes.segmentLog(expectedKeys, arity);
    int starts = SegmentSizes.starts(expectedKeys, arity, segmentLog);
    return new FuseShape(arity, 1 << segmentLog, starts, fingerprintBits);
  }

  /**
   * The filter with the widest fingerprints that fit a given memory, of 3 cells per key.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param bits the budget, at least one bit per cell
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, ARITY);
  }

  /**
   * The filter with the widest fingerprints that fit a given memory.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param bits the budget, at least one bit per cell
   * @param arity cells per key, 3 or 4
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forBudget(long expectedKeys, long bits, int arity) {
    Sizing.requireKeys(expectedKeys, MAX_KEYS);
    long cells = forFingerprints(expectedKeys, 1, arity).cells();
    int width = FingerprintMath.bitsForBudget(cells, bits, expectedKeys);
    return forFingerprints(expectedKeys, width, arity);
  }

  /**
   * The shape of the same rate for another number of keys.
   *
   * @param keys distinct keys, 0 or more
   * @return the shape
   * @throws IllegalArgumentException if there are too many for one filter
   */
  public FuseShape withKeys(long keys) {
    return forFingerprints(keys, fingerprintBits, arity);
  }

  /**
   * The number of cells.
   *
   * @return {@code (starts + arity - 1) · segmentLength}
   */
  public long cells() {
    return (starts + arity - 1L) * segmentLength;
  }

  @Override
  public long sizeInBits() {
    return cells() * fingerprintBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return FingerprintMath.rate(keys, fingerprintBits);
  }
}
