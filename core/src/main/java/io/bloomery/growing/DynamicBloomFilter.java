package io.bloomery.growing;

import io.bloomery.FilterFullException;
import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.HashedFilter;
import io.bloomery.Mergeable;
import io.bloomery.RemovableFilter;
import io.bloomery.SizedBuilder;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Compatibility;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.layer.Layer;
import io.bloomery.internal.layer.Layers;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A counting Bloom filter that gets one more row of the same size whenever its rows are full; keys
 * may leave again. It never reports a key absent that was added and not removed, as long as only
 * keys are removed that were added. Its false-positive rate rises with every row.
 *
 * <p>Removing. A key leaves if exactly one row claims it. If several do, nobody knows which one has
 * it: {@code remove} returns false, the key stays, and {@link #blockedRemovals} counts it; such
 * keys raise the rate until the filter is built anew. Removing a key that was never added but that
 * one row claims takes away counters of other keys and may make them absent: at most those that
 * share a counter with it. A counter that has reached its highest value stays there, so that the
 * keys on it stay too. A key that was added twice leaves when it is removed twice.
 *
 * <p>With one bit a cell it takes a quarter of the memory, and nothing can be removed: {@code
 * remove} then returns false and counts every key that is claimed as blocked. For growth without
 * removals {@link ScalableBloomFilter} keeps its rate and asks fewer rows.
 *
 * <p>Threads: none may add, remove, merge or compact while another uses the filter; queries alone
 * may run together. {@code Filters.locked} gives a filter that threads can share.
 *
 * <p>Guo, Wu, Chen, Yuan and Luo 2010, "The Dynamic Bloom Filters". Deviations: a row is full when
 * as many of its cells are in use as {@code rowKeys} keys use on average, instead of when it has
 * taken so many keys, so that repeated keys do not fill it and removals free it; and a key that a
 * row claims already is counted in that row, so that later only one row claims it.
 */
public final class DynamicBloomFilter
    implements RemovableFilter, Mergeable<DynamicBloomFilter>, Storable {

  /** How files name this kind. */
  public static final FilterKind<DynamicBloomFilter> KIND =
      new FilterKind<>(
          25,
          "dynamic",
          "is x in the set? one more row of counters when full, keys may leave",
          DynamicBloomFilter.class,
          DynamicBloomFilter::encode,
          DynamicBloomFilter::decode,
          () ->
              FilterRecipe.locked(
                  DynamicShape.class,
                  (keys, rate) -> DynamicShape.forKeys(keys, rate, DynamicShape.COUNTER_BITS),
                  (keys, bits) -> DynamicShape.forBudget(keys, bits, DynamicShape.COUNTER_BITS),
                  order -> of(order.shape(), order.hasher())));

  private final Hasher hasher;
  private final DynamicShape row;
  private final Layers rows;
  private long keys;
  private long blockedRemovals;

  private DynamicBloomFilter(
      Hasher hasher, DynamicShape row, Layers rows, long keys, long blockedRemovals) {
    this.hasher = hasher;
    this.row = row;
    this.rows = rows;
    this.keys = keys;
    this.blockedRemovals = blockedRemovals;
  }

  /**
   * A filter whose rows have the smallest size for a number of keys and a rate, of 4-bit counters.
   *
   * @param expectedKeys how many different keys a row is for, 1 or more
   * @param falsePositiveRate the rate of a full row; about j times that with j rows
   * @return an empty filter of one row
   */
  public static DynamicBloomFilter create(long expectedKeys, double falsePositiveRate) {
    return builder().expectedKeys(expectedKeys).falsePositiveRate(falsePositiveRate).build();
  }

  /**
   * A filter of a given shape.
   *
   * @param shape the rows and how many there are to begin with
   * @param hasher turns keys into hashes
   * @return an empty filter
   */
  public static DynamicBloomFilter of(DynamicShape shape, Hasher hasher) {
    Objects.requireNonNull(hasher, "hasher");
    DynamicShape row = shape.withRows(1);
    Layer[] list = new Layer[shape.rows()];
    for (int i = 0; i < list.length; i++) {
      list[i] = empty(row, i);
    }
    return new DynamicBloomFilter(hasher, row, new Layers(list), 0, 0);
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private static Layer empty(DynamicShape row, int number) {
    return layer(row, Counters.allocate(row.rowBits(), row.counterBits(), true, false), number, 0);
  }

  private static Layer layer(DynamicShape row, Counters cells, int number, long used) {
    BloomShape shape = BloomShape.of(row.rowBits(), row.probes());
    return new Layer(shape, cells, number, row.fullCells(), used);
  }

  private Frame encode() {
    Layer[] list = rows.list();
    Frame frame =
        Frame.of(hasher)
            .put("row cells", row.rowBits())
            .put("probes", row.probes())
            .put("row keys", row.rowKeys())
            .put("counter bits", row.counterBits())
            .put("rows", list.length)
            .put("keys", keys)
            .put("blocked removals", blockedRemovals);
    for (Layer each : list) {
      frame.section(each.words());
    }
    return frame;
  }

  private static DynamicBloomFilter decode(Frame frame) throws IOException {
    long cells = frame.number("row cells", 2, Shape.MAX_BITS);
    long probes = frame.number("probes", 1, Math.min(Shape.MAX_PROBES, cells));
    long rowKeys = frame.number("row keys", 1, Shape.MAX_KEYS);
    int width = (int) frame.number("counter bits", 1, 16);
    int count = (int) frame.number("rows", 1, DynamicShape.MAX_ROWS);
    long keys = frame.number("keys", 0, Shape.MAX_LOAD);
    long blocked = frame.number("blocked removals", 0, Long.MAX_VALUE);
    DynamicShape row;
    try {
      row = new DynamicShape(cells, (int) probes, rowKeys, width, 1);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    Layer[] list = new Layer[count];
    for (int i = 0; i < count; i++) {
      Counters counters = frame.counters(i, cells, width, true);
      // A mapped row takes no keys, so that its cells need not be counted.
      long used = counters.words().isReadOnly() ? 0 : counters.nonZero();
      list[i] = layer(row, counters, i, used);
    }
    return new DynamicBloomFilter(frame.hasher(), row, new Layers(list), keys, blocked);
  }

  @Override
  public FilterKind<DynamicBloomFilter> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The rows as they are.
   *
   * @return the shape, with its rate formula
   */
  public DynamicShape shape() {
    return row.withRows(rowCount());
  }

  /**
   * How many rows a query may have to ask.
   *
   * @return 1 or more
   */
  public int rowCount() {
    return rows.list().length;
  }

  /**
   * How many keys were added, less those that were removed; a key that was added twice counts twice
   * where it can be removed twice. With one bit a cell: how many were certainly new.
   *
   * @return the number of keys
   */
  public long keyCount() {
    return keys;
  }

  /**
   * How many removals were refused because several rows claimed the key, or because a cell has one
   * bit.
   *
   * @return the number of keys that stayed although someone wanted to remove them
   */
  public long blockedRemovals() {
    return blockedRemovals;
  }

  @Override
  public boolean mightContainHash(long hash) {
    return rows.anySet(hash);
  }

  @Override
  public int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    HashedFilter.checkBatch(hashes, from, to, hits);
    return rows.anySet(hashes, from, to, hits);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterFullException if the key needs a row beyond the 4,096th; nothing changed
   */
  @Override
  public boolean addHash(long hash) {
    rows.newest().words().writable();
    Layer claiming = null;
    Layer open = null;
    for (Layer each : rows.list()) {
      if (each.allSet(hash)) {
        claiming = each;
        break;
      }
      open = open == null && !each.isFull() ? each : open;
    }
    if (claiming == null) {
      Layer target = open != null ? open : rows.append(rows.newest(), this::next);
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
    if (rowCount() == DynamicShape.MAX_ROWS) {
      throw new FilterFullException(
          "the filter has " + DynamicShape.MAX_ROWS + " rows; compact it or build a larger one");
    }
    return empty(row, newest.number() + 1);
  }

  private boolean isCounting() {
    return row.counterBits() > 1;
  }

  /**
   * {@inheritDoc}
   *
   * @return {@code true}: one row claimed the key and its counters there were lowered; {@code
   *     false}: the key was certainly absent, or several rows claim it, or cells have one bit, and
   *     nothing changed but {@link #blockedRemovals}
   */
  @Override
  public boolean removeHash(long hash) {
    rows.newest().words().writable();
    Layer claiming = null;
    boolean ambiguous = !isCounting();
    for (Layer each : rows.list()) {
      if (each.allSet(hash)) {
        ambiguous |= claiming != null;
        claiming = each;
      }
    }
    if (claiming == null) {
      return false;
    }
    if (ambiguous) {
      blockedRemovals++;
      return false;
    }
    claiming.count(-claiming.drain(hash));
    keys = Math.max(0, keys - 1);
    return true;
  }

  /**
   * Joins rows that fit into one, and drops empty ones. The rate falls, since fewer rows are asked.
   *
   * @return by how many rows the filter has become smaller
   */
  public int compact() {
    rows.newest().words().writable();
    int before = rowCount();
    rows.change(
        list -> {
          List<Layer> kept = new ArrayList<>();
          for (Layer each : list) {
            if (each.keys() > 0 && !joined(each, kept)) {
              kept.add(each);
            }
          }
          return kept.isEmpty() ? new Layer[] {empty(row, 0)} : kept.toArray(Layer[]::new);
        });
    return before - rowCount();
  }

  /** Whether a row of the list has room for another one, which it then has taken in. */
  private static boolean joined(Layer other, List<Layer> list) {
    for (Layer each : list) {
      if (each.usedWith(other) <= each.capacity()) {
        each.merge(other);
        return true;
      }
    }
    return false;
  }

  /** {@inheritDoc} Here: 1 - ∏(1 - rate) over all rows, each at its present fill. */
  @Override
  public double falsePositiveRate() {
    return rows.rate();
  }

  @Override
  public long sizeInBits() {
    return shape().sizeInBits();
  }

  @Override
  public boolean isCompatible(DynamicBloomFilter other) {
    Objects.requireNonNull(other, "other");
    return Compatibility.equal(hasher, other.hasher, row, other.row);
  }

  /**
   * {@inheritDoc} Each row of the other is added, counter by counter, to a row of this filter that
   * has room for both, or becomes a row of its own. A key of both filters may then be in two rows,
   * which blocks its removal. The numbers of rows need not be equal.
   *
   * @throws FilterFullException if there would be more than 4,096 rows; nothing changed
   */
  @Override
  public void merge(DynamicBloomFilter other) {
    Objects.requireNonNull(other, "other");
    Compatibility.require(hasher, other.hasher, row, other.row);
    rows.newest().words().writable();
    if (other == this) {
      return;
    }
    if (rowCount() + other.rowCount() > DynamicShape.MAX_ROWS) {
      throw new FilterFullException(
          "merging could make " + (rowCount() + other.rowCount()) + " rows");
    }
    rows.change(
        list -> {
          List<Layer> all = new ArrayList<>(List.of(list));
          for (Layer their : other.rows.list()) {
            Layer copy = their.copy();
            if (copy.keys() > 0 && !joined(copy, all)) {
              all.add(copy);
            }
          }
          return all.toArray(Layer[]::new);
        });
    keys += other.keys;
    blockedRemovals += other.blockedRemovals;
  }

  /**
   * A copy in heap memory that shares nothing with this filter.
   *
   * @return a filter with the same keys, writable even if this one is mapped
   */
  public DynamicBloomFilter copy() {
    Layer[] list = rows.list().clone();
    for (int i = 0; i < list.length; i++) {
      list[i] = list[i].copy();
    }
    return new DynamicBloomFilter(hasher, row, new Layers(list), keys, blockedRemovals);
  }

  @Override
  public String toString() {
    return "DynamicBloomFilter[" + shape() + ", " + hasher + "]";
  }

  /** Options of a filter. */
  public static final class Builder extends SizedBuilder<Builder> {
    private int counterBits = DynamicShape.COUNTER_BITS;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * The width of a cell: 1 for bits, from which nothing can be removed, more for counters.
     *
     * @param counterBits 1 … 16; 4 if never called
     * @return this
     */
    public Builder counterBits(int counterBits) {
      this.counterBits = counterBits;
      return this;
    }

    /**
     * Makes the filter.
     *
     * @return an empty filter of one row
     */
    public DynamicBloomFilter build() {
      return of(DynamicShape.forKeys(expectedKeys, falsePositiveRate, counterBits), hasher);
    }
  }
}
