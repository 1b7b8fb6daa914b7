package io.bloomery.internal.probe;

import io.bloomery.internal.check.Arguments;

/**
 * Unsigned remainder by a fixed divisor without a division (Barrett 1986): the quotient is
 * estimated with the rounded-down reciprocal and is at most one too small, so one conditional
 * subtraction makes the remainder exact for every 64-bit dividend.
 */
public final class Modulus {

  private final long divisor;
  private final long reciprocal;

  /** For divisors 2…2^62. */
  public Modulus(long divisor) {
    this.divisor = Arguments.inRange("divisor", divisor, 2, 1L << 62);
    this.reciprocal = Long.divideUnsigned(-1L, divisor);
  }

  public long divisor() {
    return divisor;
  }

  /** {@code Long.remainderUnsigned(x, divisor)}. */
  public long of(long x) {
    long quotient = Math.multiplyHigh(x, reciprocal) + ((x >> 63) & reciprocal);
    return below(x - quotient * divisor);
  }

  /** {@code x mod divisor} for {@code x} in 0…2·divisor-1. */
  public long below(long x) {
    long less = x - divisor;
    return less + (divisor & (less >> 63));
  }
}
