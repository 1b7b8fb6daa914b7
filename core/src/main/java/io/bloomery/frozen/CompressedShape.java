package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.Compression;

/**
 * The shape of a Bloom filter that is sparse in memory and coded when it is sent: m bits, k of them
 * per key, for n keys. Its size is what is sent, m·H2(e^(−kn/m)); {@link #bits} is what it takes in
 * memory.
 *
 * <p>Mitzenmacher, "Compressed Bloom Filters", sec. 3: for a given number of sent bits fewer probes
 * in a larger filter give a lower rate.
 *
 * @param keys expected keys n, 1 … {@link Shape#MAX_KEYS}
 * @param bits m, 2 … {@link Shape#MAX_BITS}
 * @param probes k, 1 … 255
 */
public record CompressedShape(long keys, long bits, int probes) implements Shape {

  /** How many times the memory of a plain filter is taken if nobody says otherwise. */
  public static final int DEFAULT_EXPANSION = 2;

  private static final int MOST_PROBES = 20;

  /**
   * Checks the fields.
   *
   * @param keys expected keys n
   * @param bits bits in memory m
   * @param probes bits of a key k
   * @throws IllegalArgumentException if a field is outside its range
   */
  public CompressedShape {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("probes", probes, 1, MAX_PROBES);
  }

  /**
   * The shape that sends least for a rate, with at most {@link #DEFAULT_EXPANSION} times the memory
   * of a plain filter.
   *
   * @param keys expected keys, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CompressedShape forKeys(long keys, double rate) {
    long plain = BloomShape.forKeys(keys, rate).bits();
    return forKeys(keys, rate, Math.min(MAX_BITS, DEFAULT_EXPANSION * plain));
  }

  /**
   * The shape that sends least for a rate, of 1 … 20 probes.
   *
   * @param keys expected keys, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param maxBits the most bits in memory, 2 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or no shape is so small
   */
  public static CompressedShape forKeys(long keys, double rate, long maxBits) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("maxBits", maxBits, 2, MAX_BITS);
    CompressedShape best = null;
    for (int k = 1; k <= MOST_PROBES; k++) {
      int probes = k;
      double guess = Compression.bitsPerKey(rate, probes) * keys;
      if (guess > 1.01 * maxBits + 64) {
        continue;
      }
      long bits =
          SizeSearch.smallest(
              m -> m < 2 ? 1 : BloomMath.exactRate(m, keys, probes),
              rate,
              Math.max(2, Math.min((long) guess, maxBits)),
              maxBits);
      if (bits >= 2) {
        CompressedShape shape = new CompressedShape(keys, bits, probes);
        best = best == null || shape.sentBits() < best.sentBits() ? shape : best;
      }
    }
    if (best == null) {
      throw new IllegalArgumentException(
          "maxBits = %d is too little for keys = %d and rate = %s"
              .formatted(maxBits, keys, Double.toString(rate)));
    }
    return best;
  }

  /**
   * The shape with the lowest rate that sends at most so many bits, of 1 … 20 probes.
   *
   * @param keys expected keys, 1 … {@link Shape#MAX_KEYS}
   * @param sentBits the most bits that are sent, 1 … {@link Shape#MAX_BITS}
   * @param maxBits the most bits in memory, 2 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CompressedShape forBudget(long keys, long sentBits, long maxBits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.inRange("sentBits", sentBits, 1, MAX_BITS);
    Arguments.inRange("maxBits", maxBits, 2, MAX_BITS);
    CompressedShape best = null;
    double lowest = Double.POSITIVE_INFINITY;
    for (int k = 1; k <= MOST_PROBES; k++) {
      double bits = Compression.bitsPerKeyForBudget((double) sentBits / keys, k) * keys;
      CompressedShape shape =
          new CompressedShape(keys, (long) Math.max(2, Math.min(bits, (double) maxBits)), k);
      double rate = shape.falsePositiveRate(keys);
      if (rate < lowest) {
        lowest = rate;
        best = shape;
      }
    }
    return best;
  }

  /**
   * The expected size of the code at the planned number of keys, that of an ideal coder.
   *
   * @return m·H2(e^(−kn/m))
   */
  public double sentBits() {
    return keys * Compression.compressedBitsPerKey((double) bits / keys, probes);
  }

  /** {@inheritDoc} Here: what is sent, rounded up; {@link #bits} is what memory holds. */
  @Override
  public long sizeInBits() {
    return (long) Math.ceil(sentBits());
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(bits, keys, probes);
  }
}
