package io.bloomery.plan;

/** The sizes of the Bloom filters that are parts of a larger structure, to the bit. */
final class LayerSizes {

  private LayerSizes() {}

  /**
   * The smallest filter with a rate by the classic formula, or one of {@code least} bits with as
   * many probes as are best there.
   */
  static BloomShape smallest(long keys, double rate, long least) {
    int low = (int) Math.max(1, Math.floor(BloomMath.informationBound(rate)));
    long fewer = (long) Math.ceil(BloomMath.bitsForRate(keys, rate, low));
    long more = (long) Math.ceil(BloomMath.bitsForRate(keys, rate, low + 1));
    long bits = Math.min(fewer, more);
    if (bits < least) {
      return BloomShape.ofBits(least, BloomMath.optimalProbes(least, keys));
    }
    return BloomShape.ofBits(bits, fewer <= more ? low : low + 1);
  }
}
