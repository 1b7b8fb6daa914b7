package io.bloomery.frequency;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.probe.Probes;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A stack of Bloom filters: an addition goes into the first layer that does not hold the key, and
 * the count is the number of consecutive layers, from the first, that hold it. It is never too low
 * unless {@link #isSaturated}, when the key is in every layer and further additions are lost.
 *
 * <p>How much too high: a key that was added c times is counted correctly unless one of the layers
 * 1 to c gave a false positive when it was added, or layer c + 1 does now. So the count is correct
 * with a probability of at least {@code (1 - ε)^(c+1)} for layers of rate ε; each error adds one,
 * or more with probability ε. On a Zipf stream of 100,000 with layers sized for its counts at 1 %,
 * 98.4 % of all keys are counted exactly.
 *
 * <p>It suits low counts: memory and the cost of an addition grow with the count. Layers are sized
 * for the numbers of keys that are added twice, three times, and so on; {@link #create(long,
 * double)} assumes Zipf's law and has 16 layers, {@link LayeredShape#forCounts} takes the numbers
 * of keys.
 *
 * <p>Threads: any number may query while one adds. Concurrent writers need a lock: two writers that
 * add the same key concurrently may choose the same layer, so that only one addition counts.
 *
 * <p>Source: Zhiwang, Jungang and Jian 2010, "A Multi-layer Bloom Filter for Duplicated URL
 * Detection". Deviation: each layer uses its own remix of the hash, so that the errors of layers
 * are independent. There is no merge: merging the layers of two filters does not add their counts.
 */
public final class LayeredBloomFilter extends ShapedFilter<LayeredShape>
    implements FrequencyFilter, CardinalityFilter, QueryCost {

  public static final FilterKind<LayeredBloomFilter> KIND =
      Kind.of(31, "layered", LayeredBloomFilter.class)
          .question("how often was x seen, at most? one Bloom filter per addition")
          .codec(LayeredBloomFilter::encode, LayeredBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("layered", LayeredShape.class)
                          .meetsPartly(Need.COUNTS, "counts stop at 16")
                          .onlyFor(Need.COUNTS)
                          .forKeys(LayeredShape::forKeys)
                          .searchBudget()
                          .reads(shape -> 2 * shape.layers().get(0).hashesPerKey())
                          .works(shape -> 1.2 * shape.layers().get(0).hashesPerKey())
                          .absentByThree(
                              shape -> shape.layers().get(0).hashesPerKey(), shape -> 7.5)
                          .why(
                              "Counts up to 16 that are exact for nearly all keys, if one key in i"
                                  + " is added i times")
                          .oneWriter()
                          .orderMatters()
                          .storesDuplicates()
                          .creates(LayeredBloomFilter::create)));

  private final Probes[] hashesPerKey;
  private final Words[] words;

  private LayeredBloomFilter(LayeredShape shape, Hasher hasher, Words[] words) {
    super(shape, hasher);
    this.words = words;
    this.hashesPerKey = new Probes[words.length];
    for (int i = 0; i < words.length; i++) {
      BloomShape layer = shape.layers().get(i);
      hashesPerKey[i] = new Probes(layer.scheme(), layer.bits(), layer.hashesPerKey());
    }
  }

  /**
   * The smallest filter of 16 layers for keys whose counts follow Zipf's law.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more; every i-th of them i times
   * @param falsePositiveRate the highest acceptable rate of each layer then, above 0, below 1
   * @return an empty filter
   */
  public static LayeredBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(LayeredShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the layers
   * @return an empty filter
   */
  public static LayeredBloomFilter create(LayeredShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the layers
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static LayeredBloomFilter create(LayeredShape shape, Hasher hasher) {
    Objects.requireNonNull(shape, "shape");
    Words[] words = new Words[shape.layers().size()];
    for (int i = 0; i < words.length; i++) {
      words[i] = Words.forBits(shape.layers().get(i).bits(), true);
    }
    return new LayeredBloomFilter(shape, hasher, words);
  }

  /** Writes field by field, because the number of fields depends on the number of layers. */
  private Frame encode() {
    Frame frame = Frame.of(hasher()).put("layers", words.length);
    for (int i = 0; i < words.length; i++) {
      frame
          .put("bits " + (i + 1), hashesPerKey[i].bits())
          .put("probes " + (i + 1), hashesPerKey[i].count())
          .section(words[i]);
    }
    return frame;
  }

  private static LayeredBloomFilter decode(Frame frame) throws IOException {
    int count = (int) frame.number("layers", 1, LayeredShape.MAX_LAYERS);
    List<BloomShape> layers = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      long bits = frame.number("bits " + i, 2, LayeredShape.MAX_BITS);
      long hashesPerKey =
          frame.number("probes " + i, 1, Math.min(LayeredShape.MAX_HASHES_PER_KEY, bits));
      layers.add(new BloomShape(bits, (int) hashesPerKey, IndexScheme.INDEPENDENT));
    }
    Words[] words = new Words[count];
    for (int i = 0; i < count; i++) {
      words[i] = frame.bits(i, layers.get(i).bits());
    }
    return new LayeredBloomFilter(new LayeredShape(layers), frame.hasher(), words);
  }

  @Override
  public FilterKind<LayeredBloomFilter> kind() {
    return KIND;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return hashesPerKey[0].allSet(hash, words[0]);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return hashesPerKey[0].allSet(hashes, from, to, hits, words[0]);
  }

  /** The hash that a layer uses; the first uses the key's own. */
  private static long of(long hash, int layer) {
    return layer == 0 ? hash : Draws.family(hash, layer - 1);
  }

  /**
   * {@inheritDoc} Here: the number of consecutive layers, from the first, that hold the key; never
   * too low.
   */
  @Override
  public long countHash(long hash) {
    int layer = 0;
    while (layer < words.length && hashesPerKey[layer].allSet(of(hash, layer), words[layer])) {
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
      if (hashesPerKey[layer].setAll(of(hash, layer), words[layer])) {
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

  @Override
  public int hashBits() {
    return shape().hashBits();
  }

  @Override
  public int memoryAccesses() {
    return shape().memoryAccesses();
  }

  /**
   * The rate of one layer at its current fill. That of layer c + 1 is about the probability that a
   * key that was added c times is now counted too high.
   *
   * @param layer 1 … the number of layers
   * @return a probability
   */
  public double layerRate(int layer) {
    Arguments.inRange("layer", layer, 1, words.length);
    return Math.pow(fillOf(layer - 1), hashesPerKey[layer - 1].count());
  }

  private double fillOf(int layer) {
    return (double) words[layer].bitCount() / hashesPerKey[layer].bits();
  }

  /** {@inheritDoc} Here: of the first layer, which holds every key. */
  @Override
  public double fillRatio() {
    return fillOf(0);
  }

  /** {@inheritDoc} Here: by the first layer, −(m/k)·ln(1 − X/m). */
  @Override
  public double cardinality() {
    return Estimates.cardinality(
        hashesPerKey[0].bits(), hashesPerKey[0].count(), words[0].bitCount());
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
    return new LayeredBloomFilter(shape(), hasher(), copies);
  }
}
