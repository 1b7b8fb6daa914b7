package io.bloomery.growing;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.FilterKind;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.layer.Layer;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.Mix;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of several layers, in which the hash assigns each key to one layer; it detects
 * when it is too full and can then be rebuilt from the keys. It never reports an added key absent.
 *
 * <p>Adding more keys than it was sized for loses no key, but the rate rises above the {@linkplain
 * SplitShape#bound bound}, and {@link #isOverfull} says so. Then either {@link #rebuild} it with
 * the hashes of all keys, which only the caller has, or register a source of them once with {@link
 * #rebuildFrom}, and the filter rebuilds itself. It cannot be enlarged without the keys; {@link
 * ScalableBloomFilter} grows without them.
 *
 * <p>Threads: any number may add and query without a lock, as long as no rebuild runs; {@link
 * #copy} and saving hold every key added before the call began. With {@link #rebuildFrom} one
 * thread adds at a time, because an add may rebuild. Queries may always run.
 *
 * <p>Tarkoma, Rothenberg and Lagerspetz 2012, sec. III-P, after Xiao, Dai and Li 2004, "Split Bloom
 * Filter". The survey does not say how a key gets its layer (its "row"): here the hash decides, by
 * an output of its mixing stream that no position uses. A query then reads one layer.
 */
public final class SplitBloomFilter extends ShapedFilter<SplitShape>
    implements AddableFilter, Mergeable<SplitBloomFilter>, CardinalityFilter, QueryCost {

  public static final FilterKind<SplitBloomFilter> KIND =
      Kind.of(26, "split", SplitBloomFilter.class)
          .question("is x in the set? fixed layers, rebuilt from the keys when too full")
          .codec(SplitBloomFilter::encode, SplitBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("split", SplitShape.class)
                          .meetsPartly(
                              Need.UNKNOWN_GROWTH, "it grows only where all keys are at hand again")
                          .onlyFor(Need.UNKNOWN_GROWTH)
                          .forKeys(SplitShape::forKeys)
                          .forBudget(SplitShape::forBudget)
                          .reads(SplitShape::hashesPerKey)
                          .why(
                              "As small as a standard Bloom filter, but rebuilt from the keys when"
                                  + " more are added than planned")
                          .needsMore("needs its keys again to grow, which a file does not hold")
                          .orderMatters()
                          .creates(SplitBloomFilter::create)));

  /**
   * The fill is checked after every bits / this number of new keys: about 1 % of the keys at a rate
   * of 1 %.
   */
  private static final int BITS_PER_LOOK = 1000;

  /** The output of a hash's mixing stream that chooses its layer. */
  private static final int LAYER_OUTPUT = -1;

  private final AtomicLong keys;
  private volatile Matrix matrix;
  private @Nullable Supplier<LongStream> source;
  private long newKeys;

  /** The layers, replaced by the next rebuild. */
  private static final class Matrix {

    private final SplitShape shape;
    private final Layer[] layers;

    Matrix(SplitShape shape, Layer[] layers) {
      this.shape = shape;
      this.layers = layers;
    }

    static Matrix empty(SplitShape shape) {
      Layer[] layers = new Layer[shape.layers()];
      for (int i = 0; i < layers.length; i++) {
        layers[i] = layer(shape, i, Words.forBits(shape.layerBits(), true));
      }
      return new Matrix(shape, layers);
    }

    static Layer layer(SplitShape shape, int number, Words words) {
      return new Layer(
          BloomShape.of(shape.layerBits(), shape.hashesPerKey(), IndexScheme.INDEPENDENT),
          words,
          number,
          Shape.MAX_LOAD,
          0);
    }

    Layer layer(long hash) {
      return layers[(int) Mix.reduce(Mix.stream(hash, LAYER_OUTPUT), layers.length)];
    }

    double rate() {
      double sum = 0;
      for (Layer layer : layers) {
        sum += layer.rate();
      }
      return sum / layers.length;
    }

    Matrix copy() {
      Layer[] copies = new Layer[layers.length];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = layers[i].copy();
      }
      return new Matrix(shape, copies);
    }
  }

  private SplitBloomFilter(Hasher hasher, Matrix matrix, long keys) {
    super(matrix.shape, hasher);
    this.matrix = matrix;
    this.keys = new AtomicLong(keys);
  }

  /**
   * The smallest filter of eight layers for a number of keys and a rate, which is also its bound.
   *
   * @param expectedKeys how many distinct keys will be added, 0 or more
   * @param falsePositiveRate the rate at that number of keys, above which it should be rebuilt
   * @return an empty filter
   */
  public static SplitBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(SplitShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape layers, their size, hashes per key and bound
   * @return an empty filter
   */
  public static SplitBloomFilter create(SplitShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape layers, their size, hashes per key and bound
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static SplitBloomFilter create(SplitShape shape, Hasher hasher) {
    return new SplitBloomFilter(hasher, Matrix.empty(shape), 0);
  }

  private Frame encode() {
    Matrix now = matrix;
    Frame frame =
        Frame.of(hasher()).put(now.shape).put("keys", Math.min(keys.get(), Shape.MAX_LOAD));
    for (Layer layer : now.layers) {
      frame.section(layer.words());
    }
    return frame;
  }

  private static SplitBloomFilter decode(Frame frame) throws IOException {
    SplitShape shape = frame.shape(SplitShape.class);
    long keys = frame.number("keys", 0, Shape.MAX_LOAD);
    Layer[] layers = new Layer[shape.layers()];
    for (int i = 0; i < layers.length; i++) {
      layers[i] = Matrix.layer(shape, i, frame.bits(i, shape.layerBits()));
    }
    return new SplitBloomFilter(frame.hasher(), new Matrix(shape, layers), keys);
  }

  @Override
  public FilterKind<SplitBloomFilter> kind() {
    return KIND;
  }

  /** {@inheritDoc} A rebuild changes the size of the layers. */
  @Override
  public SplitShape shape() {
    return matrix.shape;
  }

  /**
   * How many keys were certainly new when they were added. Lower than the number of distinct keys
   * by about the false-positive rate; after a merge it is at least that of the filter that had
   * more.
   *
   * @return the minimum number of keys that a rebuild must supply
   */
  public long keyCount() {
    return keys.get();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return matrix.layer(hash).allSet(hash);
  }

  /**
   * {@inheritDoc} With {@link #rebuildFrom} it may rebuild the filter; the key is in it even if the
   * source does not supply it yet.
   *
   * @throws IllegalStateException if the filter is a read-only view of a mapped file, or if the
   *     source of a rebuild supplies fewer keys than were added; the key is then in the filter
   */
  @Override
  public boolean addHash(long hash) {
    Layer layer = matrix.layer(hash);
    layer.words().writable();
    if (!layer.setAll(hash)) {
      return false;
    }
    keys.getAndIncrement();
    if (source != null && ++newKeys * BITS_PER_LOOK >= sizeInBits()) {
      newKeys = 0;
      if (isOverfull()) {
        rebuild(2 * keyCount(), LongStream.concat(source.get(), LongStream.of(hash)));
      }
    }
    return true;
  }

  /**
   * Whether the rate is above the bound. Reads the whole filter.
   *
   * @return true if the filter should be rebuilt
   */
  public boolean isOverfull() {
    return falsePositiveRate() > shape().bound();
  }

  /**
   * Rebuilds the filter with as many layers of another size, so that its rate is within the bound
   * again. No other thread may add at the same time.
   *
   * @param expectedKeys how many distinct keys it will hold, 1 or more
   * @param hashes the hashes of all keys so far by {@link #hasher}, in any order, repeated or not
   * @throws IllegalStateException if there are fewer than {@link #keyCount}; nothing changed
   */
  public void rebuild(long expectedKeys, LongStream hashes) {
    Objects.requireNonNull(hashes, "hashes");
    Matrix old = matrix;
    old.layers[0].words().writable();
    Matrix fresh =
        Matrix.empty(SplitShape.forKeys(expectedKeys, old.shape.bound(), old.shape.layers()));
    long[] counts = new long[2];
    hashes
        .sequential()
        .forEach(
            hash -> {
              counts[0]++;
              counts[1] += fresh.layer(hash).setAll(hash) ? 1 : 0;
            });
    if (counts[0] < keys.get()) {
      throw new IllegalStateException(
          "a rebuild needs the hashes of all keys: at least "
              + keys.get()
              + " were added, "
              + counts[0]
              + " are given");
    }
    matrix = fresh;
    keys.set(counts[1]);
  }

  /**
   * Registers a source of hashes, from which the filter is rebuilt for twice its keys whenever an
   * add finds its rate above the bound. The rate is checked about every 1 % of new keys, which
   * keeps adds O(1) on average. The source is not saved with the filter.
   *
   * @param hashes supplies the hashes of all keys so far by {@link #hasher}; the key that is being
   *     added may be missing
   */
  public void rebuildFrom(Supplier<LongStream> hashes) {
    source = Objects.requireNonNull(hashes, "hashes");
  }

  /** {@inheritDoc} Here: the mean over the layers of the k-th power of their fill. */
  @Override
  public double falsePositiveRate() {
    return matrix.rate();
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
   * The share of bits that are set in a layer.
   *
   * @param layer 0 … layers - 1
   * @return 0…1
   */
  public double layerFill(int layer) {
    Matrix now = matrix;
    Objects.checkIndex(layer, now.layers.length);
    return (double) now.layers[layer].used() / now.shape.layerBits();
  }

  @Override
  public double fillRatio() {
    double sum = 0;
    Matrix now = matrix;
    for (Layer layer : now.layers) {
      sum += layer.used();
    }
    return sum / now.shape.sizeInBits();
  }

  /** {@inheritDoc} Here: the sum over the layers. */
  @Override
  public double cardinality() {
    double sum = 0;
    Matrix now = matrix;
    for (Layer layer : now.layers) {
      sum += Estimates.cardinality(now.shape.layerBits(), now.shape.hashesPerKey(), layer.used());
    }
    return sum;
  }

  @Override
  public boolean isCompatible(SplitBloomFilter other) {
    return fits(other);
  }

  /** {@inheritDoc} The result is bit for bit the filter of the union of both key sets. */
  @Override
  public void merge(SplitBloomFilter other) {
    requireFits(other);
    Matrix ours = matrix;
    Matrix theirs = other.matrix;
    for (int i = 0; i < ours.layers.length; i++) {
      ours.layers[i].words().orAll(theirs.layers[i].words());
    }
    keys.accumulateAndGet(other.keys.get(), Math::max);
  }

  /**
   * A copy in heap memory that shares nothing with this filter and has no source of keys.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public SplitBloomFilter copy() {
    long count = keys.get();
    return new SplitBloomFilter(hasher(), matrix.copy(), count);
  }
}
