package io.bloomery.window;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of an aging Bloom filter: two buffers; the older is cleared when the other has reached
 * its capacity. A query reads both, so the rate is 1 − (1 − f)² with f that of a full buffer.
 *
 * @param bits size of one buffer in bits, 2 or more
 * @param hashesPerKey hashes per key, 1 … 255 and at most the bits
 * @param capacity keys that a buffer holds, 1 … {@link Shape#MAX_KEYS}: at least as many, and at
 *     most twice as many, are remembered
 */
public record AgingShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("capacity") long capacity)
    implements Shape, QueryCost {

  public AgingShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("capacity", capacity, 1, MAX_KEYS);
  }

  /**
   * The smallest shape that remembers a number of keys.
   *
   * @param expectedKeys the minimum number of distinct keys remembered, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate when both buffers are full, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static AgingShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    BloomShape buffer = BloomShape.forKeys(expectedKeys, bufferRate(falsePositiveRate));
    return new AgingShape(buffer.bits(), buffer.hashesPerKey(), expectedKeys);
  }

  /**
   * The shape of a given memory, sized as Yoon does: f = 1 − √(1 − ε) for each buffer, k =
   * ⌈log2(1/f)⌉, capacity −(m/2)/k·ln(1 − f^(1/k)).
   *
   * @param totalBits m, the memory of both buffers, 4 or more
   * @param falsePositiveRate ε, the rate when both buffers are full, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the memory too small
   */
  public static AgingShape ofBits(long totalBits, double falsePositiveRate) {
    Arguments.inRange("totalBits", totalBits, 4, MAX_BITS);
    double each = bufferRate(Arguments.rate("falsePositiveRate", falsePositiveRate));
    int hashesPerKey =
        (int) Math.min(MAX_HASHES_PER_KEY, Math.ceil(BloomMath.informationBound(each)));
    long capacity = BloomMath.keysForRate(totalBits / 2, hashesPerKey, each);
    if (capacity < 1) {
      throw Arguments.refused(
          Arguments.named("totalBits", totalBits),
          " hold no key at ",
          Arguments.named("falsePositiveRate", falsePositiveRate));
    }
    return new AgingShape(totalBits / 2, hashesPerKey, capacity);
  }

  private static double bufferRate(double rate) {
    return -Math.expm1(Math.log1p(-rate) / 2);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: for an endless stream at its worst moment, with that many keys, but at most the
   * capacity, in each buffer.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    double one = BloomMath.exactRate(bits, Math.min(keys, capacity), hashesPerKey);
    return one * (2 - one);
  }

  @Override
  public long sizeInBits() {
    return 2 * bits;
  }

  /** {@inheritDoc} Here: k·log2 m; both buffers have the same positions. */
  @Override
  public int hashBits() {
    return HashBits.bloom(bits, hashesPerKey);
  }

  /** {@inheritDoc} Here: k in each of two buffers. */
  @Override
  public int memoryAccesses() {
    return 2 * hashesPerKey;
  }
}
