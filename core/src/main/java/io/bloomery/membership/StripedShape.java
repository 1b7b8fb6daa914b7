package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a Bloom filter striped over memory banks: B banks of equal size; each key uses one
 * bit in each of k neighbouring banks.
 *
 * @param banks number of banks B, {@code hashesPerKey} … {@link #MAX_BANKS}
 * @param bankBits bits per bank, at least 2; all banks together at most {@link Shape#MAX_BITS}
 * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 */
public record StripedShape(
    @FieldName("banks") int banks,
    @FieldName("bank bits") long bankBits,
    @FieldName("probes") int hashesPerKey)
    implements Shape {

  /** The largest number of banks. */
  public static final int MAX_BANKS = 1 << 16;

  public StripedShape {
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
    Arguments.inRange("banks", banks, hashesPerKey, MAX_BANKS);
    Arguments.inRange("bankBits", bankBits, 2, MAX_BITS / banks);
  }

  /**
   * The smallest filter on a given number of banks whose rate at {@code expectedKeys} keys is at
   * most {@code falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param banks number of banks, 1 … {@link #MAX_BANKS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static StripedShape forKeys(long expectedKeys, double falsePositiveRate, int banks) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("banks", banks, 1, MAX_BANKS);
    int most = Math.min(banks, Sizing.mostProbes(falsePositiveRate, 1));
    long guess = (long) Math.ceil(expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) / banks);
    int start =
        (int)
            Math.max(1, Math.min(most, Math.round(BloomMath.informationBound(falsePositiveRate))));
    Sizing.Choice choice =
        Sizing.smallest(
            (size, k) ->
                size < 2 ? 1 : new StripedShape(banks, size, k).falsePositiveRate(expectedKeys),
            falsePositiveRate,
            Math.max(2, guess),
            MAX_BITS / banks,
            new Sizing.Probes(start, 1, most, 3));
    if (choice == null) {
      throw Sizing.tooLarge(
          "a Bloom filter on " + banks + " banks", expectedKeys, falsePositiveRate);
    }
    return new StripedShape(banks, choice.size(), choice.hashesPerKey());
  }

  /**
   * The smallest filter on a power-of-two number of banks, large enough for the best number of
   * hashes per key.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static StripedShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    return forKeys(
        expectedKeys, falsePositiveRate, banksFor(BloomMath.informationBound(falsePositiveRate)));
  }

  /**
   * The best filter for a number of keys within a memory budget, on a power-of-two number of banks,
   * large enough for the best number of hashes per key.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to equal banks
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static StripedShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    long most =
        Integer.highestOneBit((int) Math.min(MAX_BANKS, Sizing.requireBudget(bits, 64) / 2));
    int banks = (int) Math.min(most, banksFor(BloomMath.optimalProbes(bits, expectedKeys)));
    long bankBits = bits / banks;
    int highest = Math.min(banks, MAX_HASHES_PER_KEY);
    int start = Math.min(highest, BloomMath.optimalProbes(bits, expectedKeys));
    int hashesPerKey =
        new Sizing.Probes(start, 1, highest, 3)
            .best(k -> new StripedShape(banks, bankBits, k).falsePositiveRate(expectedKeys));
    return new StripedShape(banks, bankBits, hashesPerKey);
  }

  /** The smallest power of two that is at least the ideal number of hashes per key. */
  private static int banksFor(double hashes) {
    int hashesPerKey = (int) Math.max(1, Math.ceil(hashes));
    return Integer.highestOneBit(2 * hashesPerKey - 1);
  }

  @Override
  public long sizeInBits() {
    return banks * bankBits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A bit is zero with probability (1 − k/m)^n for any B. For B = k, banks are independent and
   * the rate is exactly that of the partitioned filter. For more banks, keys that start nearby hit
   * two banks of a window together more often than independently; the pairwise term of that
   * correlation is added. It is below 1 % of the rate unless there are fewer than about 50 keys per
   * bank.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    double hit = (double) hashesPerKey / sizeInBits();
    double logZero = keys * Math.log1p(-hit);
    double fill = -Math.expm1(logZero);
    if (fill <= 0) {
      return 0;
    }
    double pairs = 0;
    for (int distance = 1; distance < hashesPerKey; distance++) {
      int together = hashesPerKey - distance + Math.max(0, hashesPerKey - (banks - distance));
      // ln of P(both bits zero) / P(zero)², from the probability that one key hits both.
      double excess = together / (double) banks / bankBits / bankBits - hit * hit;
      double logRatio = keys * Math.log1p(excess / ((1 - hit) * (1 - hit)));
      pairs += (hashesPerKey - distance) * Math.exp(2 * logZero) * Math.expm1(logRatio);
    }
    double rate = Math.pow(fill, hashesPerKey) * (1 + pairs / (fill * fill));
    return Math.max(0, Math.min(1, rate));
  }
}
