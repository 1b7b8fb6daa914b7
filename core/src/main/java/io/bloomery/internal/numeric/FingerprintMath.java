package io.bloomery.internal.numeric;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.Limits;

/**
 * Common formulas of the shapes of solved filters: any other key matches with probability 2^-bits.
 */
public final class FingerprintMath {

  /** The widest fingerprint. */
  public static final int MAX_BITS = 32;

  private FingerprintMath() {}

  /** Returns the width if a fingerprint can have it. */
  public static int requireBits(int fingerprintBits) {
    return Arguments.inRange("fingerprintBits", fingerprintBits, 1, MAX_BITS);
  }

  /** The fewest bits with which the rate is at most {@code rate}. */
  public static int bitsFor(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    Sizing.requireRate(rate, Math.scalb(1.0, -MAX_BITS));
    int bits = 1;
    while (Math.scalb(1.0, -bits) > rate) {
      bits++;
    }
    return bits;
  }

  /** The rate of a filter of this many keys. */
  public static double rate(long keys, int fingerprintBits) {
    return Sizing.requireLoad(keys) == 0 ? 0 : Math.scalb(1.0, -fingerprintBits);
  }

  /** The widest fingerprint with which this many cells fit a budget. */
  public static int bitsForBudget(long cells, long bits, long keys) {
    Arguments.inRange("bits", bits, 1, Limits.MAX_BITS);
    if (bits < cells) {
      throw Arguments.impossible(
          Arguments.named("bits", bits),
          " has no room for ",
          Arguments.named("expectedKeys", keys),
          ", which take ",
          cells,
          " cells");
    }
    return (int) Math.min(MAX_BITS, bits / cells);
  }
}
