package io.bloomery.lookup;

import io.bloomery.FilterKind;
import io.bloomery.LookupFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.Writers;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.solve.CellLayout;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.solve.Peeling;
import io.bloomery.internal.solve.XorTable;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map from a fixed set of keys to values that can change, without the keys: it always returns the
 * latest value of a key that was put, and for any other key {@link #ABSENT}, or some key's value at
 * the rate k/2^q.
 *
 * <p><b>Set only keys of the map.</b> The first table determines which of its k cells in the second
 * table a key owns, and reports any other key as a member at the rate k/2^q. A query for such a key
 * gives a wrong answer; {@linkplain #setHash setting} it silently overwrites the value of another
 * key. Where other keys occur, choose a rate low enough that this never happens.
 *
 * <p>Threads: any number may query and set at the same time, unless the map was built for {@link
 * Writers#ONE}. A set is atomic and lock-free; once a set has returned, every query that happens
 * after it sees the value. A copy or a save during sets holds every value that was set before it
 * began. A mapped map is read-only; {@link #copy()} returns a writable one.
 *
 * <p>Source: Chazelle, Kilian, Rubinfeld and Tal, "The Bloomier Filter: An Efficient Data Structure
 * for Static Support Lookup Tables", SODA 2004, sec. 3.3. Deviations: those of {@link BloomierMap};
 * values of the second table do not straddle words, so that one can be replaced atomically.
 */
public final class MutableBloomierMap extends ShapedFilter<MutableBloomierShape>
    implements LookupFilter {

  private static final int VALUE_BITS = MutableBloomierShape.PLANNED_VALUE_BITS;

  public static final FilterKind<MutableBloomierMap> KIND =
      Kind.of(49, "mutable-bloomier", MutableBloomierMap.class)
          .question("which value does x have now, when the keys never change?")
          .codec(MutableBloomierMap::encode, MutableBloomierMap::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("mutable-bloomier", MutableBloomierShape.class)
                          .meets(Need.VALUES)
                          .onlyFor(Need.VALUES)
                          .forKeys((n, p) -> MutableBloomierShape.forKeys(n, p, VALUE_BITS))
                          .forBudget(
                              (n, bits) -> MutableBloomierShape.forBudget(n, bits, VALUE_BITS))
                          .reads(shape -> SolvedCells.Peeled.DEFAULT_PER_KEY + 1)
                          .why(
                              "A value that can change for each of a fixed set of keys, without"
                                  + " the keys; sized for values of "
                                  + VALUE_BITS
                                  + " bits")
                          .needsMore("needs a value for each key")
                          .hasOwnBuilder()));

  private final long keys;
  private final int cellsPerKey;
  private final XorTable owners;
  private final Counters values;

  private MutableBloomierMap(
      MutableBloomierShape shape, Hasher hasher, long keys, XorTable owners, Counters values) {
    super(shape, hasher);
    this.keys = keys;
    this.cellsPerKey = shape.index().cellsPerKey();
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

  /** The fields of a file: those of the index shape, and others. */
  private record Header(
      @FieldName("keys") long keys,
      @FieldName("cell bits") int cellBits,
      @FieldName("value bits") int valueBits,
      @FieldName("seed") long seed,
      SolvedCells.Peeled cells) {
    Header {
      Arguments.inRange("keys", keys, 0, SolvedCells.Peeled.MAX_KEYS);
      Arguments.inRange("cellBits", cellBits, 2, Long.SIZE);
      Arguments.inRange("valueBits", valueBits, 1, MutableBloomierShape.MAX_VALUE_BITS);
    }
  }

  private Frame encode() {
    int cellBits = shape().index().cellBits();
    return Frame.of(hasher())
        .put(new Header(keys, cellBits, shape().valueBits(), owners.seed(), shape().cells()))
        .section(owners.words())
        .section(values.words());
  }

  private static MutableBloomierMap decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    SolvedCells.Peeled cells = header.cells;
    int width = header.cellBits;
    MutableBloomierShape shape =
        frame.make(
            () ->
                new MutableBloomierShape(
                    BloomierShape.of(cells, width, cells.cellsPerKey()), header.valueBits));
    XorTable owners =
        new XorTable(
            CellLayout.of(cells), frame.bits(0, cells.sizeInBits(width)), width, header.seed);
    Counters values = frame.counters(1, cells.cells(), header.valueBits, false);
    return new MutableBloomierMap(shape, frame.hasher(), header.keys, owners, values);
  }

  @Override
  public FilterKind<MutableBloomierMap> kind() {
    return KIND;
  }

  /**
   * How many distinct keys there are.
   *
   * @return 0 … 2^27
   */
  public long keyCount() {
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

  /** The cell that a key owns, or -1 if it is not in the map. */
  private long cell(long hash) {
    if (keys == 0) {
      return -1;
    }
    long which = owners.get(hash);
    return Long.compareUnsigned(which, cellsPerKey) < 0 ? owners.cell(hash, (int) which) : -1;
  }

  /**
   * Gives a key of this map another value. Unsafe for any other key, see the class comment.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param value 0 … {@link #maxValue()}
   * @return true if the map reports the key as one of its own; false: it certainly is not, and
   *     nothing changed
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
   * Gives a text key of this map another value. Unsafe for any other key, see the class comment.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(CharSequence key, long value) {
    return setHash(hasher().hash(key), value);
  }

  /**
   * Gives a byte-string key of this map another value. Unsafe for any other key, see the class
   * comment.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(byte[] key, long value) {
    return setHash(hasher().hash(key), value);
  }

  /**
   * Gives another value to a byte-string key of this map, given as a range of an array. Unsafe for
   * any other key, see the class comment.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(byte[] bytes, int offset, int length, long value) {
    return setHash(hasher().hash(bytes, offset, length), value);
  }

  /**
   * Gives a number that is a key of this map another value. Unsafe for any other key, see the class
   * comment.
   *
   * @param key the key
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(long key, long value) {
    return setHash(hasher().hash(key), value);
  }

  /**
   * Gives a character that is a key of this map another value. Unsafe for any other key, see the
   * class comment.
   *
   * @param key the key, which counts as text
   * @param value 0 … {@link #maxValue()}
   * @return as {@link #setHash}
   */
  public boolean set(char key, long value) {
    return setHash(hasher().hash(key), value);
  }

  /**
   * Gives an object that is a key of this map another value. Unsafe for any other key, see the
   * class comment.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param value 0 … {@link #maxValue()}
   * @param <T> the object's type
   * @return as {@link #setHash}
   */
  public <T> boolean set(T key, Funnel<? super T> funnel, long value) {
    return setHash(hasher().hash(key, funnel), value);
  }

  /**
   * A copy in heap memory whose values change independently.
   *
   * @return an independent map with the same keys and values
   */
  public MutableBloomierMap copy() {
    return new MutableBloomierMap(shape(), hasher(), keys, owners, values.copy());
  }

  /** {@inheritDoc} Here: k/2^q, exact for a uniform hash; 0 without keys. */
  @Override
  public double falsePositiveRate() {
    return shape().falsePositiveRate(keys);
  }

  @Override
  public String toString() {
    return "MutableBloomierMap[" + keys + " keys, " + shape() + ", " + hasher() + "]";
  }

  /** Keys, their first values, and the options of a map. */
  public static final class Builder extends MapBuilder<Builder> {

    private @Nullable MutableBloomierShape shape;
    private int valueBits;
    private @Nullable LongFunction<SolvedCells.Peeled> cells;
    private Writers writers = Writers.MANY;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * How many bits a value may have. If not set, as many as the largest initial value has.
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
     * How many cells a key has, one of which holds its value. Four take 5 % less space than three
     * from a million keys.
     *
     * @param cellsPerKey 3 or 4; 3 if never called
     * @return this
     */
    public Builder cellsPerKey(int cellsPerKey) {
      Arguments.inRange("cellsPerKey", cellsPerKey, 3, 4);
      return cells(keys -> SolvedCells.Peeled.forKeys(keys, cellsPerKey));
    }

    /** The cells for a number of distinct keys, 1 or more. */
    Builder cells(LongFunction<SolvedCells.Peeled> cells) {
      this.cells = cells;
      return this;
    }

    /**
     * All parameters, instead of a rate, the bits of a value and cells per key.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(MutableBloomierShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * How many threads may set at the same time.
     *
     * @param writers {@link Writers#MANY} if never called
     * @return this
     */
    public Builder writers(Writers writers) {
      this.writers = Objects.requireNonNull(writers, "writers");
      return this;
    }

    /**
     * Makes the map.
     *
     * @return the map
     * @throws IllegalArgumentException if a key has two values, a value does not fit, if not
     *     exactly one of a rate and a shape was given, or if a shape was given with other sizes
     * @throws io.bloomery.ConstructionException if no trial works, which is not expected unless a
     *     shape with too few cells was given
     */
    public MutableBloomierMap build() {
      if ((shape == null) == (falsePositiveRate == 0)) {
        throw new IllegalArgumentException("either falsePositiveRate or shape is needed");
      }
      if (shape != null && (valueBits != 0 || cells != null)) {
        throw new IllegalArgumentException("shape excludes valueBits and cellsPerKey");
      }
      ValueRange range = ValueRange.of(values, count);
      DistinctKeys distinct = DistinctKeys.of(hashes, range.numbers(), count, seed, range::value);
      MutableBloomierShape best = shape(distinct.count(), range.largest());
      CellLayout places = CellLayout.of(best.cells());
      Peeling peeling = distinct.peel("a mutable Bloomier map", places, best.cells().isParts());
      Counters table =
          Counters.allocate(best.index().cells(), best.valueBits(), false, writers == Writers.MANY);
      byte[] choices = new byte[distinct.count()];
      for (int rank = 0; rank < choices.length; rank++) {
        int key = peeling.key(rank);
        choices[key] = (byte) peeling.choice(rank);
        table.set(peeling.cell(rank), range.value(distinct.value(key)));
      }
      XorTable owners =
          XorTable.solve(places, distinct, peeling, best.index().cellBits(), i -> choices[i]);
      return new MutableBloomierMap(best, hasher, choices.length, owners, table);
    }

    private MutableBloomierShape shape(int keys, long largest) {
      int needed = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, largest));
      int given = shape != null ? shape.valueBits() : valueBits;
      if (given != 0 && given < needed) {
        throw new IllegalArgumentException(
            "value = " + largest + " does not fit into valueBits = " + given);
      }
      if (shape != null) {
        return shape;
      }
      int most = Math.max(1, keys);
      return MutableBloomierShape.forKeys(
          most,
          falsePositiveRate,
          given != 0 ? given : needed,
          cells != null
              ? cells.apply(most)
              : SolvedCells.Peeled.forKeys(most, SolvedCells.Peeled.DEFAULT_PER_KEY));
    }
  }
}
