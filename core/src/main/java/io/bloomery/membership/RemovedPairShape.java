package io.bloomery.membership;

import io.bloomery.plan.Shape;

/**
 * The shape of a pair of Bloom filters, one of added and one of removed keys.
 *
 * @param added the filter of added keys, not partitioned, at least 2 bits
 * @param removed the filter of removed keys, not partitioned, at least 2 bits
 */
public record RemovedPairShape(BloomShape added, BloomShape removed) implements Shape {

  /**
   * Checks the fields.
   *
   * @param added the filter of added keys
   * @param removed the filter of removed keys
   * @throws IllegalArgumentException if one of them is partitioned or has fewer bits than probes
   */
  public RemovedPairShape {
    require("added", added);
    require("removed", removed);
  }

  private static void require(String name, BloomShape shape) {
    if (shape.partitioned() || shape.bits() < Math.max(2, shape.probes())) {
      throw new IllegalArgumentException(
          name + " = " + shape + " must not be partitioned and needs a bit per probe, 2 or more");
    }
  }

  /**
   * The smallest pair for given numbers of keys and rates.
   *
   * @param keys distinct keys to add, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of the added filter at that many keys, in (0, 1)
   * @param removals distinct keys to remove, 1 … {@link Shape#MAX_KEYS}
   * @param falseNegativeRate the rate of the removed filter at that many removals, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static RemovedPairShape forKeys(
      long keys, double falsePositiveRate, long removals, double falseNegativeRate) {
    return new RemovedPairShape(
        BloomShape.forKeys(keys, falsePositiveRate),
        BloomShape.forKeys(removals, falseNegativeRate));
  }

  @Override
  public long sizeInBits() {
    return added.sizeInBits() + removed.sizeInBits();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Without removals, which only lower it.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return added.falsePositiveRate(keys);
  }

  /**
   * The probability that a key that was added and not removed is reported absent.
   *
   * @param removals number of distinct keys removed, 0 … {@link Shape#MAX_LOAD}
   * @return the rate of the removed filter at that many keys
   */
  public double falseNegativeRate(long removals) {
    return removed.falsePositiveRate(removals);
  }
}
