package io.bloomery.growing;

import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a scalable Bloom filter: how large its first layer is and how it grows. Layer i = 0,
 * 1, 2, … is one filter with a capacity that follows from the growth, at the rate {@code rate · (1
 * - tightening) · tightening^i}, so that the rates of all layers together never exceed {@code
 * rate}. The number of layers is part of a filter's state; its memory is that of the first layer
 * until it {@linkplain #grownTo grows}.
 *
 * <p>By default blocked layers grow in {@linkplain #STEPS steps}: after the first layer the next
 * larger of 65,536, 262,144 and 1,048,576 keys, then 1.4 times the previous layer. So there are few
 * layers below a million keys, and later ones waste little: ten million keys in a filter that
 * started at 1,000 take 8 layers and 20.8 bits per key at 1 %, where doubling takes 14 and 33
 * (decision 030).
 *
 * <p>Almeida, Baquero, Preguiça and Hutchison 2007, "Scalable Bloom Filters". Unbounded growth has
 * a price: layer 13 has less than 2 % of the rate and needs 5.8 · 1.44 bits per key more than a
 * filter of known size, at any rate (any filter of unknown size n needs about log log n more bits
 * per key: Pagh, Segev and Wieder 2013, "How to Approximate a Set without Knowing Its Size in
 * Advance").
 *
 * @param expectedKeys keys of layer 0, 1 … {@link Shape#MAX_KEYS}
 * @param rate the rate of all layers together, in (0, 1)
 * @param growth the capacity of each layer relative to the one before, 2 … 16, or {@link #STEPS}.
 *     More means fewer layers per query, and more memory that is not yet in use
 * @param tightening the share of the remaining rate that each layer leaves to the following ones,
 *     0.1 … 0.99. Near 1 the first layers are large, near 0 the last ones; 0.8 … 0.9 is best
 * @param layerKind the kind of each layer
 */
public record ScalableShape(
    @FieldName("expected keys") long expectedKeys,
    @FieldName("rate") double rate,
    @FieldName("growth") int growth,
    @FieldName("tightening") double tightening,
    @FieldName("layer kind") LayerKind layerKind)
    implements Shape {

  /** The growth of partitioned layers unless another is given, as in the paper. */
  public static final int GROWTH = 2;

  /** The growth of blocked layers unless another is given: large layers early, then small steps. */
  public static final int STEPS = 1;

  /** The share of the rate that a layer leaves to the next unless another is given. */
  public static final double TIGHTENING = 0.85;

  private static final double STEPS_TIGHTENING = 0.8;

  /** The share of the rate that a layer of the early capacities takes, relative to a later one. */
  private static final double EARLY_SHARE = 0.3;

  /** The lowest rate at which keys of blocked layers that grow in steps use two words. */
  private static final double TWO_WORDS_RATE = 0.005;

  /** Limits of the rate of a filter that begins with given blocks, so that it can grow. */
  private static final double LEAST_RATE_AFTER = 0x1p-24;

  private static final double LEAST_RATE_PER_KEY = 0x1p-48;
  private static final double MOST_RATE_AFTER = 0.5;

  /** The most layers that a filter opens. */
  public static final int MAX_LAYERS = 64;

  /** The capacities, in keys, of the early layers of a filter that grows in steps. */
  private static final long[] EARLY = {1 << 16, 1 << 18, 1 << 20};

  private static final double LN2 = Math.log(2);

  /** The kind of a layer. */
  public enum LayerKind {
    /** A blocked filter: one cache line per layer; the default for rates of 0.01 % and above. */
    BLOCKED(1),
    /**
     * A partitioned Bloom filter, as in the paper: {@code k = ⌈log2(1/rate)⌉} slices that are half
     * full when the layer is. Smaller than blocked layers, especially at low rates.
     */
    PARTITIONED(2);

    private final int wireId;

    LayerKind(int wireId) {
      this.wireId = wireId;
    }

    /**
     * The number in files.
     *
     * @return 1 or 2
     */
    public int wireId() {
      return wireId;
    }

    private static LayerKind forRate(double rate) {
      return rate >= 1e-4 ? BLOCKED : PARTITIONED;
    }
  }

  public ScalableShape {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.rate("rate", rate);
    Arguments.inRange("growth", growth, STEPS, 16);
    Arguments.inRange("tightening", tightening, 0.1, 0.99);
    Objects.requireNonNull(layerKind, "layerKind");
  }

  /**
   * The default filter for an estimated number of keys, which may turn out too low: its layers are
   * blocked from a rate of 0.01 % up, where blocks take little more memory, and grow in steps.
   *
   * @param expectedKeys keys of layer 0, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of all layers together, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the first layer is
   *     above {@link Shape#MAX_BITS}
   */
  public static ScalableShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, LayerKind.forRate(falsePositiveRate));
  }

  /**
   * A filter of given layers for an estimated number of keys, which may turn out too low. Blocked
   * layers grow in steps, partitioned ones double.
   *
   * @param expectedKeys keys of layer 0, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate of all layers together, in (0, 1)
   * @param layerKind the kind of each layer
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the first layer is
   *     above {@link Shape#MAX_BITS}
   */
  public static ScalableShape forKeys(
      long expectedKeys, double falsePositiveRate, LayerKind layerKind) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    ScalableShape shape =
        layerKind == LayerKind.BLOCKED
            ? new ScalableShape(expectedKeys, falsePositiveRate, STEPS, STEPS_TIGHTENING, layerKind)
            : new ScalableShape(expectedKeys, falsePositiveRate, GROWTH, TIGHTENING, layerKind);
    shape.layer(0);
    return shape;
  }

  /**
   * How a filter grows whose first layer is one of given blocks: in steps, at a rate of which that
   * layer, when it is full, takes the share of a first layer. Later layers are sized for no less
   * than hashes of 64 bits can tell apart.
   */
  static ScalableShape after(BlockShape first, long capacity) {
    double all = first.falsePositiveRate(capacity) / (1 - STEPS_TIGHTENING);
    double least = Math.max(LEAST_RATE_AFTER, capacity * LEAST_RATE_PER_KEY);
    double rate = Math.min(MOST_RATE_AFTER, Math.max(least, all));
    return new ScalableShape(capacity, rate, STEPS, STEPS_TIGHTENING, LayerKind.BLOCKED);
  }

  /**
   * The filter with the lowest rate whose first layer fits a memory budget; growth takes more.
   *
   * @param expectedKeys keys of layer 0, 1 … {@link Shape#MAX_KEYS}
   * @param bits memory of layer 0, 64 … {@link Shape#MAX_BITS}
   * @return the shape, not larger than {@code bits}
   * @throws IllegalArgumentException if an argument is outside its range, or no rate below 1 fits
   */
  public static ScalableShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 64);
    // In steps of 2^-1/8 of the rate, from the ideal filter's: 8 steps cost 1.44 bits per key.
    int hashesPerKey = BloomMath.optimalProbes(bits, expectedKeys);
    double low = BloomMath.classicRate(bits, expectedKeys, hashesPerKey);
    double least = Math.nextUp(Sizing.lowestRate(expectedKeys + 1));
    for (double rate = Math.max(low, least) / (1 - TIGHTENING);
        rate < 1;
        rate *= 1.0905077326652577) {
      ScalableShape shape = forKeys(expectedKeys, rate);
      if (shape.sizeInBits() <= bits) {
        return shape;
      }
    }
    throw Arguments.impossible(
        Arguments.named("bits", bits),
        " is too few for ",
        Arguments.named("expectedKeys", expectedKeys),
        " at any rate below 1");
  }

  /**
   * This shape with another growth.
   *
   * @param times the capacity of each layer relative to the one before, 2 … 16, or {@link #STEPS}
   * @return a changed copy
   */
  public ScalableShape withGrowth(int times) {
    return new ScalableShape(expectedKeys, rate, times, tightening, layerKind);
  }

  /**
   * This shape with another tightening.
   *
   * @param share the share of the remaining rate that each layer leaves to the following ones, 0.1
   *     … 0.99
   * @return a changed copy
   */
  public ScalableShape withTightening(double share) {
    return new ScalableShape(expectedKeys, rate, growth, share, layerKind);
  }

  /**
   * The number of layers needed for a number of keys.
   *
   * @param keys 1 … {@link Shape#MAX_KEYS}
   * @return 1 … {@link #MAX_LAYERS}
   */
  public int layersFor(long keys) {
    Arguments.inRange("keys", keys, 1, MAX_KEYS);
    int count = 1;
    for (long held = layerKeys(0); held < keys; count++) {
      held += layerKeys(count);
    }
    return count;
  }

  @Override
  public Shape grownTo(long keys) {
    int layers = layersFor(keys);
    return layers <= 1 ? this : new GrownShape(this, sizeInBits(layers));
  }

  /**
   * The capacity of a layer in keys.
   *
   * @param layer 0, 1, 2, …
   * @return {@code expectedKeys · growth^layer}, or in steps the smallest of 2^16, 2^18 and 2^20
   *     that is above the layer before, then 1.4 times that, rounded down; at most {@link
   *     Shape#MAX_KEYS}
   */
  public long layerKeys(int layer) {
    if (growth != STEPS) {
      return (long) Math.min(MAX_KEYS, expectedKeys * Math.pow(growth, layer));
    }
    long keys = expectedKeys;
    for (int i = 0; i < layer && keys < MAX_KEYS; i++) {
      keys = step(keys);
    }
    return Math.min(MAX_KEYS, keys);
  }

  private static long step(long keys) {
    for (long early : EARLY) {
      if (keys < early) {
        return early;
      }
    }
    return keys * 7 / 5;
  }

  /**
   * The rate of a layer that is full.
   *
   * @param layer 0, 1, 2, …
   * @return {@code rate · (1 - tightening) · tightening^layer}; by steps the layers of 2^16, 2^18
   *     and 2^20 keys, unless one is the first, take 0.3 of that and leave the rest
   */
  public double layerRate(int layer) {
    if (growth != STEPS) {
      return rate * (1 - tightening) * Math.pow(tightening, layer);
    }
    double left = rate;
    long keys = expectedKeys;
    for (int i = 0; i < layer; i++) {
      left *= 1 - share(keys, i);
      keys = Math.min(MAX_KEYS, step(keys));
    }
    return left * share(keys, layer);
  }

  /** The share of the remaining rate that a layer of a filter that grows in steps takes. */
  private double share(long keys, int layer) {
    boolean early = layer > 0 && Arrays.binarySearch(EARLY, keys) >= 0;
    return (1 - tightening) * (early ? EARLY_SHARE : 1);
  }

  /**
   * The shape of a layer. A layer counts the keys that change it; it is sized for these and for the
   * few that change nothing because they are false positives of this layer.
   *
   * @param layer 0, 1, 2, …
   * @return a {@link BlockShape} or a partitioned {@link BloomShape}
   * @throws IllegalArgumentException if the layer would be larger than {@link Shape#MAX_BITS} or
   *     its rate lower than a 64-bit hash allows
   */
  public Shape layer(int layer) {
    double target = layerRate(layer);
    long counted = layerKeys(layer);
    long keys = (long) Math.min(MAX_KEYS, Math.ceil(counted / (1 - target)));
    Sizing.requireTarget(keys, target);
    return layerKind == LayerKind.BLOCKED ? blocked(keys, target) : halfFull(counted, keys, target);
  }

  /**
   * One block layout for all layers, so that a query can use the same masks for all of them: the
   * layout that is best for a million keys at the rate of layer 10, or at high rates by steps the
   * best one of two words, which are faster. The smaller layers before it take slightly more memory
   * than necessary, later ones hardly more.
   */
  private BlockShape blocked(long keys, double target) {
    BlockShape kind =
        growth == STEPS && rate >= TWO_WORDS_RATE
            ? new BlockShape(1, 512, 2, pairedHashes(layerRate(6)))
            : BlockShape.forKeys(1_000_000, Math.max(layerRate(10), 1_000_000 * 0x1p-57));
    long blocks =
        SizeSearch.smallest(
            count -> ofKind(kind, count).falsePositiveRate(keys),
            target,
            (long) (keys * BloomMath.bitsPerKey(target) * 1.2 / kind.blockBits()) + 1,
            MAX_BITS / kind.blockBits());
    if (blocks < 0) {
      throw Sizing.tooLarge("a layer of a scalable filter", keys, target);
    }
    return ofKind(kind, blocks);
  }

  /** Fewer than log2(1/rate), because bits of a key that share a word leave less room: 8 at 1 %. */
  private static int pairedHashes(double target) {
    return 2 * (int) Math.max(1, Math.round(-0.4 * Math.log(target) / LN2));
  }

  private static BlockShape ofKind(BlockShape kind, long blocks) {
    return new BlockShape(blocks, kind.blockBits(), kind.wordsPerKey(), kind.hashesPerKey());
  }

  /** The paper's slices for the keys of the layer, or a little more where k has no slack. */
  private static BloomShape halfFull(long counted, long keys, double target) {
    int hashesPerKey = (int) Math.max(1, Math.ceil(-Math.log(target) / LN2));
    long slice = Math.max(2, (long) Math.ceil(counted / LN2));
    long max = MAX_BITS / hashesPerKey;
    if (BloomMath.partitionedRate(Math.min(slice, max) * hashesPerKey, keys, hashesPerKey)
        > target) {
      slice =
          SizeSearch.smallest(
              s -> BloomMath.partitionedRate(s * hashesPerKey, keys, hashesPerKey),
              target,
              slice,
              max);
    }
    if (slice < 0 || slice > max) {
      throw Sizing.tooLarge("a layer of a scalable filter", keys, target);
    }
    return new BloomShape(slice * hashesPerKey, hashesPerKey, IndexScheme.PARTITIONED);
  }

  /**
   * The number of keys that a number of layers hold.
   *
   * @param layers 1 … {@link #MAX_LAYERS}
   * @return the keys after which another layer is opened
   */
  public long capacity(int layers) {
    Arguments.inRange("layers", layers, 1, MAX_LAYERS);
    long keys = 0;
    for (int i = 0; i < layers; i++) {
      keys += layerKeys(i);
    }
    return keys;
  }

  /**
   * The size of a filter that has grown.
   *
   * @param layers 1 … {@link #MAX_LAYERS}
   * @return all bits
   * @throws IllegalArgumentException if it cannot have that many layers
   */
  public long sizeInBits(int layers) {
    Arguments.inRange("layers", layers, 1, MAX_LAYERS);
    long bits = 0;
    for (int i = 0; i < layers; i++) {
      bits += layer(i).sizeInBits();
    }
    return bits;
  }

  /** {@inheritDoc} Here: of the first layer. */
  @Override
  public long sizeInBits() {
    return layer(0).sizeInBits();
  }

  /**
   * {@inheritDoc} Layers are opened for keys beyond the capacity of the current ones; keys beyond
   * the last possible layer are counted in that layer.
   */
  @Override
  public double falsePositiveRate(long keys) {
    long left = Sizing.requireLoad(keys);
    double logOfNone = 0;
    Shape shape = layer(0);
    for (int i = 0; shape != null && left > 0; i++) {
      Shape next = left > layerKeys(i) && i + 1 < MAX_LAYERS ? layerOrNull(i + 1) : null;
      long here = next == null ? left : layerKeys(i);
      logOfNone += Math.log1p(-shape.falsePositiveRate(here));
      left -= here;
      shape = next;
    }
    return 0 - Math.expm1(logOfNone); // never -0
  }

  private @Nullable Shape layerOrNull(int layer) {
    try {
      return layer(layer);
    } catch (ImpossibleSizeException tooLarge) {
      return null;
    }
  }
}
