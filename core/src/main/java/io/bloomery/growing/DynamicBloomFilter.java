package io.bloomery.growing;

import io.bloomery.CardinalityFilter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.QueryCost;
import io.bloomery.RemovableFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.layer.Layer;
import io.bloomery.internal.layer.Layers;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import io.bloomery.theory.Estimates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A counting Bloom filter with deletes that opens another layer of the same size whenever its
 * layers are full. It never reports a stored key absent, as long as only stored keys are removed.
 * Its false-positive rate rises with every layer.
 *
 * <p>Removing. A key is removed if exactly one layer claims it. If several do, the filter cannot
 * tell which one holds it: {@code remove} returns false, the key stays, and {@link
 * #blockedRemovals} counts it; such keys raise the false-positive rate until the filter is rebuilt.
 * Removing a key that was never added but that one layer claims decrements counters of other keys
 * and may cause false negatives, but only for keys that share a counter with it. A counter that has
 * reached its highest value stays there, so that none of its keys is lost. A key that was added
 * twice must be removed twice.
 *
 * <p>With one bit per cell it takes a quarter of the memory and has no deletes: {@code remove} then
 * returns false and counts every claimed key as blocked. For growth without deletes use {@link
 * ScalableBloomFilter}, which keeps its rate and reads fewer layers.
 *
 * <p>Threads: no thread may add, remove, merge or compact while another uses the filter; queries
 * may run concurrently. {@code Filters.locked} returns a view that threads can share.
 *
 * <p>Guo, Wu, Chen, Yuan and Luo 2010, "The Dynamic Bloom Filters". Deviations: a layer is full
 * when as many of its cells are in use as {@code layerKeys} keys use on average, instead of when
 * that many keys were added to it, so that repeated keys do not fill it and removals free space;
 * and a key that a layer already claims is counted in that layer, so that only one layer claims it
 * later.
 */
public final class DynamicBloomFilter extends ShapedFilter<DynamicShape>
    implements RemovableFilter, Mergeable<DynamicBloomFilter>, CardinalityFilter, QueryCost {

  public static final FilterKind<DynamicBloomFilter> KIND =
      Kind.of(25, "dynamic", DynamicBloomFilter.class)
          .question("is x in the set? one more layer of counters when full, with deletes")
          .codec(DynamicBloomFilter::encode, DynamicBloomFilter::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("dynamic", DynamicShape.class)
                          .meets(Need.UNKNOWN_GROWTH, Need.DELETES)
                          .onlyFor(Need.UNKNOWN_GROWTH)
                          .forKeys(DynamicShape::forKeys)
                          .forBudget(DynamicShape::forBudget)
                          .reads(DynamicShape::hashesPerKey)
                          .works(shape -> 4 * shape.hashesPerKey())
                          .absentByThree(shape -> shape.hashesPerKey(), shape -> 17)
                          .falseDeletion("loses at most k other keys")
                          .why(
                              "Deletes, and growth without a bound: one more layer of counters, and"
                                  + " once more the rate, each time as many keys as planned are"
                                  + " added")
                          .oneWriter()
                          .orderMatters()
                          .storesDuplicates()
                          .creates(DynamicBloomFilter::create)));

  private final Layers layers;
  private long keys;
  private long blockedRemovals;

  private DynamicBloomFilter(
      DynamicShape shape, Hasher hasher, Layers layers, long keys, long blockedRemovals) {
    super(shape, hasher);
    this.layers = layers;
    this.keys = keys;
    this.blockedRemovals = blockedRemovals;
  }

  /**
   * A filter of 4-bit counters with the smallest layers for a number of keys and a rate.
   *
   * @param expectedKeys how many distinct keys the first layer holds, 0 or more
   * @param falsePositiveRate the rate of a full layer; about j times that with j layers
   * @return an empty filter of one layer
   */
  public static DynamicBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return create(DynamicShape.forKeys(Sizing.orOne(expectedKeys), falsePositiveRate));
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the size of a layer and how many keys it holds
   * @return an empty filter of one layer
   */
  public static DynamicBloomFilter create(DynamicShape shape) {
    return create(shape, Hasher.xxh3());
  }

  /**
   * A filter of a given shape and hasher.
   *
   * @param shape the size of a layer and how many keys it holds
   * @param hasher turns keys into hashes
   * @return an empty filter of one layer
   */
  public static DynamicBloomFilter create(DynamicShape shape, Hasher hasher) {
    return new DynamicBloomFilter(shape, hasher, new Layers(empty(shape, 0)), 0, 0);
  }

  private static Layer empty(DynamicShape shape, int number) {
    Counters cells = Counters.allocate(shape.layerCells(), shape.counterBits(), true, false);
    return layer(shape, cells, number, 0);
  }

  private static Layer layer(DynamicShape shape, Counters cells, int number, long used) {
    BloomShape each =
        BloomShape.of(shape.layerCells(), shape.hashesPerKey(), IndexScheme.INDEPENDENT);
    return new Layer(each, cells, number, shape.fullCells(), used);
  }

  private Frame encode() {
    Layer[] list = layers.list();
    Frame frame =
        Frame.of(hasher())
            .put(shape())
            .put("rows", list.length)
            .put("keys", Math.min(keys, Shape.MAX_LOAD))
            .put("blocked removals", blockedRemovals);
    for (Layer each : list) {
      frame.section(each.words());
    }
    return frame;
  }

  private static DynamicBloomFilter decode(Frame frame) throws IOException {
    DynamicShape shape = frame.shape(DynamicShape.class);
    int count = (int) frame.number("rows", 1, DynamicShape.MAX_LAYERS);
    long keys = frame.number("keys", 0, Shape.MAX_LOAD);
    long blocked = frame.number("blocked removals", 0, Long.MAX_VALUE);
    Layer[] list = new Layer[count];
    for (int i = 0; i < count; i++) {
      Counters counters = frame.counters(i, shape.layerCells(), shape.counterBits(), true);
      // No key can be added to a mapped layer, so its cells need not be counted.
      long used = counters.words().isReadOnly() ? 0 : counters.nonZero();
      list[i] = layer(shape, counters, i, used);
    }
    return new DynamicBloomFilter(shape, frame.hasher(), new Layers(list), keys, blocked);
  }

  @Override
  public FilterKind<DynamicBloomFilter> kind() {
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
   * The number of keys added minus those removed; a key that was added twice counts twice where it
   * can be removed twice. With one bit per cell: how many were certainly new.
   *
   * @return the number of keys
   */
  public long keyCount() {
    return keys;
  }

  /**
   * How many removals were refused because several layers claimed the key, or because a cell has
   * one bit.
   *
   * @return the number of refusals
   */
  public long blockedRemovals() {
    return blockedRemovals;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return layers.anySet(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return layers.anySet(hashes, from, to, hits);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if the key needs a layer beyond the 4,096th; nothing changed
   */
  @Override
  public boolean addHash(long hash) {
    layers.newest().words().writable();
    Layer claiming = null;
    Layer open = null;
    for (Layer each : layers.list()) {
      if (each.allSet(hash)) {
        claiming = each;
        break;
      }
      open = open == null && !each.isFull() ? each : open;
    }
    if (claiming == null) {
      Layer target = open != null ? open : layers.append(layers.newest(), this::next);
      target.count(target.fill(hash));
      keys++;
      return true;
    }
    if (isCounting()) {
      claiming.fill(hash);
      keys++;
    }
    return false;
  }

  private Layer next(Layer newest) {
    if (layerCount() == DynamicShape.MAX_LAYERS) {
      throw new FilterFullException(
          "the filter has "
              + DynamicShape.MAX_LAYERS
              + " layers; compact it or build a larger one");
    }
    return empty(shape(), newest.number() + 1);
  }

  private boolean isCounting() {
    return shape().counterBits() > 1;
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code true}: one layer claimed the key and its counters there were decremented; {@code
   *     false}: nothing was removed, because the key is certainly absent, or because several layers
   *     claim it or cells have one bit, which {@link #blockedRemovals} counts
   */
  @Override
  public boolean removeHash(long hash) {
    layers.newest().words().writable();
    Layer claiming = null;
    boolean ambiguous = !isCounting();
    for (Layer each : layers.list()) {
      if (each.allSet(hash)) {
        ambiguous |= claiming != null;
        claiming = each;
      }
    }
    if (claiming == null) {
      return false;
    }
    if (ambiguous) {
      blockedRemovals += blockedRemovals == Long.MAX_VALUE ? 0 : 1;
      return false;
    }
    claiming.count(-claiming.drain(hash));
    keys = Math.max(0, keys - 1);
    return true;
  }

  /**
   * Merges layers that together fit into one, and drops empty ones. The rate falls, since a query
   * reads fewer layers.
   *
   * @return the number of layers saved
   */
  public int compact() {
    layers.newest().words().writable();
    int before = layerCount();
    layers.change(
        list -> {
          List<Layer> kept = new ArrayList<>();
          for (Layer each : list) {
            if (each.keys() > 0 && !joined(each, kept)) {
              kept.add(each);
            }
          }
          return kept.isEmpty() ? new Layer[] {empty(shape(), 0)} : kept.toArray(Layer[]::new);
        });
    return before - layerCount();
  }

  /**
   * Merges a layer into the first one of the list that has room for it; returns false if none has.
   */
  private static boolean joined(Layer other, List<Layer> list) {
    for (Layer each : list) {
      if (each.usedWith(other) <= each.capacity()) {
        each.merge(other);
        return true;
      }
    }
    return false;
  }

  /** {@inheritDoc} Here: 1 - ∏(1 - rate) over all layers, each at its current fill. */
  @Override
  public double falsePositiveRate() {
    return layers.rate();
  }

  /** {@inheritDoc} Here: k·log2 m of one layer; all have the same positions. */
  @Override
  public int hashBits() {
    return layers.newest().hashBits();
  }

  /** {@inheritDoc} Here: k for each present layer. */
  @Override
  public int memoryAccesses() {
    return Layer.memoryAccesses(layers.list());
  }

  @Override
  public double fillRatio() {
    return layers.fill();
  }

  /**
   * {@inheritDoc} Here: the sum over all layers. Keys that were false positives when they were
   * added use no cells and are not counted.
   */
  @Override
  public double cardinality() {
    double sum = 0;
    for (Layer each : layers.list()) {
      sum += Estimates.cardinality(shape().layerCells(), shape().hashesPerKey(), each.used());
    }
    return sum;
  }

  @Override
  public long sizeInBits() {
    return layerCount() * shape().sizeInBits();
  }

  @Override
  public boolean isCompatible(DynamicBloomFilter other) {
    return fits(other);
  }

  /**
   * {@inheritDoc} Each layer of the other is added, counter by counter, to a layer of this filter
   * that has room for both, or becomes a layer of its own. A key in both filters may then be in two
   * layers, which blocks its removal. The numbers of layers need not be equal.
   *
   * @throws FilterFullException if there would be more than 4,096 layers; nothing changed
   */
  @Override
  public void merge(DynamicBloomFilter other) {
    requireFits(other);
    layers.newest().words().writable();
    if (other == this) {
      return;
    }
    if (layerCount() + other.layerCount() > DynamicShape.MAX_LAYERS) {
      throw new FilterFullException(
          "merging could make " + (layerCount() + other.layerCount()) + " layers");
    }
    layers.change(
        list -> {
          List<Layer> all = new ArrayList<>(List.of(list));
          for (Layer their : other.layers.list()) {
            Layer copy = their.copy();
            if (copy.keys() > 0 && !joined(copy, all)) {
              all.add(copy);
            }
          }
          return all.toArray(Layer[]::new);
        });
    keys += other.keys;
    long blocked = blockedRemovals + other.blockedRemovals;
    blockedRemovals = blocked < 0 ? Long.MAX_VALUE : blocked;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public DynamicBloomFilter copy() {
    Layer[] list = layers.list().clone();
    for (int i = 0; i < list.length; i++) {
      list[i] = list[i].copy();
    }
    return new DynamicBloomFilter(shape(), hasher(), new Layers(list), keys, blockedRemovals);
  }
}
