package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.PeeledCells;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import java.util.Objects;

/**
 * The shape of a perfect hash with fingerprints: cells of 2 bits, a count for each 256 of them, and
 * n fingerprints of f bits.
 *
 * @param keys n, different keys, 0 … 2^27
 * @param cells the cells, three for each key
 * @param fingerprintBits f, 0…32; with 0 nothing tells members from outsiders
 */
public record PerfectHashShape(long keys, PeeledCells cells, int fingerprintBits) implements Shape {

  /** Cells between two counts. */
  public static final int CELLS_PER_COUNT = 256;

  private static final int LABEL_BITS = 2;
  private static final int COUNT_BITS = 32;
  private static final int MAX_FINGERPRINT_BITS = 32;

  /**
   * Checks the fields.
   *
   * @param keys different keys
   * @param cells the cells
   * @param fingerprintBits bits of a fingerprint
   * @throws IllegalArgumentException if a field is outside its range
   */
  public PerfectHashShape {
    Objects.requireNonNull(cells, "cells");
    Arguments.inRange("cells.perKey", cells.perKey(), 3, 3);
    Arguments.inRange("keys", keys, 0, Math.min(PeeledCells.MAX_KEYS, cells.count()));
    Arguments.inRange("fingerprintBits", fingerprintBits, 0, MAX_FINGERPRINT_BITS);
  }

  /**
   * The smallest shape whose rate is at most {@code rate}: f = ⌈log2(1/rate)⌉.
   *
   * @param keys different keys, 1 … 2^27
   * @param rate the false-positive rate, in [2^-32, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PerfectHashShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("rate", rate, 0x1p-32, 1);
    return forFingerprints(keys, (int) Math.ceil(BloomMath.informationBound(rate)));
  }

  /**
   * The shape for fingerprints of a given width.
   *
   * @param keys different keys, 0 … 2^27
   * @param fingerprintBits f, 0…32
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static PerfectHashShape forFingerprints(long keys, int fingerprintBits) {
    PeeledCells cells = PeeledCells.forKeys(Math.max(1, keys), PeeledCells.DEFAULT_PER_KEY);
    return new PerfectHashShape(keys, cells, fingerprintBits);
  }

  /**
   * The widest fingerprints that fit a given memory.
   *
   * @param keys different keys, 1 … 2^27
   * @param bits the budget, at most {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the budget too small
   */
  public static PerfectHashShape forBudget(long keys, long bits) {
    PerfectHashShape bare = forFingerprints(keys, 0);
    Sizing.requireBudget(bits, bare.sizeInBits() + keys);
    long each = (bits - bare.sizeInBits()) / keys;
    return forFingerprints(keys, (int) Math.min(MAX_FINGERPRINT_BITS, each));
  }

  /**
   * How many counts there are.
   *
   * @return one for each 256 cells, the last for fewer
   */
  public long counts() {
    return (cells.count() + CELLS_PER_COUNT - 1) / CELLS_PER_COUNT;
  }

  /**
   * The memory of the perfect hash without fingerprints.
   *
   * @return the size in bits
   */
  public long hashBits() {
    return cells.sizeInBits(LABEL_BITS) + counts() * COUNT_BITS;
  }

  @Override
  public long sizeInBits() {
    return hashBits() + keys * fingerprintBits;
  }

  /**
   * The false-positive rate.
   *
   * @param keys number of different keys
   * @return 2^-f, or 0 without keys
   */
  @Override
  public double falsePositiveRate(long keys) {
    return Sizing.requireLoad(keys) == 0 ? 0 : Math.scalb(1.0, -fingerprintBits);
  }
}
