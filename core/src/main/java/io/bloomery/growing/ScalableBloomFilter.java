package io.bloomery.growing;

import io.bloomery.AddableFilter;
import io.bloomery.CardinalityFilter;
import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.error.ImpossibleSizeException;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.WordAccess;
import io.bloomery.internal.layer.Layer;
import io.bloomery.internal.layer.Layers;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A Bloom filter for a set of unknown size: it opens a larger layer whenever the last one is full,
 * never reports an added key absent, and keeps its false-positive rate at or below the target for
 * any number of keys. The default filter of this package.
 *
 * <p>Growth costs memory and time. A filter of 1 % that started at 1,000 keys takes 17.3 to 36.7
 * bits per key from a million to a hundred million keys, the most just after a layer was opened
 * (1.38 million keys): 28.2 at three million, 20.8 and 8 blocked layers at ten million, where one
 * filter of the right size takes 10 and {@link ElasticFilter} 14.4 to 17.6. A query reads all
 * layers, the newest first, each in one cache line if blocked. A filter that outgrows an expected
 * number of keys below 65,536 immediately takes 130 KB. So start near the expected size, or use
 * {@link ElasticFilter} if only one thread writes at a time.
 *
 * <p>Threads: any number may add and query without a lock, and once {@code add} has returned, every
 * query that happens after it finds the key. Only opening a layer takes a lock: adds of new keys
 * wait for it (a few milliseconds for ten million keys), queries do not. Each adding thread may put
 * one key too many into a layer that others fill. {@link #copy} and saving hold every key added
 * before the call began; {@link #merge} may run concurrently with adds. With {@link Writers#ONE}
 * other threads may miss the keys that were added last.
 *
 * <p>Almeida, Baquero, Preguiça and Hutchison 2007, "Scalable Bloom Filters". Deviations: layers
 * are blocked filters by default; a layer is full when a number of keys has changed it instead of
 * when half of its bits are set, which is the same on average and does not read the bits; a key
 * that is reported present is not added again, so that repeated keys do not make the filter grow.
 */
public final class ScalableBloomFilter extends ShapedFilter<ScalableShape>
    implements AddableFilter, Mergeable<ScalableBloomFilter>, CardinalityFilter, QueryCost {

  public static final FilterKind<ScalableBloomFilter> KIND =
      Kind.of(24, "scalable", ScalableBloomFilter.class)
          .question("is x in the set? grows with it and keeps its rate")
          .codec(ScalableBloomFilter::encode, ScalableBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("scalable", ScalableShape.class)
                          .meets(Need.UNKNOWN_GROWTH)
                          .onlyFor(Need.UNKNOWN_GROWTH)
                          .forKeys(ScalableShape::forKeys)
                          .forBudget(ScalableShape::forBudget)
                          .reads(ScalableBloomFilter::cacheLines, ScalableBloomFilter::words)
                          .why(
                              "Keeps its rate however many keys are added, with one more layer per"
                                  + " query for each growth of their number by 1.4")
                          .orderMatters()
                          .createsFor(ScalableBloomFilter::create)));

  /*
   * Why the rate holds. A layer for c counted keys at rate f accepts keys until c of them have
   * changed it. A key that changes nothing is one that all layers together report present, either
   * seen before or a false positive; the latter are at most f of the keys that reach the layer, so
   * c counted keys are c / (1 - f) keys on average, and the layer is sized for these. Its rate is
   * then at most f, and 1 - ∏(1 - f_i) ≤ Σ f_i < rate.
   */

  private static final int CHUNK = 512;

  /** How much larger a layer may be than all before it: 16 times the keys, at a lower rate. */
  private static final double MOST_GROWTH = 128;

  /** A first step to 65,536 keys at the lowest rate. */
  private static final double LEAST_LAYER = 1 << 23;

  private final Layers layers;

  private ScalableBloomFilter(ScalableShape shape, Hasher hasher, Layers layers) {
    super(shape, hasher);
    this.layers = layers;
  }

  private static int cacheLines(ScalableShape shape) {
    return shape.layer(0) instanceof BloomShape bloom ? bloom.hashesPerKey() : 1;
  }

  private static int words(ScalableShape shape) {
    return shape.layer(0) instanceof BlockShape block ? block.wordsPerKey() : cacheLines(shape);
  }

  /**
   * A filter that grows as its keys need it.
   *
   * @param expectedKeys how many distinct keys the first layer holds, 0 or more
   * @param falsePositiveRate the highest acceptable rate at any number of keys, above 0, below 1
   * @return an empty filter
   */
  public static ScalableBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(ScalableShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the first layer and how it grows
   * @return an empty filter
   */
  public static ScalableBloomFilter create(ScalableShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the first layer and how it grows
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static ScalableBloomFilter create(ScalableShape shape, Hasher hasher) {
    return create(shape, hasher, Writers.MANY);
  }

  /**
   * A filter of a given shape and hasher, for one writer or many.
   *
   * @param shape the first layer and how it grows
   * @param hasher turns keys into hashes
   * @param writers how many threads may add at the same time
   * @return an empty filter
   */
  public static ScalableBloomFilter create(ScalableShape shape, Hasher hasher, Writers writers) {
    Layer first = open(shape, 0, writers == Writers.MANY);
    return new ScalableBloomFilter(shape, hasher, new Layers(first));
  }

  /**
   * A filter that begins with the keys of another one; keys that are added open further layers. By
   * {@link #append} it takes in filters of other sizes.
   *
   * @param filter one that {@link #canHold} accepts, which does not change
   * @param capacity how many keys it was made for, 1 … {@link Shape#MAX_KEYS}: with fewer, keys are
   *     added to its layer before another is opened. Of no effect for a filter that grows
   * @return a filter that finds what the other finds
   * @throws IncompatibleFiltersException unless {@link #canHold} accepts the filter
   */
  public static ScalableBloomFilter of(HashedFilter filter, long capacity) {
    return over(filter, capacity).copy();
  }

  /**
   * Whether the keys of a filter can be layers of one that grows: those of a {@link
   * BlockedBloomFilter} of any shape, or of a scalable filter of blocked layers.
   *
   * @param filter any filter
   * @return true if {@link #of} accepts it
   */
  public static boolean canHold(Filter filter) {
    return filter instanceof BlockedBloomFilter
        || (filter instanceof ScalableBloomFilter grown && grown.hasBlocks());
  }

  private boolean hasBlocks() {
    return shape().layerKind() == ScalableShape.LayerKind.BLOCKED;
  }

  /** The filter with the same words. */
  private static ScalableBloomFilter over(HashedFilter filter, long capacity) {
    Arguments.inRange("capacity", capacity, 1, Shape.MAX_KEYS);
    if (!canHold(filter)) {
      throw new IncompatibleFiltersException(filter + " has no blocks that could be a layer");
    }
    if (!(filter instanceof BlockedBloomFilter blocked)) {
      return (ScalableBloomFilter) filter;
    }
    long keys = (long) Math.min(Shape.MAX_KEYS, Math.ceil(blocked.cardinality()));
    Words words = WordAccess.of(blocked, BlockedBloomFilter.KIND);
    return new ScalableBloomFilter(
        ScalableShape.after(blocked.shape(), capacity),
        blocked.hasher(),
        new Layers(new Layer(blocked.shape(), words, 0, capacity, keys)));
  }

  private static Layer open(ScalableShape shape, int number, boolean shared) {
    return Layer.empty(shape.layer(number), number, shape.layerKeys(number), shared);
  }

  private Frame encode() {
    Layer[] list = layers.list().clone();
    int last = list.length - 1;
    if (!list[last].words().isReadOnly()) {
      // Write bits before the count: the file then never has more keys than its count.
      list[last] = list[last].copy();
    }
    Frame frame = Frame.of(hasher()).put(shape()).put("layers", list.length);
    LayerTable.write(list, frame);
    return frame;
  }

  private static ScalableBloomFilter decode(Frame frame) throws IOException {
    ScalableShape shape = frame.shape(ScalableShape.class);
    int count = (int) frame.number("layers", 1, LayerTable.MAX_LAYERS);
    Layer[] list = LayerTable.read(frame, count, shape.layerKind());
    requireModestGrowth(frame, shape, list);
    return new ScalableBloomFilter(shape, frame.hasher(), new Layers(list));
  }

  /** The next key may open a layer; a forged file must not make that layer unreasonably large. */
  private static void requireModestGrowth(Frame frame, ScalableShape shape, Layer[] list)
      throws IOException {
    double present = Arrays.stream(list).mapToDouble(layer -> layer.shape().sizeInBits()).sum();
    double most = MOST_GROWTH * present + LEAST_LAYER;
    double next;
    try {
      next = shape.layer(list[list.length - 1].number() + 1).sizeInBits();
    } catch (ImpossibleSizeException e) {
      next = 0; // It cannot grow; the next key that needs a layer will throw.
    }
    frame.require(
        next <= most,
        "the layers have %.0f bits, and the next would have %.0f".formatted(present, next));
    double first = shape.layer(0).sizeInBits(); // clear() opens it again
    frame.require(
        first <= most,
        "the layers have %.0f bits, and the first should have %.0f".formatted(present, first));
  }

  @Override
  public FilterKind<ScalableBloomFilter> kind() {
    return KIND;
  }

  /**
   * The most layers that a query reads.
   *
   * @return 1 or more
   */
  public int layerCount() {
    return layers.list().length;
  }

  /**
   * How many keys were certainly new when they were added. Lower than the number of distinct keys
   * by about the false-positive rate.
   *
   * @return the number of keys that changed the filter
   */
  public long keyCount() {
    long keys = 0;
    for (Layer layer : layers.list()) {
      keys += layer.keys();
    }
    return keys;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return layers.anySet(hash);
  }

  @Override
  public boolean mightContain(long key) {
    return mightContainHash(hash(key));
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return layers.anySet(hashes, from, to, hits);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if the filter cannot grow further, because the next layer would
   *     exceed {@link ScalableShape#MAX_BITS} or need a rate that 64-bit hashes cannot provide; the
   *     key is not added and nothing has changed
   */
  @Override
  public boolean addHash(long hash) {
    layers.newest().words().writable();
    return !layers.anySet(hash) && addNew(hash);
  }

  @Override
  public boolean add(long key) {
    return addHash(hash(key));
  }

  private boolean addNew(long hash) {
    Layer newest = layers.newest();
    while (newest.isFull()) {
      newest = layers.append(newest, this::next);
    }
    if (!newest.setAll(hash)) {
      return false;
    }
    newest.count(1);
    return true;
  }

  private Layer next(Layer full) {
    int number = full.number() + 1;
    if (number >= ScalableShape.MAX_LAYERS || layers.list().length >= LayerTable.MAX_LAYERS) {
      throw new FilterFullException("the filter has " + layers.list().length + " layers");
    }
    try {
      return open(shape(), number, full.words().isShared());
    } catch (ImpossibleSizeException e) {
      throw new FilterFullException("no layer can follow: " + e.getMessage());
    }
  }

  @Override
  public void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    long[] hits = new long[CHUNK / Long.SIZE];
    for (int start = from; start < to; start += CHUNK) {
      int end = Math.min(start + CHUNK, to);
      layers.newest().words().writable(); // or it throws
      Layer[] asked = layers.list();
      layers.anySet(hashes, start, end, hits);
      for (int i = start; i < end; i++) {
        if ((hits[(i - start) >>> 6] >>> (i - start) & 1) == 0) {
          // A layer that this chunk filled may hold the same key.
          if (layers.list() == asked && !asked[asked.length - 1].isFull()) {
            addNew(hashes[i]);
          } else {
            addHash(hashes[i]);
          }
        }
      }
    }
  }

  /** {@inheritDoc} Here: 1 - ∏(1 - rate) over all layers, each at its current fill. */
  @Override
  public double falsePositiveRate() {
    return layers.rate();
  }

  /** {@inheritDoc} Here: of all present layers together. */
  @Override
  public int hashBits() {
    return Layer.hashBits(layers.list());
  }

  /** {@inheritDoc} Here: of all present layers together. */
  @Override
  public int memoryAccesses() {
    return Layer.memoryAccesses(layers.list());
  }

  @Override
  public double fillRatio() {
    return layers.fill();
  }

  /** {@inheritDoc} Here: {@link #keyCount()}. */
  @Override
  public double cardinality() {
    return keyCount();
  }

  @Override
  public long sizeInBits() {
    return layers.sizeInBits();
  }

  @Override
  public boolean isCompatible(ScalableBloomFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Both must have the same shape; how far each has grown does not matter; {@link
   * #append} takes filters of other shapes.
   *
   * <p>A layer of the other filter is merged into a layer of this filter of equal capacity if both
   * fit together; otherwise this filter gets a copy of it, since merging two full layers would
   * multiply their rate by a hundred or more. So the rates of the two filters add up at most: a
   * filter merged from j filters has at most j times the target rate. A layer whose bits are all
   * set here already is skipped, so that merging is idempotent.
   *
   * @throws FilterFullException if there would be more than 1,024 layers; nothing changed
   */
  @Override
  public void merge(ScalableBloomFilter other) {
    requireFits(other);
    take(other);
  }

  /**
   * Adds every key of another filter of any size, by a copy of its layers. As in {@link #merge} a
   * layer joins one of equal shape where both fit together, and one whose bits are all set already
   * is skipped. So the rates of the two filters add up at most, and a query reads one more layer
   * for each filter that was appended. Of filters that share keys, {@link #falsePositiveRate} is
   * higher than the rate, and {@link #keyCount} counts such keys in each layer.
   *
   * @param other one that {@link #canHold} accepts, with the same hasher; it does not change
   * @param capacity how many keys it was made for, as in {@link #of}
   * @throws IncompatibleFiltersException if the hashers differ or {@link #canHold} refuses one of
   *     the filters; nothing changed
   * @throws FilterFullException if there would be more than 1,024 layers; nothing changed
   */
  public void append(HashedFilter other, long capacity) {
    ScalableBloomFilter more = over(other, capacity);
    if (!hasBlocks()) {
      throw new IncompatibleFiltersException(this + " has no blocked layers");
    }
    if (!hasher().equals(more.hasher())) {
      throw new IncompatibleFiltersException("hasher " + hasher() + " != " + more.hasher());
    }
    take(more);
  }

  private void take(ScalableBloomFilter other) {
    layers.newest().words().writable();
    if (other != this) {
      Layer[] theirs = other.layers.list();
      layers.change(ours -> merged(ours, theirs));
    }
  }

  private static Layer[] merged(Layer[] ours, Layer[] theirs) {
    List<Layer> all = new ArrayList<>(List.of(ours));
    List<Runnable> joins = new ArrayList<>();
    for (Layer their : theirs) {
      if (their.keys() > 0 && !place(their, ours, joins)) {
        all.add(index(their.number(), ours, all), their.copy());
      }
    }
    if (all.size() > LayerTable.MAX_LAYERS) {
      throw new FilterFullException("merging would make " + all.size() + " layers");
    }
    joins.forEach(Runnable::run);
    return all.toArray(Layer[]::new);
  }

  /**
   * Sorts layers by number, and before our newest layer unless the other filter has grown further.
   */
  private static int index(int number, Layer[] ours, List<Layer> all) {
    boolean further = number > ours[ours.length - 1].number();
    int at = 0;
    while (at < all.size() && all.get(at).number() < (further ? number + 1 : number)) {
      at++;
    }
    return at;
  }

  /** Whether a layer fits into one of ours. */
  private static boolean place(Layer their, Layer[] ours, List<Runnable> joins) {
    for (Layer our : ours) {
      if (our.number() == their.number() && our.shape().equals(their.shape())) {
        if (our.covers(their)) {
          return true;
        }
        if (our.keys() + their.keys() <= our.capacity()) {
          joins.add(() -> our.merge(their));
          return true;
        }
      }
    }
    return false;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public ScalableBloomFilter copy() {
    Layer[] list = layers.list().clone();
    for (int i = 0; i < list.length; i++) {
      list[i] = list[i].copy();
    }
    return new ScalableBloomFilter(shape(), hasher(), new Layers(list));
  }

  /** Removes every key and all layers but the first. Requires that no other thread adds. */
  public void clear() {
    layers.newest().words().writable();
    layers.change(list -> new Layer[] {open(shape(), 0, list[0].words().isShared())});
  }
}
