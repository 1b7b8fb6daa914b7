package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a banked Bloom filter: B banks of equal size, of which each key uses k neighbouring
 * ones, one bit in each.
 *
 * @param banks number of banks B, {@code probes} … {@link #MAX_BANKS}
 * @param bankBits bits per bank, at least 2; all banks together at most {@link Shape#MAX_BITS}
 * @param probes bits that one key sets, 1 … {@link Shape#MAX_PROBES}
 */
public record BankedShape(int banks, long bankBits, int probes) implements Shape {

  /** The largest number of banks. */
  public static final int MAX_BANKS = 1 << 16;

  /**
   * Checks the fields.
   *
   * @param banks number of banks
   * @param bankBits bits per bank
   * @param probes bits that one key sets
   * @throws IllegalArgumentException if a field is outside its range
   */
  public BankedShape {
    Arguments.inRange("probes", probes, 1, MAX_PROBES);
    Arguments.inRange("banks", banks, probes, MAX_BANKS);
    Arguments.inRange("bankBits", bankBits, 2, MAX_BITS / banks);
  }

  /**
   * The smallest filter on a given number of banks whose rate at {@code keys} keys is at most
   * {@code rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param banks number of banks, 1 … {@link #MAX_BANKS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BankedShape forKeys(long keys, double rate, int banks) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("banks", banks, 1, MAX_BANKS);
    int most = Math.min(banks, Sizing.mostProbes(rate, 1));
    long guess = (long) Math.ceil(keys * BloomMath.bitsPerKey(rate) / banks);
    int start = (int) Math.max(1, Math.min(most, Math.round(BloomMath.informationBound(rate))));
    Sizing.Choice choice =
        Sizing.smallest(
            (size, k) -> size < 2 ? 1 : new BankedShape(banks, size, k).falsePositiveRate(keys),
            rate,
            Math.max(2, guess),
            MAX_BITS / banks,
            new Sizing.Probes(start, 1, most, 3));
    if (choice == null) {
      throw Sizing.tooLarge("a Bloom filter on " + banks + " banks", keys, rate);
    }
    return new BankedShape(banks, choice.size(), choice.probes());
  }

  /**
   * The smallest filter on a power of two of banks that leaves the number of probes free.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BankedShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    int probes = (int) Math.max(1, Math.ceil(BloomMath.informationBound(rate)));
    int banks = Integer.highestOneBit(2 * probes - 1);
    return forKeys(keys, rate, banks);
  }

  @Override
  public long sizeInBits() {
    return banks * bankBits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A bit is zero with probability (1 − k/m)^n whatever B is. For B = k banks are independent
   * and the rate is exactly that of the partitioned filter. For more banks, keys that start nearby
   * hit two banks of a window together more often than independently; the pairwise term of that
   * correlation is added. It is below 1 % of the rate unless there are fewer than about 50 keys per
   * bank.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    double hit = (double) probes / sizeInBits();
    double logZero = keys * Math.log1p(-hit);
    double fill = -Math.expm1(logZero);
    if (fill <= 0) {
      return 0;
    }
    double pairs = 0;
    for (int distance = 1; distance < probes; distance++) {
      int together = probes - distance + Math.max(0, probes - (banks - distance));
      // ln of P(both bits zero) / P(zero)², from one key's chance to hit both.
      double excess = together / (double) banks / bankBits / bankBits - hit * hit;
      double logRatio = keys * Math.log1p(excess / ((1 - hit) * (1 - hit)));
      pairs += (probes - distance) * Math.exp(2 * logZero) * Math.expm1(logRatio);
    }
    double rate = Math.pow(fill, probes) * (1 + pairs / (fill * fill));
    return Math.max(0, Math.min(1, rate));
  }
}
