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
 * The shape of a double-buffered Bloom filter: keys are added to the active buffer and, once that
 * holds half of its capacity, also to the buffer that will replace it. A query reads the active
 * one.
 *
 * @param bits size of one buffer in bits, 2 or more
 * @param hashesPerKey hashes per key, 1 … 255 and at most the bits
 * @param capacity N, keys that a buffer holds, 2 … {@link Shape#MAX_KEYS}: at least half as many
 *     are remembered
 */
public record DoubleBufferShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("capacity") long capacity)
    implements Shape, QueryCost {

  public DoubleBufferShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("capacity", capacity, 2, MAX_KEYS);
  }

  /**
   * The smallest shape that remembers a number of keys.
   *
   * @param expectedKeys the minimum number of distinct keys remembered, 1 … {@link Shape#MAX_KEYS}
   *     / 2
   * @param falsePositiveRate the rate of a full buffer, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static DoubleBufferShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireKeys(expectedKeys, MAX_KEYS / 2);
    BloomShape buffer = BloomShape.forKeys(2 * expectedKeys, falsePositiveRate);
    return new DoubleBufferShape(buffer.bits(), buffer.hashesPerKey(), 2 * expectedKeys);
  }

  /**
   * The shape of a given memory, whose buffers have half of their bits set at capacity.
   *
   * @param totalBits m, the memory of both buffers, 4 or more
   * @param falsePositiveRate ε, the rate of a full buffer, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the memory too small
   */
  public static DoubleBufferShape ofBits(long totalBits, double falsePositiveRate) {
    Arguments.inRange("totalBits", totalBits, 4, MAX_BITS);
    double rate = Arguments.rate("falsePositiveRate", falsePositiveRate);
    long bits = totalBits / 2;
    int hashesPerKey =
        (int) Math.min(MAX_HASHES_PER_KEY, Math.ceil(BloomMath.informationBound(rate)));
    long capacity = BloomMath.keysForRate(bits, hashesPerKey, rate);
    if (capacity < 2) {
      throw Arguments.refused(
          Arguments.named("totalBits", totalBits),
          " do not hold two keys at ",
          Arguments.named("falsePositiveRate", rate));
    }
    return new DoubleBufferShape(bits, hashesPerKey, capacity);
  }

  /**
   * The minimum number of keys remembered.
   *
   * @return half of the capacity, rounded down
   */
  public long guaranteed() {
    return capacity / 2;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: for an endless stream at its worst moment, with twice that many keys, but at most the
   * capacity, in the active buffer.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(
        bits, Math.min(2 * Math.min(keys, MAX_KEYS), capacity), hashesPerKey);
  }

  @Override
  public long sizeInBits() {
    return 2 * bits;
  }

  /** {@inheritDoc} Here: k·log2 m. */
  @Override
  public int hashBits() {
    return HashBits.bloom(bits, hashesPerKey);
  }

  /** {@inheritDoc} Here: k, in the active buffer. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey;
  }
}
