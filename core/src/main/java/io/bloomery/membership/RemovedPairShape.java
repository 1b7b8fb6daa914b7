package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of a pair of Bloom filters, one of added and one of removed keys, both with independent
 * positions.
 *
 * @param bits size of the filter of added keys, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey its hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
 *     bits}
 * @param removedBits size of the filter of removed keys, 2 … {@link Shape#MAX_BITS}
 * @param removedProbes its hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
 *     removedBits}
 */
public record RemovedPairShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("removed bits") long removedBits,
    @FieldName("removed probes") int removedProbes)
    implements Shape {

  public RemovedPairShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("removedBits", removedBits, 2, MAX_BITS);
    Arguments.inRange(
        "removedProbes", removedProbes, 1, (int) Math.min(MAX_HASHES_PER_KEY, removedBits));
  }

  /**
   * The smallest pair for a number of keys, all of which may be removed.
   *
   * @param expectedKeys distinct keys to add, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of false positives at that many keys, and of false negatives
   *     at as many removals, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RemovedPairShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, expectedKeys, falsePositiveRate);
  }

  /**
   * The smallest pair for given numbers of keys and rates.
   *
   * @param expectedKeys distinct keys to add, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of the filter of added keys at that many keys, in (0, 1)
   * @param expectedRemovals distinct keys to remove, 1 … {@link Shape#MAX_KEYS}
   * @param falseNegativeRate the rate of the filter of removed keys at that many removals, in (0,
   *     1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RemovedPairShape forKeys(
      long expectedKeys,
      double falsePositiveRate,
      long expectedRemovals,
      double falseNegativeRate) {
    Arguments.inRange("expectedRemovals", expectedRemovals, 1, MAX_KEYS);
    Arguments.rate("falseNegativeRate", falseNegativeRate);
    return of(
        BloomShape.forKeys(expectedKeys, falsePositiveRate),
        BloomShape.forKeys(expectedRemovals, falseNegativeRate));
  }

  /**
   * The best pair for a number of keys, all of which may be removed, within a memory budget.
   *
   * @param expectedKeys distinct keys to add, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 128 … {@link Shape#MAX_BITS}; half of it for each filter
   * @return the shape with the lowest rates
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RemovedPairShape forBudget(long expectedKeys, long bits) {
    Sizing.requireBudget(bits, 2L * Long.SIZE);
    BloomShape half = BloomShape.forBudget(expectedKeys, bits / 2);
    return of(half, half);
  }

  private static RemovedPairShape of(BloomShape added, BloomShape removed) {
    return new RemovedPairShape(
        added.bits(), added.hashesPerKey(), removed.bits(), removed.hashesPerKey());
  }

  @Override
  public long sizeInBits() {
    return bits + removedBits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Assumes no removals, which only lower it.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return BloomMath.exactRate(bits, Sizing.requireLoad(keys), hashesPerKey);
  }

  /**
   * The probability that a key that was added and not removed is reported absent.
   *
   * @param removals number of distinct keys removed, 0 … {@link Shape#MAX_LOAD}
   * @return the rate of the filter of removed keys at that many keys
   */
  public double falseNegativeRate(long removals) {
    return BloomMath.exactRate(removedBits, Sizing.requireLoad(removals), removedProbes);
  }
}
