package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.ChoiceFill;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a hash-selection filter: m bits, and for each of g groups of keys the number of the
 * hash family, one of c, that its keys use.
 *
 * @param bits size of the bit table, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code bits}
 * @param groups number of groups g, 1 … 2^31 − 1
 * @param candidates number of families c to choose from, a power of two in 2 … 65536
 */
public record HashSelectionShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("groups") int groups,
    @FieldName("candidates") int candidates)
    implements Shape {

  /** The largest number of families. */
  public static final int MAX_CANDIDATES = 1 << 16;

  private static final int KEYS_PER_GROUP = 4;
  private static final int CANDIDATES = 128;

  /** Balls per group beyond which the gain of the choice is negligible. */
  private static final double MANY_BALLS = 4096;

  public HashSelectionShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("groups", groups, 1, Integer.MAX_VALUE);
    Arguments.powerOfTwo("candidates", candidates, 2, MAX_CANDIDATES);
  }

  /**
   * A filter with a group for every four keys and 128 families whose bit table is the smallest, in
   * whole 64-bit words, with a rate of at most {@code falsePositiveRate} at {@code expectedKeys}
   * keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … 2^31
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static HashSelectionShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.requireKeys(expectedKeys, 1L << 31);
    int groups = (int) ((expectedKeys + KEYS_PER_GROUP - 1) / KEYS_PER_GROUP);
    double information = BloomMath.informationBound(falsePositiveRate);
    long guess =
        (long) Math.ceil(expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) * 0.8 / Long.SIZE);
    int start = (int) Math.max(1, Math.round(0.8 * information));
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) ->
                new HashSelectionShape(words * Long.SIZE, k, groups, CANDIDATES)
                    .falsePositiveRate(expectedKeys),
            falsePositiveRate,
            guess,
            MAX_BITS / Long.SIZE,
            new Sizing.Probes(start, 1, Sizing.mostProbes(falsePositiveRate, 1), 2));
    if (choice == null) {
      throw Sizing.tooLarge("a hash-selection filter", expectedKeys, falsePositiveRate);
    }
    return new HashSelectionShape(
        choice.size() * Long.SIZE, choice.hashesPerKey(), groups, CANDIDATES);
  }

  /**
   * The number of bits that identify a family.
   *
   * @return log2 of {@code candidates}
   */
  public int idBits() {
    return Integer.numberOfTrailingZeros(candidates);
  }

  /**
   * {@inheritDoc}
   *
   * @return the bit table and the table of families together
   */
  @Override
  public long sizeInBits() {
    return bits + (long) groups * idBits();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The mean fill is integrated group by group, with a Poisson number of keys per group and the
   * largest groups first. Simulation agrees to 2 % for 500 groups or more.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    double perGroup = (double) keys / groups;
    if (perGroup * hashesPerKey > MANY_BALLS) {
      return BloomMath.exponentialRate(bits, keys, hashesPerKey);
    }
    return ChoiceFill.ofGroups(bits, candidates, hashesPerKey, groups, perGroup)
        .power(hashesPerKey);
  }
}
