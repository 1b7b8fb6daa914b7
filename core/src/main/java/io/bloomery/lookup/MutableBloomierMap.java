package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.FilterRecipe;
import io.bloomery.LookupFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.solve.Peeling;
import io.bloomery.internal.solve.XorTable;
import io.bloomery.plan.PeeledCells;
import java.io.IOException;
import java.util.Objects;

/**
 * A map from a fixed set of keys to values that can change, without the keys: it always answers a
 * key that was put in with its latest value, and an outsider with {@link #ABSENT}, or with some
 * key's value at the rate k/2^q.
 *
 * <p><b>Set only keys of the map.</b> The first table says which of its k cells in the second a key
 * owns, and takes an outsider for a key at the rate k/2^q. Asking for such an outsider gives a
 * wrong answer; {@linkplain #setHash setting} it overwrites the value of another key, unnoticed.
 * Where outsiders come, choose a rate so low that it never happens.
 *
 * <p>Threads: any number may ask and set at the same time, unless the map was built with {@link
 * Builder#shared shared(false)}. A set is atomic and lock-free; a value whose set returned is seen
 * by every thread that can see that return. A copy or a save during sets holds every value that was
 * set before it began. A mapped map is read-only; {@link #copy()} makes one that is not.
 *
 * <p>Source: Chazelle, Kilian, Rubinfeld and Tal, "The Bloomier Filter: An Efficient Data Structure
 * for Static Support Lookup Tables", SODA 2004, sec. 3.3. Deviations: those of {@link BloomierMap};
 * values of the second table do not straddle words, so that one can be replaced atomically.
 */
public final class MutableBloomierMap implements LookupFilter, Storable {

  /** How files name this kind. */
  public static final FilterKind<MutableBloomierMap> KIND =
      new FilterKind<>(
          49,
          "mutable-bloomier",
          "which value has x now, when the keys never change?",
          MutableBloomierMap.class,
          MutableBloomierMap::encode,
          MutableBloomierMap::decode,
          () -> FilterRecipe.none("needs a value for each key"));

  private final Hasher hasher;
  private final MutableBloomierShape shape;
  private final long keys;
  private final XorTable owners;
  private final Counters values;

  private MutableBloomierMap(
      Hasher hasher, MutableBloomierShape shape, long keys, XorTable owners, Counters values) {
    this.hasher = hasher;
    this.shape = shape;
    this.keys = keys;
    this.owners = owners;
    this.values = values;
  }

  /**
   * Options, keys and first values.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  private Frame encode() {
    return Frame.of(hasher)
        .put("keys", keys)
        .put("cell bits", shape.index().cellBits())
        .put("value bits", shape.valueBits())
        .put("seed", owners.seed())
        .put(shape.cells())
        .section(owners.words())
        .section(values.words());
  }

  private static MutableBloomierMap decode(Frame frame) throws IOException {
    long keys = frame.number("keys", 0, PeeledCells.MAX_KEYS);
    int width = (int) frame.number("cell bits", 2, Long.SIZE);
    int valueBits = (int) frame.number("value bits", 1, MutableBloomierShape.MAX_VALUE_BITS);
    long seed = frame.number("seed", Long.MIN_VALUE, Long.MAX_VALUE);
    PeeledCells cells = frame.shape(PeeledCells.class);
    MutableBloomierShape shape;
    try {
      shape = new MutableBloomierShape(new BloomierShape(cells, width, cells.perKey()), valueBits);
    } catch (IllegalArgumentException e) {
      throw frame.problem(e.getMessage());
    }
    XorTable owners =
        new XorTable(
            SolvedTable.layout(cells), frame.bits(0, cells.sizeInBits(width)), width, seed);
    Counters values = frame.counters(1, cells.count(), valueBits, false);
    return new MutableBloomierMap(frame.hasher(), shape, keys, owners, values);
  }

  @Override
  public FilterKind<MutableBloomierMap> kind() {
    return KIND;
  }

  @Override
  public Hasher hasher() {
    return hasher;
  }

  /**
   * The parameters.
   *
   * @return the two tables
   */
  public MutableBloomierShape shape() {
    return shape;
  }

  /**
   * How many different keys there are.
   *
   * @return 0 … 2^27
   */
  public long keys() {
    return keys;
  }

  /**
   * The highest value.
   *
   * @return 2^valueBits - 1
   */
  public long maxValue() {
    return values.max();
  }

  @Override
  public long getHash(long hash) {
    long cell = cell(hash);
    return cell < 0 ? ABSENT : values.get(cell);
  }

  /** The cell that a key owns, or -1 if it is no key. */
  private long cell(long hash) {
    if (keys == 0) {
      return -1;
    }
    long which = owners.get(hash);
    return Long.compareUnsigned(which, shape.index().values()) < 0
        ? owners.cell(hash, (int) which)
        : -1;
  }

  /**
   * Gives a key of this map another value. Unsafe for any other key: see above.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param value 0 … {@link #maxValue()}
   * @return true if the map takes it for one of its keys; false: certainly none, and nothing
   *     changed
   * @throws IllegalArgumentException if the value is outside its range
   * @throws IllegalStateException if the map is mapped from a file
   */
  public boolean setHash(long hash, long value) {
    Arguments.inRange("value", value, 0, values.max());
    values.words().writable();
    long cell = cell(hash);
    if (cell < 0) {
      return false;
    }
    values.set(cell, value);
    return true;
  }

  /**
   * Gives a text key of this map another value. Unsafe for any other key: see above.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(CharSequence key, long value) {
    return setHash(hasher.hash(key), value);
  }

  /**
   * Gives a byte-string key of this map another value. Unsafe for any other key: see above.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(byte[] key, long value) {
    return setHash(hasher.hash(key), value);
  }

  /**
   * Gives a key of this map, a part of an array, another value. Unsafe for any other key: see
   * above.
   *
   * @param bytes the array
   * @param offset where the key begins
   * @param length how many bytes it has
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(byte[] bytes, int offset, int length, long value) {
    return setHash(hasher.hash(bytes, offset, length), value);
  }

  /**
   * Gives a number that is a key of this map another value. Unsafe for any other key: see above.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(long key, long value) {
    return setHash(hasher.hash(key), value);
  }

  /**
   * Gives an object that is a key of this map another value. Unsafe for any other key: see above.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param value 0 … {@link #maxValue()}
   * @param <T> the object's type
   * @return as {@link #setHash}
   */
  public <T> boolean set(T key, Funnel<? super T> funnel, long value) {
    return setHash(hasher.hash(key, funnel), value);
  }

  /**
   * A copy on the heap whose values change by themselves.
   *
   * @return an independent map with the same keys and values
   */
  public MutableBloomierMap copy() {
    return new MutableBloomierMap(hasher, shape, keys, owners, values.copy());
  }

  /** {@inheritDoc} Here: k/2^q, exact for a uniform hash; 0 without keys. */
  @Override
  public double falsePositiveRate() {
    return shape.falsePositiveRate(keys);
  }

  @Override
  public long sizeInBits() {
    return shape.sizeInBits();
  }

  @Override
  public String toString() {
    return "MutableBloomierMap[" + keys + " keys, " + shape + ", " + hasher + "]";
  }

  /** Keys, their first values, and the options of a map. */
  public static final class Builder extends MapBuilder<Builder> {

    private int valueBits;
    private PeeledCells.Layout layout;
    private int cellsPerKey = PeeledCells.DEFAULT_PER_KEY;
    private boolean shared = true;

    private Builder() {}

    @Override
    protected Builder self() {
      return this;
    }

    /**
     * How many bits a value may have. Without it as many as the largest first value has.
     *
     * @param valueBits 1…63
     * @return this
     */
    public Builder valueBits(int valueBits) {
      this.valueBits =
          Arguments.inRange("valueBits", valueBits, 1, MutableBloomierShape.MAX_VALUE_BITS);
      return this;
    }

    /**
     * Where the cells of a key lie, instead of where they take the least space.
     *
     * @param layout the layout
     * @return this
     */
    public Builder layout(PeeledCells.Layout layout) {
      this.layout = Objects.requireNonNull(layout, "layout");
      return this;
    }

    /**
     * How many cells a key has.
     *
     * @param cellsPerKey 3 or 4; 3 if never called
     * @return this
     */
    public Builder cellsPerKey(int cellsPerKey) {
      this.cellsPerKey = Arguments.inRange("cellsPerKey", cellsPerKey, 3, 4);
      return this;
    }

    /**
     * Whether several threads may set at the same time, which is the default. Without it the caller
     * sees to it that one thread sets at a time.
     *
     * @param shared false for one writer at a time
     * @return this
     */
    public Builder shared(boolean shared) {
      this.shared = shared;
      return this;
    }

    /**
     * Makes the map.
     *
     * @return the map
     * @throws IllegalArgumentException if a key has two values, a value does not fit, or no rate
     *     was given
     * @throws io.bloomery.ConstructionException if no trial works, which is all but impossible
     */
    public MutableBloomierMap build() {
      requireOneHasher();
      if (falsePositiveRate == 0) {
        throw new IllegalArgumentException("falsePositiveRate is needed");
      }
      ValueRange range = ValueRange.of(values, count);
      int width = width(range);
      DistinctKeys distinct = DistinctKeys.of(hashes, range.numbers(), count, seed, range::value);
      int most = Math.max(1, distinct.count());
      PeeledCells cells =
          layout == null
              ? PeeledCells.forKeys(most, cellsPerKey)
              : PeeledCells.forKeys(most, cellsPerKey, layout);
      BloomierShape index = BloomierShape.forKeys(most, cells.perKey(), falsePositiveRate, cells);
      CellLayout places = SolvedTable.layout(cells);
      Peeling peeling =
          distinct.peel(
              "a mutable Bloomier map", places, cells.layout() == PeeledCells.Layout.PARTS);
      Counters table = Counters.allocate(cells.count(), width, false, shared);
      byte[] choices = new byte[distinct.count()];
      for (int rank = 0; rank < choices.length; rank++) {
        int key = peeling.key(rank);
        choices[key] = (byte) peeling.choice(rank);
        table.set(peeling.cell(rank), range.value(distinct.value(key)));
      }
      XorTable owners =
          XorTable.solve(places, distinct, peeling, index.cellBits(), i -> choices[i]);
      return new MutableBloomierMap(
          hasher, new MutableBloomierShape(index, width), choices.length, owners, table);
    }

    private int width(ValueRange range) {
      int needed = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, range.largest()));
      if (valueBits != 0 && valueBits < needed) {
        throw new IllegalArgumentException(
            "value = " + range.largest() + " does not fit into valueBits = " + valueBits);
      }
      return valueBits != 0 ? valueBits : needed;
    }
  }
}
