package io.bloomery.window;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;

/**
 * The shape of an exponentially decaying Bloom filter: many bits for each key, so that the number
 * that is left of them tells how far the key is away.
 *
 * @param bits m, 2 or more
 * @param probes k, bits that one key sets, 1 … 255 and at most the bits
 */
public record ExponentialDecayShape(long bits, int probes) implements Shape {

  /** Bits of a key if nothing else is said. */
  public static final int DEFAULT_PROBES = 32;

  /**
   * Checks the fields.
   *
   * @param bits number of bits
   * @param probes bits that one key sets
   * @throws IllegalArgumentException if a field is outside its range
   */
  public ExponentialDecayShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("probes", probes, 1, (int) Math.min(MAX_PROBES, bits));
  }

  /**
   * The smallest shape of 32 probes that takes other keys for its own at most at a rate.
   *
   * @param keys distinct keys, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static ExponentialDecayShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    long bits =
        SizeSearch.smallest(
            m -> m < DEFAULT_PROBES ? 1 : BloomMath.exactRate(m, keys, DEFAULT_PROBES),
            rate,
            (long) BloomMath.bitsForRate(keys, rate, DEFAULT_PROBES) + DEFAULT_PROBES,
            MAX_BITS);
    if (bits < 0) {
      throw Sizing.tooLarge("an exponentially decaying Bloom filter", keys, rate);
    }
    return new ExponentialDecayShape(bits, DEFAULT_PROBES);
  }

  /**
   * The smallest shape of 32 probes whose share of ones stays below a limit, which is what decides
   * how far a key can be told from noise.
   *
   * @param keys distinct keys, those of neighbours counted by the bits they still have
   * @param fill the share of ones, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static ExponentialDecayShape forFill(long keys, double fill) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.rate("fill", fill);
    double bits = Math.ceil(-DEFAULT_PROBES * (double) keys / Math.log1p(-fill));
    return new ExponentialDecayShape((long) Math.max(DEFAULT_PROBES, bits), DEFAULT_PROBES);
  }

  /**
   * The expected number of a key's bits that are set at a number of hops: k·d^(1−h) and what noise
   * adds to it.
   *
   * @param hops how far the key is away, 1 or more; 1 is the neighbour itself
   * @param decay d, the share 1/d of bits is kept at each further hop, 1 or more
   * @param fill the share of ones of the filter
   * @return the expected number
   */
  public double expectedMatches(int hops, double decay, double fill) {
    double kept = Math.pow(decay, 1.0 - hops);
    return probes * (kept + (1 - kept) * fill);
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(bits, keys, probes);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }
}
