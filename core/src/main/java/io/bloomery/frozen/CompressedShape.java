package io.bloomery.frozen;

import io.bloomery.QueryCost;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Compression;

/**
 * The shape of a Bloom filter that is sparse in memory and coded when it is sent: m bits, k hashes
 * per key, n keys. Its size is the number of sent bits, m·H2(e^(−kn/m)); {@link #bits} is the size
 * in memory.
 *
 * <p>Mitzenmacher, "Compressed Bloom Filters", sec. 3: for a given number of sent bits fewer hashes
 * per key in a larger filter give a lower rate.
 *
 * @param expectedKeys expected keys n, 1 … {@link Shape#MAX_KEYS}; for a filter that was read, an
 *     estimate of the keys it holds
 * @param filter the filter in memory, of 2 bits or more
 */
public record CompressedShape(@FieldName("keys") long expectedKeys, BloomShape filter)
    implements Shape, QueryCost {

  /** Default limit on memory, as a multiple of a plain filter's. */
  public static final int DEFAULT_EXPANSION = 2;

  private static final int MOST_PROBES = 20;

  public CompressedShape {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.inRange("bits", filter.bits(), 2, MAX_BITS);
  }

  /**
   * A filter with given parameters, as papers state them.
   *
   * @param expectedKeys n, 1 … {@link Shape#MAX_KEYS}
   * @param bits m, 2 … {@link Shape#MAX_BITS}
   * @param hashesPerKey hashes per key k, 1 … {@link Shape#MAX_HASHES_PER_KEY}
   * @return the shape, with {@link IndexScheme#POWERS}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CompressedShape of(long expectedKeys, long bits, int hashesPerKey) {
    return new CompressedShape(expectedKeys, BloomShape.of(bits, hashesPerKey));
  }

  /**
   * The shape that sends the fewest bits for a rate, with at most {@link #DEFAULT_EXPANSION} times
   * the memory of a plain filter.
   *
   * @param expectedKeys n, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CompressedShape forKeys(long expectedKeys, double falsePositiveRate) {
    long plain = BloomShape.forKeys(expectedKeys, falsePositiveRate).bits();
    long maxBits = Math.min(MAX_BITS, DEFAULT_EXPANSION * plain);
    return forKeys(expectedKeys, falsePositiveRate, maxBits);
  }

  /**
   * The shape that sends the fewest bits for a rate, with 1 … 20 hashes per key, at most as many as
   * a plain filter has. More hashes would set most bits, which can be coded equally well but takes
   * longer.
   *
   * @param expectedKeys n, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param maxBits the most bits in memory, 2 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or no shape fits
   */
  public static CompressedShape forKeys(long expectedKeys, double falsePositiveRate, long maxBits) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("maxBits", maxBits, 2, MAX_BITS);
    CompressedShape best = null;
    int most = mostProbes(BloomMath.informationBound(falsePositiveRate));
    for (int k = 1; k <= most; k++) {
      int hashesPerKey = k;
      double guess = Compression.bitsPerKey(falsePositiveRate, hashesPerKey) * expectedKeys;
      if (guess > 1.01 * maxBits + 64) {
        continue;
      }
      long bits =
          SizeSearch.smallest(
              m -> m < 2 ? 1 : BloomMath.exactRate(m, expectedKeys, hashesPerKey),
              falsePositiveRate,
              Math.max(2, Math.min((long) guess, maxBits)),
              maxBits);
      if (bits >= 2) {
        CompressedShape shape = powers(expectedKeys, bits, hashesPerKey);
        best = best == null || shape.sentBits() < best.sentBits() ? shape : best;
      }
    }
    if (best == null) {
      throw Arguments.refused(
          Arguments.named("maxBits", maxBits),
          " is too little for ",
          Arguments.named("expectedKeys", expectedKeys),
          " and ",
          Arguments.named("falsePositiveRate", falsePositiveRate));
    }
    return best;
  }

  /** The most hashes per key to try, given how many a plain filter would have. */
  private static int mostProbes(double plain) {
    return (int) Math.max(1, Math.min(MOST_PROBES, Math.ceil(plain)));
  }

  private static CompressedShape powers(long keys, long bits, int hashesPerKey) {
    return new CompressedShape(keys, BloomShape.of(bits, hashesPerKey));
  }

  /**
   * The shape with the lowest rate that sends at most a number of bits, with at most {@link
   * #DEFAULT_EXPANSION} times as many in memory.
   *
   * @param expectedKeys n, 1 … {@link Shape#MAX_KEYS}
   * @param sentBits the most bits that are sent, 1 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CompressedShape forBudget(long expectedKeys, long sentBits) {
    Arguments.inRange("sentBits", sentBits, 1, MAX_BITS);
    long maxBits = Math.max(2, Math.min(MAX_BITS, DEFAULT_EXPANSION * sentBits));
    return forBudget(expectedKeys, sentBits, maxBits);
  }

  /**
   * The shape with the lowest rate that sends at most a number of bits, with 1 … 20 hashes per key,
   * at most as many as a plain filter of that size has.
   *
   * @param expectedKeys n, 1 … {@link Shape#MAX_KEYS}
   * @param sentBits the most bits that are sent, 1 … {@link Shape#MAX_BITS}
   * @param maxBits the most bits in memory, 2 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CompressedShape forBudget(long expectedKeys, long sentBits, long maxBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.inRange("sentBits", sentBits, 1, MAX_BITS);
    Arguments.inRange("maxBits", maxBits, 2, MAX_BITS);
    CompressedShape best = powers(expectedKeys, 2, 1);
    double lowest = Double.POSITIVE_INFINITY;
    int most = mostProbes((double) sentBits / expectedKeys * Math.log(2));
    for (int k = 1; k <= most; k++) {
      double bits =
          Compression.bitsPerKeyForBudget((double) sentBits / expectedKeys, k) * expectedKeys;
      CompressedShape shape =
          powers(expectedKeys, (long) Math.max(2, Math.min(bits, (double) maxBits)), k);
      double rate = shape.falsePositiveRate(expectedKeys);
      if (rate < lowest) {
        lowest = rate;
        best = shape;
      }
    }
    return best;
  }

  /**
   * Bits in memory.
   *
   * @return m
   */
  public long bits() {
    return filter.bits();
  }

  /**
   * Hashes per key.
   *
   * @return k
   */
  public int hashesPerKey() {
    return filter.hashesPerKey();
  }

  /**
   * The expected size of the code at the planned number of keys, that of an ideal coder.
   *
   * @return m·H2(e^(−kn/m))
   */
  public double sentBits() {
    return expectedKeys
        * Compression.compressedBitsPerKey((double) bits() / expectedKeys, hashesPerKey());
  }

  /** {@inheritDoc} Here: the size sent, rounded up; {@link #bits} is the size in memory. */
  @Override
  public long sizeInBits() {
    return (long) Math.ceil(sentBits());
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(bits(), keys, hashesPerKey());
  }

  /** {@inheritDoc} Here: that of the filter in memory. */
  @Override
  public int hashBits() {
    return filter.hashBits();
  }

  /** {@inheritDoc} Here: that of the filter in memory. */
  @Override
  public int memoryAccesses() {
    return filter.memoryAccesses();
  }
}
