package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.FingerprintMath;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a xor filter: a table of fingerprints in three equal parts, where each key has one
 * cell in each part.
 *
 * <p>The rate is 2^-fingerprintBits for any number of keys but 0. Graf and Lemire 2020, sec. 3.
 *
 * @param partLength cells of a part, 1 … 2^28
 * @param fingerprintBits bits per cell, 1 … 32
 */
public record XorShape(
    @FieldName("part length") int partLength, @FieldName("fingerprint bits") int fingerprintBits)
    implements Shape {

  /** The most keys of one filter. */
  public static final int MAX_KEYS = FuseShape.MAX_KEYS;

  /** The longest part. */
  public static final int MAX_PART = 1 << 28;

  /** Cells per key, one in each part. */
  public static final int ARITY = 3;

  public XorShape {
    Arguments.inRange("partLength", partLength, 1, MAX_PART);
    FingerprintMath.requireBits(fingerprintBits);
  }

  /**
   * The smallest filter whose rate is at most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param falsePositiveRate 2^-32 … 1, and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static XorShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forFingerprints(expectedKeys, FingerprintMath.bitsFor(expectedKeys, falsePositiveRate));
  }

  /**
   * The filter for a given fingerprint width: 1.23 cells per key + 32, with which nearly every seed
   * works.
   *
   * @param expectedKeys distinct keys, 0 … 2^27
   * @param fingerprintBits bits per cell, 1 … 32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static XorShape forFingerprints(long expectedKeys, int fingerprintBits) {
    Sizing.requireAtMost("expectedKeys", expectedKeys, 0, MAX_KEYS);
    return new XorShape((int) ((32 + (long) (1.23 * expectedKeys)) / ARITY), fingerprintBits);
  }

  /**
   * The filter with the widest fingerprints that fit a given memory.
   *
   * @param expectedKeys distinct keys, 1 … 2^27
   * @param bits the budget, at least one bit per cell
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static XorShape forBudget(long expectedKeys, long bits) {
    Sizing.requireKeys(expectedKeys, MAX_KEYS);
    long cells = forFingerprints(expectedKeys, 1).cells();
    int width = FingerprintMath.bitsForBudget(cells, bits, expectedKeys);
    return forFingerprints(expectedKeys, width);
  }

  /**
   * The shape of the same rate for another number of keys.
   *
   * @param keys distinct keys, 0 or more
   * @return the shape
   * @throws IllegalArgumentException if there are too many for one filter
   */
  public XorShape withKeys(long keys) {
    return forFingerprints(keys, fingerprintBits);
  }

  /**
   * The number of cells.
   *
   * @return three times {@code partLength}
   */
  public long cells() {
    return (long) ARITY * partLength;
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
