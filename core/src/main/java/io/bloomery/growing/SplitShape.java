package io.bloomery.growing;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of a split Bloom filter: a fixed number of layers of equal size, each a standard Bloom
 * filter; the hash assigns each key to one of them.
 *
 * <p>Because layers get unequal numbers of keys, the rate is the mean over a binomial load and a
 * little above that of one standard filter of the same size.
 *
 * @param layers s, 1 … {@link #MAX_LAYERS}
 * @param layerBits m, the size of a layer in bits, 2 … {@link Shape#MAX_BITS}; {@code layers ·
 *     layerBits} at most {@link Shape#MAX_BITS}
 * @param hashesPerKey k, hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
 *     layerBits}
 * @param bound the rate above which a filter should be rebuilt, in (0, 1)
 */
public record SplitShape(
    @FieldName("rows") int layers,
    @FieldName("row bits") long layerBits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("bound") double bound)
    implements Shape, QueryCost {

  /** The default number of layers. */
  public static final int DEFAULT_LAYERS = 8;

  /** The most layers. */
  public static final int MAX_LAYERS = 4096;

  public SplitShape {
    Arguments.inRange("layers", layers, 1, MAX_LAYERS);
    Arguments.inRange("layerBits", layerBits, 2, MAX_BITS / layers);
    Arguments.inRange(
        "hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, layerBits));
    Arguments.rate("bound", bound);
  }

  /**
   * The smallest filter of eight layers for a number of keys and a rate, which is also its bound.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate and bound, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SplitShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_LAYERS);
  }

  /**
   * The smallest filter of a number of layers, in whole 64-bit words per layer, for a number of
   * keys and a rate, which is also its bound.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate and bound, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @param layers s, 1 … {@link #MAX_LAYERS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static SplitShape forKeys(long expectedKeys, double falsePositiveRate, int layers) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("layers", layers, 1, MAX_LAYERS);
    int most = Sizing.mostProbes(falsePositiveRate, 1);
    int start = (int) Math.round(BloomMath.informationBound(falsePositiveRate));
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rate(layers, words * 64, k, expectedKeys),
            falsePositiveRate,
            (long) (expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) / layers / 64) + 1,
            MAX_BITS / layers / 64,
            new Sizing.Probes(start, 1, most, 2));
    if (choice == null) {
      throw Sizing.tooLarge(
          "a split filter of " + layers + " layers", expectedKeys, falsePositiveRate);
    }
    return new SplitShape(layers, choice.size() * 64, choice.hashesPerKey(), falsePositiveRate);
  }

  /**
   * The best filter of eight layers for a number of keys within a memory budget. Its bound is the
   * rate at that number of keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 512 … {@link Shape#MAX_BITS}; rounded down to whole words per layer
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SplitShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, DEFAULT_LAYERS);
  }

  /**
   * The best filter of a number of layers for a number of keys within a memory budget. Its bound is
   * the rate at that number of keys.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 bits per layer … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param layers s, 1 … {@link #MAX_LAYERS}
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static SplitShape forBudget(long expectedKeys, long bits, int layers) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.inRange("layers", layers, 1, MAX_LAYERS);
    long layerBits = Sizing.requireBudget(bits, 64L * layers) / layers / 64 * 64;
    int most = (int) Math.min(MAX_HASHES_PER_KEY, layerBits);
    int start = BloomMath.optimalProbes(layerBits * layers, expectedKeys);
    int k =
        new Sizing.Probes(start, 1, most, 2).best(p -> rate(layers, layerBits, p, expectedKeys));
    double bound = rate(layers, layerBits, k, expectedKeys);
    return new SplitShape(
        layers, layerBits, k, Math.max(Double.MIN_VALUE, Math.min(bound, Math.nextDown(1.0))));
  }

  /** Σ_x Bin(x; keys, 1/layers) · exact rate of one layer with x keys. */
  private static double rate(int layers, long layerBits, int hashesPerKey, long keys) {
    if (layers == 1 || keys == 0) {
      return BloomMath.exactRate(layerBits, keys, hashesPerKey);
    }
    double mean = (double) keys / layers;
    double spread = Math.sqrt(mean * (1 - 1.0 / layers));
    long low = (long) Math.max(0, mean - 9 * spread - 9);
    long high = (long) Math.min((double) keys, mean + 9 * spread + 40);
    long step = Math.max(1, (high - low) / 100);
    Occupancy.AllHit exact = new Occupancy.AllHit(layerBits, hashesPerKey);
    double sum = 0;
    double weights = 0;
    for (long x = low; x <= high; x += step) {
      double weight = Pmf.binomialAt(x, keys, 1.0 / layers);
      sum += weight * exact.after(x * hashesPerKey);
      weights += weight;
    }
    return sum / weights;
  }

  @Override
  public long sizeInBits() {
    return layers * layerBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return rate(layers, layerBits, hashesPerKey, Sizing.requireLoad(keys));
  }

  /** {@inheritDoc} Here: log2 of the layers, and k·log2 of the bits of one. */
  @Override
  public int hashBits() {
    return HashBits.choice(layers) + HashBits.bloom(layerBits, hashesPerKey);
  }

  /** {@inheritDoc} Here: k, in the one layer of the key. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey;
  }
}
