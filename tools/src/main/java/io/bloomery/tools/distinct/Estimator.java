package io.bloomery.tools.distinct;

/**
 * The formulas that turn coupons and registers into numbers of keys, and say how far these are off.
 */
final class Estimator {

  /** Of the estimate that a sketch keeps while keys come one by one (Cohen 2014, Ting 2014). */
  private static final double ONLINE_FACTOR = Math.sqrt(Math.log(2));

  /** Of an estimate from the registers alone. */
  private static final double REGISTERS_FACTOR = Math.sqrt(3 * Math.log(2) - 1);

  /** The standard error of the number of coupons, relative: it is that of a few collisions. */
  private static final double COUPONS_ERROR = 0.409 / (1 << 13);

  /** From this on the distribution of estimates is taken as normal, as DataSketches does. */
  private static final int LEAST_NORMAL_LG_K = 13;

  private Estimator() {}

  /**
   * How many keys have this many coupons on average. Two keys have one coupon in common with
   * probability {@code 2^-26 / 3}, and three with {@code 2^-52 / 7}; more are left out, since
   * sketches have no more than 200,000 coupons.
   */
  static double ofCoupons(int coupons) {
    double keys = coupons;
    for (int i = 0; i < 4; i++) {
      double pairs = keys * (keys - 1) / 2 * 0x1p-26 / 3;
      double triples = keys * (keys - 1) * (keys - 2) / 6 * 0x1p-52 / 7;
      keys = coupons + pairs - triples;
    }
    return Math.max(keys, coupons);
  }

  /**
   * The estimate from registers (Ertl 2017, algorithm 6): the harmonic mean, in which empty and
   * full registers have the weights that make it hold for all numbers of keys. The constant is that
   * for a finite number of registers (Flajolet et al. 2007), without which few registers estimate
   * {@code 1.079/k} too many.
   */
  static double ofRegisters(byte[] registers) {
    int k = registers.length;
    int[] counts = new int[Coupon.MOST_VALUE + 1];
    for (byte value : registers) {
      counts[value]++;
    }
    double sum = k * full(1 - (double) counts[Coupon.MOST_VALUE] / k);
    for (int value = Coupon.MOST_VALUE - 1; value >= 1; value--) {
      sum = (sum + counts[value]) / 2;
    }
    if (counts[0] == k) {
      return 0;
    }
    sum += k * empty((double) counts[0] / k);
    return k / (2 * Math.log(2)) / (1 + 1.079 / k) * k / sum;
  }

  /** Ertl's σ: {@code x + Σ x^(2^i) 2^(i-1)}, for shares below 1. */
  private static double empty(double share) {
    double power = share;
    double weight = 1;
    double sum = share;
    double before;
    do {
      before = sum;
      power *= power;
      sum += power * weight;
      weight *= 2;
    } while (sum > before);
    return sum;
  }

  /** Ertl's τ: {@code (1 - x - Σ (1 - x^(2^-i))^2 2^-i) / 3}. */
  private static double full(double share) {
    if (share == 0 || share == 1) {
      return 0;
    }
    double root = share;
    double weight = 1;
    double sum = 1 - share;
    double before;
    do {
      before = sum;
      root = Math.sqrt(root);
      weight /= 2;
      sum -= (1 - root) * (1 - root) * weight;
    } while (sum < before);
    return sum / 3;
  }

  /** The relative standard error of a sketch of many keys. */
  static double standardError(int lgK, boolean online) {
    return (online ? ONLINE_FACTOR : REGISTERS_FACTOR) / Math.sqrt(1 << lgK);
  }

  /**
   * How much too high, relative to the number of keys, an estimate is at {@code sigmas} standard
   * deviations, too low if these are negative. With few registers more estimates are far too high
   * than far too low; the terms for that were fitted to simulations, which {@code EstimatorTest}
   * repeats.
   */
  static double deviation(int lgK, boolean online, int sigmas) {
    double error = standardError(lgK, online);
    double z = sigmas;
    if (lgK >= LEAST_NORMAL_LG_K) {
      return z * error;
    }
    double skew = (online ? 0.55 : 0.7) * (z * z - 1);
    double tails = (online ? 0.2 : 0.3) * (z * z - 1) * z;
    return error * (z + error * (skew + error * tails));
  }

  /** The same for an estimate from coupons. */
  static double couponsDeviation(int sigmas) {
    return sigmas * COUPONS_ERROR;
  }
}
