package io.bloomery.plan;

import io.bloomery.internal.math.Arguments;
import io.bloomery.internal.math.SizeSearch;

/**
 * The shape of a standard Bloom filter, or of one with a slice of its own for each probe.
 *
 * @param bits size in bits, 1 … {@link Shape#MAX_BITS}; a multiple of {@code probes} if partitioned
 * @param probes bits that one key sets, 1 … {@link Shape#MAX_PROBES}
 * @param partitioned whether probe i is confined to slice i of {@code bits / probes} bits
 */
public record BloomShape(long bits, int probes, boolean partitioned) implements Shape {

  /**
   * Checks the fields.
   *
   * @param bits size in bits
   * @param probes bits that one key sets
   * @param partitioned whether each probe has a slice of its own
   * @throws IllegalArgumentException if a field is outside its range
   */
  public BloomShape {
    Arguments.inRange("bits", bits, 1, MAX_BITS);
    Arguments.inRange("probes", probes, 1, MAX_PROBES);
    if (partitioned && bits % probes != 0) {
      throw new IllegalArgumentException(
          "bits = " + bits + " is not a multiple of probes = " + probes);
    }
  }

  /**
   * The smallest filter, in whole 64-bit words, whose exact rate at {@code keys} keys is at most
   * {@code rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BloomShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    long max = MAX_BITS / 64;
    long best = Long.MAX_VALUE;
    int bestProbes = 0;
    // The classic formula never exceeds the exact one, so its solution is where to start upwards,
    // and probes whose classic size is not below the best size cannot improve it.
    int most = Sizing.mostProbes(rate, 1);
    for (int k = most; k > 0; k--) {
      int probes = k;
      long lowest = (long) Math.ceil(BloomMath.bitsForRate(keys, rate, k) / 64);
      if (lowest >= best || lowest > max) {
        continue;
      }
      long words =
          SizeSearch.smallest(
              w -> BloomMath.exactRate(w * 64, keys, probes), rate, Math.max(1, lowest), max);
      if (words > 0 && words < best) {
        best = words;
        bestProbes = k;
      }
    }
    if (bestProbes == 0) {
      throw Sizing.tooLarge("a Bloom filter", keys, rate);
    }
    return best(keys, best * 64, bestProbes, most);
  }

  /**
   * The smallest partitioned filter whose exact rate at {@code keys} keys is at most {@code rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BloomShape partitionedForKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    BloomShape best = null;
    for (int k = 1; k <= MAX_PROBES; k++) {
      int probes = k;
      // (1 − (1 − 1/s)^n)^k = rate, solved for the slice s.
      double logZero = Math.log1p(-Math.pow(rate, 1.0 / k));
      long guess = (long) Math.ceil(-1 / Math.expm1(logZero / keys));
      long limit = best == null ? MAX_BITS : best.bits - 1;
      if ((guess - 1) * k > limit) {
        continue;
      }
      long slice =
          SizeSearch.smallest(
              s -> BloomMath.partitionedRate(s * probes, keys, probes), rate, guess, limit / k);
      if (slice > 0) {
        best = new BloomShape(slice * k, k, true);
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a partitioned Bloom filter", keys, rate);
    }
    return best;
  }

  /**
   * The best filter for a number of keys in a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    long whole = Sizing.requireBudget(bits, 64) / 64 * 64;
    return best(keys, whole, BloomMath.optimalProbes(whole, keys), MAX_PROBES);
  }

  /**
   * The best partitioned filter for a number of keys in a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole slices
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape partitionedForBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 64);
    int start = BloomMath.optimalProbes(bits, keys);
    int most = (int) Math.min(MAX_PROBES, bits);
    int k =
        new Sizing.Probes(start, 1, most, 2)
            .best(p -> BloomMath.partitionedRate(bits / p * p, keys, p));
    return new BloomShape(bits / k * k, k, true);
  }

  private static BloomShape best(long keys, long bits, int start, int most) {
    int k = new Sizing.Probes(start, 1, most, 2).best(p -> BloomMath.exactRate(bits, keys, p));
    return new BloomShape(bits, k, false);
  }

  /**
   * An unpartitioned filter of given parameters.
   *
   * @param bits size in bits, 1 … {@link Shape#MAX_BITS}
   * @param probes bits that one key sets, 1 … {@link Shape#MAX_PROBES}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape ofBits(long bits, int probes) {
    return new BloomShape(bits, probes, false);
  }

  /**
   * A partitioned filter of at least the given size.
   *
   * @param bits least size in bits, 1 … {@link Shape#MAX_BITS}; rounded up to a multiple of {@code
   *     probes}
   * @param probes bits that one key sets, 1 … {@link Shape#MAX_PROBES}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomShape ofPartitionedBits(long bits, int probes) {
    Arguments.inRange("bits", bits, 1, MAX_BITS);
    Arguments.inRange("probes", probes, 1, MAX_PROBES);
    return new BloomShape((bits + probes - 1) / probes * probes, probes, true);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return partitioned
        ? BloomMath.partitionedRate(bits, keys, probes)
        : BloomMath.exactRate(bits, keys, probes);
  }
}
