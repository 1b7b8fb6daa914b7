package io.bloomery.weighted;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.GeneralizedMath;

/**
 * The shape of a generalized Bloom filter: every key resets some bits and sets others. The formulas
 * are those of {@link GeneralizedMath}.
 *
 * @param bits m, 2 or more
 * @param resetHashes k0, bits that a key resets, 0 … 254; 0 makes a Bloom filter
 * @param setHashes k1, bits that a key sets, 1 … 255; with the resets at most 255 and at most m
 */
public record GeneralizedShape(
    @FieldName("bits") long bits,
    @FieldName("reset hashes") int resetHashes,
    @FieldName("set hashes") int setHashes)
    implements Shape {

  /** The false-negative rate of the oldest expected key, unless another is given. */
  public static final double DEFAULT_FALSE_NEGATIVE_RATE = 0.1;

  public GeneralizedShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, bits);
    Arguments.inRange("resetHashes", resetHashes, 0, most - 1);
    Arguments.inRange("setHashes", setHashes, 1, most - resetHashes);
  }

  /**
   * The smallest shape for a rate and a false-negative rate of 10 % for the oldest of the expected
   * keys.
   *
   * @param expectedKeys distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the highest rate for any bits, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static GeneralizedShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forRates(expectedKeys, falsePositiveRate, DEFAULT_FALSE_NEGATIVE_RATE);
  }

  /**
   * The smallest shape for two rates.
   *
   * @param expectedKeys distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the highest false-positive rate for any bits and any number of keys,
   *     in (0, 1)
   * @param falseNegativeRate the highest false-negative rate of the oldest of the last {@code
   *     expectedKeys} keys, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static GeneralizedShape forRates(
      long expectedKeys, double falsePositiveRate, double falseNegativeRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.rate("falseNegativeRate", falseNegativeRate);
    GeneralizedShape best = null;
    for (int resets = 1; resets <= Sizing.mostProbes(falsePositiveRate, 1); resets++) {
      int sets = fewestSets(resets, falsePositiveRate);
      // One more if the bound for the fewest is so close to the rate that only a large m meets it.
      for (int k1 = sets; k1 <= sets + 1 && resets + k1 <= MAX_HASHES_PER_KEY; k1++) {
        long bits = smallest(expectedKeys, falsePositiveRate, falseNegativeRate, resets, k1);
        if (bits > 0 && (best == null || bits < best.bits)) {
          best = new GeneralizedShape(bits, resets, k1);
        }
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a generalized Bloom filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /** The fewest bits to set for which the bound of a large filter is below a rate. */
  private static int fewestSets(int resets, double rate) {
    int sets = 1;
    while (sets <= MAX_HASHES_PER_KEY && largeBound(resets, sets) > rate) {
      sets++;
    }
    return sets;
  }

  private static double largeBound(int resets, int sets) {
    double share = (double) resets / (resets + sets);
    return Math.exp(resets * Math.log(share) + sets * Math.log1p(-share));
  }

  private static long smallest(long keys, double rate, double lost, int resets, int sets) {
    int least = Math.max(2, resets + sets);
    return SizeSearch.smallest(
        m ->
            m < least
                ? 1
                : Math.max(
                    GeneralizedMath.falseNegativeRate(m, resets, sets, keys - 1),
                    lost * Math.min(1 / lost, GeneralizedMath.bound(m, resets, sets) / rate)),
        lost,
        (long) (2.0 * resets * sets * keys / -Math.log1p(-lost)) + least,
        MAX_BITS);
  }

  /**
   * A shape of given parameters, as papers specify it.
   *
   * @param bits m, 2 or more
   * @param resetHashes k0, bits that a key resets
   * @param setHashes k1, bits that a key sets
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GeneralizedShape of(long bits, int resetHashes, int setHashes) {
    return new GeneralizedShape(bits, resetHashes, setHashes);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  /** {@inheritDoc} Here: from a start of zeros. */
  @Override
  public double falsePositiveRate(long keys) {
    return falsePositiveRate(keys, 1);
  }

  /**
   * The expected false-positive rate after distinct keys were added to any bits.
   *
   * @param keys number of keys, 0 … {@link Shape#MAX_LOAD}
   * @param startZeros the share of zeros before, 0 … 1
   * @return the rate
   */
  public double falsePositiveRate(long keys, double startZeros) {
    return GeneralizedMath.rate(bits, resetHashes, setHashes, keys, startZeros);
  }

  /**
   * The highest false-positive rate of any bits and any number of keys.
   *
   * @return the bound; 1 without resets
   */
  public double falsePositiveBound() {
    return GeneralizedMath.bound(bits, resetHashes, setHashes);
  }

  /**
   * The probability that a key is reported absent after others were added.
   *
   * @param age how many other keys were added after it, 0 … {@link Shape#MAX_LOAD}
   * @return the false-negative rate; 0 for the latest key
   */
  public double falseNegativeRate(long age) {
    return GeneralizedMath.falseNegativeRate(bits, resetHashes, setHashes, age);
  }
}
