package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.FingerprintMath;
import io.bloomery.internal.numeric.SegmentSizes;
import io.bloomery.plan.Shape;

/**
 * The shape of a binary fuse filter: a table of fingerprints in segments of equal length, of which
 * each key has one in each of 3 or 4 neighbouring segments.
 *
 * <p>The rate is 2^-fingerprintBits for any number of keys but 0. Sizes follow Graf and Lemire
 * 2022, sec. 4: 1.125 cells per key for 3 cells a key and 1.075 for 4, and more below about a
 * million keys, so that nearly every seed works.
 *
 * @param arity cells of a key, 3 or 4
 * @param segmentLength cells of a segment, a power of two, 1 … 2^18
 * @param starts segments in which the first cell of a key may lie, 1 or more; there are {@code
 *     starts + arity - 1} segments, with at most 2^30 cells
 * @param fingerprintBits bits per cell, 1 … 32
 */
public record FuseShape(int arity, int segmentLength, int starts, int fingerprintBits)
    implements Shape {

  /** The most keys of one filter. */
  public static final int MAX_KEYS = 1 << 27;

  /** Cells of a key unless another number is asked for. */
  public static final int ARITY = 3;

  /**
   * Checks the fields.
   *
   * @param arity cells of a key
   * @param segmentLength cells of a segment
   * @param starts segments in which the first cell of a key may lie
   * @param fingerprintBits bits per cell
   * @throws IllegalArgumentException if a field is outside its range
   */
  public FuseShape {
    Arguments.inRange("arity", arity, 3, 4);
    Arguments.inRange("segmentLength", segmentLength, 1, 1 << SegmentSizes.MAX_SEGMENT_LOG);
    if (Integer.bitCount(segmentLength) != 1) {
      throw new IllegalArgumentException(
          "segmentLength = " + segmentLength + " is no power of two");
    }
    Arguments.inRange("starts", starts, 1, (SegmentSizes.MAX_CELLS / segmentLength) - arity + 1);
    FingerprintMath.requireBits(fingerprintBits);
  }

  /**
   * The smallest filter of 3 cells a key whose rate is at most {@code rate}.
   *
   * @param keys distinct keys, 1 … 2^27
   * @param rate the false-positive rate, 2^-32 … 1, and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forKeys(long keys, double rate) {
    return forKeys(keys, FingerprintMath.bitsFor(keys, rate), ARITY);
  }

  /**
   * The smallest filter of given fingerprints.
   *
   * @param keys distinct keys, 0 … 2^27
   * @param fingerprintBits bits per cell, 1 … 32
   * @param arity cells of a key, 3 or 4
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forKeys(long keys, int fingerprintBits, int arity) {
    Arguments.inRange("keys", keys, 0, MAX_KEYS);
    Arguments.inRange("arity", arity, 3, 4);
    int segmentLog = SegmentSizes.segmentLog(keys, arity);
    int starts = SegmentSizes.starts(keys, arity, segmentLog);
    return new FuseShape(arity, 1 << segmentLog, starts, fingerprintBits);
  }

  /**
   * The filter with the widest fingerprints that fit a given memory, of 3 cells a key.
   *
   * @param keys distinct keys, 1 … 2^27
   * @param bits the budget, one bit for each cell or more
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static FuseShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    long cells = forKeys(keys, 1, ARITY).cells();
    return forKeys(keys, FingerprintMath.bitsForBudget(cells, bits, keys), ARITY);
  }

  /**
   * How many cells there are.
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
