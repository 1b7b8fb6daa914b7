package io.bloomery.internal.numeric;

import java.util.function.LongToDoubleFunction;

/** The search for the smallest size whose rate meets a target. */
public final class SizeSearch {

  private SizeSearch() {}

  /**
   * The smallest size in 1 … {@code max} whose rate is at most {@code target}, for a rate that
   * falls with the size. Brackets from the guess, then interpolates on the logarithm of the rate
   * (regula falsi, Illinois rule, every third step a bisection), so about ten evaluations suffice
   * where a bisection takes forty.
   *
   * @param rate the rate as a function of the size, not increasing
   * @param target the rate to meet
   * @param guess where to look first
   * @param max the largest size
   * @return the smallest size, or -1 if even {@code max} does not meet the target
   */
  public static long smallest(LongToDoubleFunction rate, double target, long guess, long max) {
    long low = 0;
    long high = Math.max(1, Math.min(max, guess));
    double highGap = gap(rate, high, target);
    double lowGap;
    // The logarithm of most rates is about proportional to the size, unless the target's is 0.
    double near = target == 1 ? high : 1.5 * Math.abs(highGap / Math.log(target)) * high;
    long step = (long) Math.max(1, Math.min(near, (double) (high >>> 7)));
    if (highGap <= 0) {
      while (true) {
        if (high == 1) {
          return 1;
        }
        long x = Math.max(1, high - step);
        double g = gap(rate, x, target);
        if (g > 0) {
          low = x;
          lowGap = g;
          break;
        }
        high = x;
        highGap = g;
        step <<= 2;
      }
    } else {
      do {
        if (high == max) {
          return -1;
        }
        low = high;
        lowGap = highGap;
        high = max - high < step ? max : high + step;
        highGap = gap(rate, high, target);
        step <<= 2;
      } while (highGap > 0);
    }
    return refine(rate, target, low, lowGap, high, highGap);
  }

  private static long refine(
      LongToDoubleFunction rate,
      double target,
      long lowSize,
      double lowSizeGap,
      long highSize,
      double highSizeGap) {
    long low = lowSize;
    long high = highSize;
    double lowGap = lowSizeGap;
    double highGap = highSizeGap;
    int side = 0;
    for (int i = 0; high - low > 1; i++) {
      long x = low + (high - low) / 2;
      if (i % 3 != 2 && high - low > 2) {
        x = low + Math.round((high - low) * (lowGap / (lowGap - highGap)));
        x = Math.max(low + 1, Math.min(high - 1, x));
      }
      double g = gap(rate, x, target);
      if (g > 0) {
        low = x;
        lowGap = g;
        highGap = side == 1 ? highGap / 2 : highGap;
        side = 1;
      } else {
        high = x;
        highGap = g;
        lowGap = side == -1 ? lowGap / 2 : lowGap;
        side = -1;
      }
    }
    return high;
  }

  /** ln(rate/target), kept finite; positive means too high a rate. */
  private static double gap(LongToDoubleFunction rate, long size, double target) {
    double r = rate.applyAsDouble(size);
    if (r <= target) {
      return Math.max(-700, Math.log(r / target));
    }
    return Math.max(Double.MIN_NORMAL, Math.log(r / target));
  }
}
