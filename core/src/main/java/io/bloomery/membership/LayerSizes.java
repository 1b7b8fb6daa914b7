package io.bloomery.membership;

import io.bloomery.theory.BloomMath;

/** The sizes of the Bloom filters that are parts of a larger structure, to the bit. */
public final class LayerSizes {

  private LayerSizes() {}

  /**
   * The smallest filter with a rate by the classic formula, or one of {@code least} bits with as
   * many probes as are best there.
   */
  public static BloomShape smallest(long keys, double rate, long least) {
    int low = (int) Math.max(1, Math.floor(BloomMath.informationBound(rate)));
    long fewer = (long) Math.ceil(BloomMath.bitsForRate(keys, rate, low));
    long more = (long) Math.ceil(BloomMath.bitsForRate(keys, rate, low + 1));
    long bits = Math.min(fewer, more);
    if (bits < least) {
      return BloomShape.of(least, BloomMath.optimalProbes(least, keys));
    }
    return BloomShape.of(bits, fewer <= more ? low : low + 1);
  }
}
