package io.bloomery.frequency;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import io.bloomery.membership.BloomShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A stack of Bloom filters: an addition goes into the first layer that does not hold the key, and
 * the count is the number of layers from the first on that hold it. It is never too low unless
 * {@link #isSaturated}, when the key is in every layer and further additions are lost.
 *
 * <p>How much too high: a key that was added c times is counted right unless one of the layers 1 to
 * c took it for one of its own when its turn came, or layer c + 1 does now, so with a probability
 * of at least {@code (1 - ε)^(c+1)} for layers of rate ε; each error adds one, or more with
 * probability ε. On a Zipf stream of 100,000 with layers sized for its counts at 1 %, 98.4 % of all
 * keys are counted exactly.
 *
 * <p>It suits low counts: memory and the cost of an addition grow with the count. Layers are sized
 * for how many keys come twice, three times, and so on; {@link #create} takes Zipf's law and 16
 * layers.
 *
 * <p>Threads: any number may query while one adds. Several that add need a lock: two that add one
 * key at the same time may both find the same layer, and count once.
 *
 * <p>Source: Zhiwang, Jungang and Jian 2010, "A Multi-layer Bloom Filter for Duplicated URL
 * Detection". Deviation: each layer sees a mix of its own of the hash, so that the errors of layers
 * are independent. There is no merge: layers of two filters, joined, would not add up.
 */
public final class LayeredBloomFilter implements FrequencyFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<LayeredBloomFilter> KIND =
      new FilterKind<>(
          31,
          "layered",
          "how often was x seen, at most? a Bloom filter for each time",
          LayeredBloomFilter.class,
          LayeredBloomFilter::encode,
          LayeredBloomFilter::decode,
          () ->
              FilterRecipe.locked(
                  LayeredShape.class,
                  LayeredBloomFilter::shapeFor,
                  FilterRecipe.byRate(LayeredBloomFilter::shapeFor),
                  order -> of(order.shape(), order.hasher())));

  private final Hasher hasher;
  private final LayeredShape shape;
  private final Probes[] probes;
  private final Words[] words;

  private LayeredBloomFilter(Hasher hasher, LayeredShape shape, Words[] words) {
    this.hasher = hasher;
    this.shape = shape;
    this.words = words;
    this.probes = new Probes[words.length];
    for (int i = 0; i < words.length; i++) {
      BloomShape layer = shape.layers().get(i);
      probes[i] = new Probes(IndexScheme.INDEPENDENT, layer.bits(), layer.probes());
    }
  }

  /**
   * The smallest filter of 16 layers for keys whose counts follow Zipf's law.
   *
   * @param expectedKeys how many different keys will be added, 1 or more; every i-th of them i
   *     times
   * @param falsePositiveRate the highest acceptable rate of each layer then, above 0, below 1
   * @return an empty filter
   */
  public static LayeredBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the layers
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static LayeredBloomFilter of(LayeredShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(hasher, "hasher");
    Words[] words = new Words[shape.layers().size()];
    for (int i = 0; i < words.length; i++) {
      words[i] = Words.forBits(shape.layers().get(i).bits(), true);
    }
    return new LayeredBloomFilter(hasher, shape, words);
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static LayeredShape shapeFor(long keys, double rate) {
    return LayeredShape.forKeys(keys, rate, LayeredShape.DEFAULT_LAYERS);
  }

  private Frame encode() {
    Frame frame = Frame.of(hasher).put("layers", words.length);
    for (int i = 0; i < words.length; i++) {
      frame
          .put("bits " + (i + 1), shape.layers().get(i).bits())
          .put("probes " + (i + 1), shape.layers().get(i).probes())
          .section(words[i]);
    }
    return frame;
  }

  private static LayeredBloomFilter decode(Frame frame) throws IOException {
    int count = (int) frame.number("layers", 1, LayeredShape.MAX_LAYERS);
    List<BloomShape> layers = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      long bits = frame.number("bits " + i, 2, LayeredShape.MAX_BITS);
      long probes = frame.number("probes " + i, 1, Math.min(LayeredShape.MAX_PROBES, bits));
      layers.add(BloomShape.of(bits, (int) probes));
    }
    Words[] words = new Words[count];
    for (int i = 0; i < count; i++) {
      words[i] = frame.bits(i, layers.get(i).bits());
    }
    return new LayeredBloomFilter(frame.hasher(), new LayeredShape(layers), words);
  }

  @Override
  public FilterKind<LayeredBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The fixed parameters.
   *
   * @return the layers, with their rate formula
   */
  public LayeredShape shape() {
    return shape;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return probes[0].allSet(hash, words[0]);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return probes[0].allSet(hashes, from, to, hits, words[0]);
  }

  /** The hash that a layer sees; the first sees the key's own. */
  private static long of(long hash, int layer) {
    return layer == 0 ? hash : Draws.family(hash, layer - 1);
  }

  /** {@inheritDoc} Here: the layers from the first on that hold the key; never too low. */
  @Override
  public long countHash(long hash) {
    int layer = 0;
    while (layer < words.length && probes[layer].allSet(of(hash, layer), words[layer])) {
      layer++;
    }
    return layer;
  }

  /** {@inheritDoc} Here: the number of layers. */
  @Override
  public long maxCount() {
    return words.length;
  }

  /**
   * Whether additions of a key may have been lost, so that its count is too low.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return true if it is in every layer
   */
  public boolean isSaturated(long hash) {
    return countHash(hash) == words.length;
  }

  @Override
  public boolean addHash(long hash, long times) {
    Arguments.inRange("times", times, 0, Long.MAX_VALUE);
    words[0].writable();
    boolean isNew = false;
    long left = times;
    for (int layer = 0; layer < words.length && left > 0; layer++) {
      if (probes[layer].setAll(of(hash, layer), words[layer])) {
        isNew |= layer == 0;
        left--;
      }
    }
    return isNew;
  }

  /** {@inheritDoc} Here: that of the first layer. */
  @Override
  public double falsePositiveRate() {
    return layerRate(1);
  }

  /**
   * The rate of one layer at its present fill. That of layer c + 1 is about the probability that a
   * key which was added c times is now counted too high.
   *
   * @param layer 1 … the number of layers
   * @return a probability
   */
  public double layerRate(int layer) {
    Arguments.inRange("layer", layer, 1, words.length);
    BloomShape one = shape.layers().get(layer - 1);
    return Math.pow((double) words[layer - 1].bitCount() / one.bits(), one.probes());
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public LayeredBloomFilter copy() {
    Words[] copies = new Words[words.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = words[i].copy();
    }
    return new LayeredBloomFilter(hasher, shape, copies);
  }

  @Override
  public String toString() {
    return "LayeredBloomFilter["
        + words.length
        + " layers, "
        + sizeInBits()
        + " bits, "
        + hasher
        + "]";
  }

  /** Options of a filter: expected keys and layers, or the expected keys of each layer. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int layers;
    private long[] keysByCount;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The highest count; 16 if never called. Layers are sized by Zipf's law.
     *
     * @param layers 1…1024
     * @return this
     */
    public Builder layers(int layers) {
      this.layers = Arguments.inRange("layers", layers, 1, LayeredShape.MAX_LAYERS);
      return this;
    }

    /**
     * How often keys will come, instead of {@link #expectedKeys} and {@link #layers}.
     *
     * @param keysByCount at i the number of keys that are added more than i times, 1 or more and
     *     not rising; as many as there are layers, 1…1024
     * @return this
     */
    public Builder keysByCount(long... keysByCount) {
      Arguments.inRange("layers", keysByCount.length, 1, LayeredShape.MAX_LAYERS);
      this.keysByCount = keysByCount.clone();
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter
     */
    public LayeredBloomFilter build() {
      return of(shape(), hasher);
    }

    private LayeredShape shape() {
      if (keysByCount == null) {
        int count = layers == 0 ? LayeredShape.DEFAULT_LAYERS : layers;
        return LayeredShape.forKeys(expectedKeys, falsePositiveRate, count);
      }
      if (expectedKeys != 0 || layers != 0) {
        throw new IllegalArgumentException(
            "keysByCount excludes expectedKeys " + expectedKeys + " and layers " + layers);
      }
      return LayeredShape.forCounts(keysByCount, falsePositiveRate);
    }
  }
}
