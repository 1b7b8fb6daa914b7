package io.bloomery.sync;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of the summary of a {@link ReconciliationTree}: a Bloom filter of its leaves and one of
 * its inner nodes.
 *
 * @param leafBits size of the filter of leaves, 2 … {@link Shape#MAX_BITS}
 * @param leafHashes hashes per leaf, 1 … {@link Shape#MAX_HASHES_PER_KEY}, at most {@code leafBits}
 * @param innerBits size of the filter of inner nodes, 2 … {@link Shape#MAX_BITS}
 * @param innerHashes hashes per inner node, 1 … {@link Shape#MAX_HASHES_PER_KEY}, at most {@code
 *     innerBits}
 */
public record ReconciliationShape(
    @FieldName("leaf bits") long leafBits,
    @FieldName("leaf probes") int leafHashes,
    @FieldName("inner bits") long innerBits,
    @FieldName("inner probes") int innerHashes)
    implements Shape, QueryCost {

  /** The largest correction level; no path of a tree has more inner nodes. */
  public static final int MAX_CORRECTION = 64;

  /** Bits per key of each of the two filters, unless others are given. */
  private static final double DEFAULT_BITS_PER_KEY = 4;

  /** More others than share the upper levels with a key, of which 32 to 64 are expected. */
  private static final int MOST_OTHERS = 192;

  public ReconciliationShape {
    Arguments.inRange("leafBits", leafBits, 2, MAX_BITS);
    Arguments.inRange("leafHashes", leafHashes, 1, Math.min(MAX_HASHES_PER_KEY, leafBits));
    Arguments.inRange("innerBits", innerBits, 2, MAX_BITS);
    Arguments.inRange("innerHashes", innerHashes, 1, Math.min(MAX_HASHES_PER_KEY, innerBits));
  }

  /**
   * The usual shape: 8 bits per key, half of them for leaves.
   *
   * @param keys distinct keys of the set, 0 … {@link Shape#MAX_KEYS}
   * @return the shape
   */
  public static ReconciliationShape forKeys(long keys) {
    return forKeys(keys, DEFAULT_BITS_PER_KEY, DEFAULT_BITS_PER_KEY);
  }

  /**
   * A shape with given bits per key, each filter with the best number of hashes.
   *
   * @param keys distinct keys of the set, 0 … {@link Shape#MAX_KEYS}
   * @param leafBitsPerKey bits per key for the leaves, above 0
   * @param innerBitsPerKey bits per key for the inner nodes, above 0
   * @return the shape, each filter rounded up to whole 64-bit words
   */
  public static ReconciliationShape forKeys(
      long keys, double leafBitsPerKey, double innerBitsPerKey) {
    Arguments.inRange("keys", keys, 0, MAX_KEYS);
    long leafBits = words("leafBitsPerKey", leafBitsPerKey, keys);
    long innerBits = words("innerBitsPerKey", innerBitsPerKey, keys);
    long nodes = Math.max(1, keys);
    return new ReconciliationShape(
        leafBits,
        BloomMath.optimalProbes(leafBits, nodes),
        innerBits,
        BloomMath.optimalProbes(innerBits, nodes));
  }

  private static long words(String name, double bitsPerKey, long keys) {
    Arguments.positive(name, bitsPerKey);
    double words = Math.ceil(bitsPerKey * Math.max(1, keys) / Long.SIZE);
    long most = MAX_BITS / Long.SIZE;
    return Math.min((long) words, most) * Long.SIZE;
  }

  @Override
  public long sizeInBits() {
    return leafBits + innerBits;
  }

  /** {@inheritDoc} Here: that of the filter of leaves, which alone answers for a key. */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(leafBits, keys, leafHashes);
  }

  /**
   * The expected share of a difference that a walk finds: the probability that the filter of leaves
   * does not report a leaf and that its path has no run of {@code correction + 1} inner nodes that
   * the other filter reports, over the depths of the leaves of random hashes.
   *
   * @param keys distinct keys of either set, 1 or more
   * @param correction correction level, 0 … {@value #MAX_CORRECTION}
   * @return a share, 0 … 1 - {@link #falsePositiveRate}
   */
  public double expectedFound(long keys, int correction) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    Arguments.inRange("correction", correction, 0, MAX_CORRECTION);
    double inner = BloomMath.exactRate(innerBits, keys - 1, innerHashes);
    int upper = Math.max(0, 58 - Long.numberOfLeadingZeros(keys));
    double[] lower = lowerDepths(keys - 1, upper);
    double found = 0;
    for (int depth = 0; depth < lower.length; depth++) {
      found += lower[depth] * noRun(inner, upper + depth, correction + 1);
    }
    return (1 - falsePositiveRate(keys)) * found;
  }

  /**
   * The distribution of the number of inner nodes above a leaf and below the upper levels, where
   * any node has keys on both sides. Of j others that share the path so far, as many go along as
   * heads of j coins; unless all do there is a node.
   */
  private static double[] lowerDepths(long others, int upper) {
    double[] sharing = new double[MOST_OTHERS];
    double share = Math.scalb(1.0, -upper);
    if (upper == 0) {
      sharing[(int) others] = 1;
    } else {
      sharing[0] = Math.exp(others * Math.log1p(-share));
      for (int j = 1; j < MOST_OTHERS; j++) {
        sharing[j] = sharing[j - 1] * ((others - j + 1.0) / j) * (share / (1 - share));
      }
    }
    double[][] depths = new double[MOST_OTHERS][MOST_OTHERS];
    double[] heads = new double[MOST_OTHERS]; // C(j, i)/2^j
    double[] all = new double[MOST_OTHERS];
    heads[0] = 1;
    depths[0][0] = 1;
    all[0] = sharing[0];
    for (int j = 1; j < MOST_OTHERS; j++) {
      for (int i = j; i >= 0; i--) {
        heads[i] = (heads[i] + (i == 0 ? 0 : heads[i - 1])) / 2;
      }
      for (int i = 0; i < j; i++) {
        double probability = heads[i] / (1 - heads[j]);
        for (int depth = 0; depth <= i; depth++) {
          depths[j][depth + 1] += probability * depths[i][depth];
        }
      }
      for (int depth = 0; depth <= j; depth++) {
        all[depth] += sharing[j] * depths[j][depth];
      }
    }
    return all;
  }

  /** The probability that {@code trials} trials have no run of {@code run} successes. */
  static double noRun(double success, int trials, int run) {
    double[] state = new double[run]; // by the length of the current run
    state[0] = 1;
    for (int i = 0; i < trials; i++) {
      double alive = 0;
      for (double each : state) {
        alive += each;
      }
      for (int length = run - 1; length > 0; length--) {
        state[length] = state[length - 1] * success;
      }
      state[0] = alive * (1 - success);
    }
    double alive = 0;
    for (double each : state) {
      alive += each;
    }
    return alive;
  }

  /** {@inheritDoc} Here: k·log2 m of the filter of leaves. */
  @Override
  public int hashBits() {
    return HashBits.bloom(leafBits, leafHashes);
  }

  /** {@inheritDoc} Here: k of the filter of leaves. */
  @Override
  public int memoryAccesses() {
    return leafHashes;
  }
}
