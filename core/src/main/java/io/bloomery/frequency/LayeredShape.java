package io.bloomery.frequency;

import io.bloomery.QueryCost;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The shape of a layered Bloom filter.
 *
 * @param layers the Bloom filters from the first to the last, 1 … {@link #MAX_LAYERS}, each with
 *     {@linkplain IndexScheme#INDEPENDENT independent} indexes, at least 2 bits, and at least as
 *     many bits as hashes per key
 */
public record LayeredShape(List<BloomShape> layers) implements Shape, QueryCost {

  /** The most layers, and so the highest count. */
  public static final int MAX_LAYERS = 1024;

  /** The layers of a filter for keys whose counts are unknown. */
  public static final int DEFAULT_LAYERS = 16;

  /** Checks and copies the list. */
  public LayeredShape {
    layers = List.copyOf(layers);
    Arguments.inRange("layers", layers.size(), 1, MAX_LAYERS);
    for (int i = 0; i < layers.size(); i++) {
      BloomShape layer = layers.get(i);
      if (layer.scheme() != IndexScheme.INDEPENDENT
          || layer.bits() < Math.max(2, layer.hashesPerKey())) {
        throw new IllegalArgumentException(
            "layer "
                + (i + 1)
                + " = "
                + layer
                + " must have scheme INDEPENDENT, 2 bits or more, and a bit for each hash");
      }
    }
  }

  /**
   * The smallest filter whose every layer keeps a rate.
   *
   * @param keysByCount at i the number of keys that are added more than i times, 1 … {@link
   *     Shape#MAX_KEYS} each and not rising; as many as there are layers
   * @param falsePositiveRate the rate of each layer, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static LayeredShape forCounts(long[] keysByCount, double falsePositiveRate) {
    Objects.requireNonNull(keysByCount, "keysByCount");
    Arguments.inRange("layers", keysByCount.length, 1, MAX_LAYERS);
    List<BloomShape> layers = new ArrayList<>();
    for (int i = 0; i < keysByCount.length; i++) {
      long keys = keysByCount[i];
      if (i > 0 && keys > keysByCount[i - 1]) {
        throw new IllegalArgumentException(
            "keysByCount[%d] = %d is more than keysByCount[%d] = %d"
                .formatted(i, keys, i - 1, keysByCount[i - 1]));
      }
      boolean same = i > 0 && keys == keysByCount[i - 1];
      layers.add(
          same
              ? layers.get(i - 1)
              : BloomShape.forKeys(keys, falsePositiveRate, IndexScheme.INDEPENDENT));
    }
    return new LayeredShape(layers);
  }

  /**
   * The smallest filter of 16 layers for keys whose counts follow Zipf's law: one key in i is added
   * i times or more.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of each layer, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static LayeredShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_LAYERS);
  }

  /**
   * The smallest filter of a number of layers for keys whose counts follow Zipf's law: one key in i
   * is added i times or more.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of each layer, in (0, 1) and at least {@code expectedKeys ·
   *     2^-57}
   * @param layers the highest count, 1 … {@link #MAX_LAYERS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static LayeredShape forKeys(long expectedKeys, double falsePositiveRate, int layers) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("layers", layers, 1, MAX_LAYERS);
    long[] keysByCount = new long[layers];
    for (int i = 0; i < layers; i++) {
      keysByCount[i] = (expectedKeys + i) / (i + 1);
    }
    return forCounts(keysByCount, falsePositiveRate);
  }

  @Override
  public long sizeInBits() {
    long bits = 0;
    for (BloomShape layer : layers) {
      bits += layer.sizeInBits();
    }
    return bits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: that of the first layer, regardless of how often each key was added.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return layers.get(0).falsePositiveRate(keys);
  }

  @Override
  public String toString() {
    return "LayeredShape[" + layers.size() + " layers, " + sizeInBits() + " bits]";
  }

  /** {@inheritDoc} Here: that of the first layer, which has every key. */
  @Override
  public int hashBits() {
    return layers.get(0).hashBits();
  }

  /** {@inheritDoc} Here: that of the first layer, which has every key. */
  @Override
  public int memoryAccesses() {
    return layers.get(0).memoryAccesses();
  }
}
