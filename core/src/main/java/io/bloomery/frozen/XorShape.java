package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.FingerprintMath;
import io.bloomery.plan.Shape;

/**
 * The shape of a xor filter: a table of fingerprints in three equal parts, of which each key has
 * one in each part.
 *
 * <p>The rate is 2^-fingerprintBits for any number of keys but 0. Graf and Lemire 2020, sec. 3.
 *
 * @param partLength cells of a part, 1 … 2^28
 * @param fingerprintBits bits per cell, 1 … 32
 */
public record XorShape(int partLength, int fingerprintBits) implements Shape {

  /** The most keys of one filter. */
  public static final int MAX_KEYS = FuseShape.MAX_KEYS;

  /** The longest part. */
  public static final int MAX_PART = 1 << 28;

  /** Cells of a key, one in each part. */
  public static final int ARITY = 3;

  /**
   * Checks the fields.
   *
   * @param partLength cells of a part
   * @param fingerprintBits bits per cell
   * @throws IllegalArgumentException if a field is outside its range
   */
  public XorShape {
    Arguments.inRange("partLength", partLength, 1, MAX_PART);
    FingerprintMath.requireBits(fingerprintBits);
  }

  /**
   * The smallest filter whose rate is at most {@code rate}.
   *
   * @param keys distinct keys, 1 … 2^27
   * @param rate the false-positive rate, 2^-32 … 1, and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static XorShape forKeys(long keys, double rate) {
    return forKeys(keys, FingerprintMath.bitsFor(keys, rate));
  }

  /**
   * The filter of given fingerprints: 32 + 1.23 cells per key, with which nearly every seed works.
   *
   * @param keys distinct keys, 0 … 2^27
   * @param fingerprintBits bits per cell, 1 … 32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static XorShape forKeys(long keys, int fingerprintBits) {
    Arguments.inRange("keys", keys, 0, MAX_KEYS);
    return new XorShape((int) ((32 + (long) (1.23 * keys)) / ARITY), fingerprintBits);
  }

  /**
   * The filter with the widest fingerprints that fit a given memory.
   *
   * @param keys distinct keys, 1 … 2^27
   * @param bits the budget, one bit for each cell or more
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static XorShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    long cells = forKeys(keys, 1).cells();
    return forKeys(keys, FingerprintMath.bitsForBudget(cells, bits, keys));
  }

  /**
   * How many cells there are.
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
