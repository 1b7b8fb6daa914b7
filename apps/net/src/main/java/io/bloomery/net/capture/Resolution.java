package io.bloomery.net.capture;

/**
 * What the times of an interface mean.
 *
 * @param exponent as in the option if_tsresol: units are 10^-n seconds, or 2^-n with the highest
 *     bit set
 * @param offset seconds to add
 */
record Resolution(int exponent, long offset) {

  /** The usual exponent. */
  static final int MICROSECONDS = 6;

  private static final int BINARY = 0x80;
  private static final int NANOSECONDS = 9;
  private static final int MOST_DIGITS = 18;
  private static final long SECOND = 1_000_000_000;

  /** A time as nanoseconds since 1970; what a long cannot represent becomes its end. */
  long nanos(long time) {
    int n = exponent & ~BINARY;
    long seconds;
    long rest; // nanoseconds
    if ((exponent & BINARY) != 0) {
      seconds = n < Long.SIZE ? time >>> n : 0;
      long part = n < Long.SIZE ? time - (seconds << n) : time;
      rest = (int) (n < Long.SIZE ? scaled(part, n) : 0);
    } else if (n <= MOST_DIGITS) {
      long units = power(n);
      seconds = Long.divideUnsigned(time, units);
      long part = Long.remainderUnsigned(time, units);
      rest = n <= NANOSECONDS ? part * power(NANOSECONDS - n) : part / power(n - NANOSECONDS);
    } else {
      seconds = 0;
      rest = 0; // 2^64 such units are a few seconds at most
    }
    if (seconds < 0) { // as an unsigned number beyond any time
      return Long.MAX_VALUE;
    }
    try {
      return Math.addExact(Math.multiplyExact(Math.addExact(seconds, offset), SECOND), rest);
    } catch (ArithmeticException e) {
      return offset < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** {@code part}·10^9 / 2^n for a part below 2^n. */
  private static long scaled(long part, int n) {
    long high = Math.multiplyHigh(part, SECOND);
    long low = part * SECOND;
    if (n == 0) {
      return 0;
    }
    return high << (Long.SIZE - n) | low >>> n;
  }

  private static long power(int n) {
    long power = 1;
    for (int i = 0; i < n; i++) {
      power *= 10;
    }
    return power;
  }
}
