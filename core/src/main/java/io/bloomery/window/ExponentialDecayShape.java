package io.bloomery.window;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of an exponentially decaying Bloom filter: many hashes per key, so that the number of
 * its remaining bits shows how far away the key is.
 *
 * @param bits m, 2 or more
 * @param hashesPerKey k, hashes per key, 1 … 255 and at most the bits
 */
public record ExponentialDecayShape(
    @FieldName("bits") long bits, @FieldName("probes") int hashesPerKey)
    implements Shape, QueryCost {

  /** Hashes per key unless others are given. */
  public static final int DEFAULT_PROBES = 32;

  public ExponentialDecayShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
  }

  /**
   * The smallest shape with 32 hashes per key for a rate.
   *
   * @param expectedKeys distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the probability that all bits of another key are set, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static ExponentialDecayShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    double guess = BloomMath.bitsForRate(expectedKeys, falsePositiveRate, DEFAULT_PROBES);
    long bits =
        SizeSearch.smallest(
            m -> m < DEFAULT_PROBES ? 1 : BloomMath.exactRate(m, expectedKeys, DEFAULT_PROBES),
            falsePositiveRate,
            (long) guess + DEFAULT_PROBES,
            MAX_BITS);
    if (bits < 0) {
      throw Sizing.tooLarge(
          "an exponentially decaying Bloom filter", expectedKeys, falsePositiveRate);
    }
    return new ExponentialDecayShape(bits, DEFAULT_PROBES);
  }

  /**
   * The smallest shape with 32 hashes per key whose share of set bits stays below a limit; that
   * share determines up to which distance a key can be distinguished from noise.
   *
   * @param expectedKeys distinct keys, those of neighbours weighted by their remaining bits
   * @param fill the share of ones, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static ExponentialDecayShape forFill(long expectedKeys, double fill) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.rate("fill", fill);
    double bits = Math.ceil(-DEFAULT_PROBES * (double) expectedKeys / Math.log1p(-fill));
    return new ExponentialDecayShape((long) Math.max(DEFAULT_PROBES, bits), DEFAULT_PROBES);
  }

  /**
   * The expected number of a key's bits that are set at a number of hops: k·d^(1−h) plus noise. A
   * bit that is dropped is dropped for all keys of its node, so only the ones of other nodes are
   * noise.
   *
   * @param hops how far away the key is, 1 or more; 1 is the neighbour itself
   * @param decay d, the share 1/d of bits is kept at each further hop, 1 or more
   * @param noise the share of bits that keys of other nodes set, 0 … 1
   * @return the expected number
   */
  public double expectedMatches(int hops, double decay, double noise) {
    double kept = Math.pow(decay, 1.0 - hops);
    return hashesPerKey * (kept + (1 - kept) * noise);
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(bits, keys, hashesPerKey);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  /** {@inheritDoc} Here: k·log2 m. */
  @Override
  public int hashBits() {
    return HashBits.bloom(bits, hashesPerKey);
  }

  /** {@inheritDoc} Here: k. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey;
  }
}
