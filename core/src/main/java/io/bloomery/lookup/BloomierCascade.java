package io.bloomery.lookup;

import io.bloomery.ConstructionException;
import io.bloomery.FilterKind;
import io.bloomery.LookupFilter;
import io.bloomery.QueryCost;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.layer.Layer;
import io.bloomery.internal.layer.LayerRow;
import io.bloomery.internal.probe.Draws;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Need;
import io.bloomery.plan.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which of a few values does a key have? Every key that was put always gets its value; any other
 * key gets none, or, with probability {@link #falsePositiveRate}, that of another.
 *
 * <p>At the first level each value has a Bloom filter of its keys. Keys that another value's filter
 * also claims go into the filters of the next level, and so on. A query reads all filters of a
 * level: if none claims the key, it has no value; if one does, that is its value; if several do,
 * the next level decides.
 *
 * <p>Made of plain Bloom filters it is easy to understand, but {@link BloomierMap} takes less
 * memory and a single lookup for any number of values; prefer it. A query here reads the filters of
 * all values, up to {@link BloomierCascadeShape#MAX_VALUES}.
 *
 * <p>Immutable; any number of threads may query. Equal keys, values and options give equal bytes,
 * in any order.
 *
 * <p>Chazelle, Kilian, Rubinfeld and Tal 2004, "The Bloomier Filter: An Efficient Data Structure
 * for Static Support Lookup Tables", the precursor of their structure; Tarkoma, Rothenberg and
 * Lagerspetz 2012, sec. III-G. Deviation: a filter has at least one word.
 */
public final class BloomierCascade extends ShapedFilter<BloomierCascadeShape>
    implements LookupFilter, QueryCost {

  private static final int VALUES = BloomierCascadeShape.PLANNED_VALUES;

  public static final FilterKind<BloomierCascade> KIND =
      Kind.of(50, "bloomier-cascade", BloomierCascade.class)
          .question("which of a few values does x have? levels of one Bloom filter per value")
          .codec(BloomierCascade::encode, BloomierCascade::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("bloomier-cascade", BloomierCascadeShape.class)
                          .meets(Need.VALUES)
                          .onlyFor(Need.VALUES)
                          .forKeys((n, p) -> BloomierCascadeShape.forKeys(n, p, VALUES))
                          .forBudget((n, bits) -> BloomierCascadeShape.forBudget(n, bits, VALUES))
                          .reads(BloomierCascadeShape::wordsPerQuery)
                          .why(
                              "A fixed value for each key made of plain Bloom filters, exact for"
                                  + " all of them; sized for "
                                  + VALUES
                                  + " values, with one filter to query for each")
                          .needsMore("needs a value for each key")
                          .hasOwnBuilder()));

  private static final int MAX_LEVELS = 64;

  /** How many seeds are tried. */
  private static final int TRIALS = 8;

  /** No filter of a level claims a key. */
  private static final int NONE = -1;

  /** Several filters of a level claim a key. */
  private static final int SEVERAL = -2;

  private final long keys;
  private final long seed;
  private final long[] values;

  /** Per level one filter per value, null where it would be empty. */
  private final Layer[][] levels;

  private BloomierCascade(
      BloomierCascadeShape shape,
      Hasher hasher,
      long keys,
      long seed,
      long[] values,
      Layer[][] levels) {
    super(shape, hasher);
    this.keys = keys;
    this.seed = seed;
    this.values = values;
    this.levels = levels;
  }

  /**
   * The map of keys to values.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order; duplicates are allowed
   *     if they have the same value
   * @param values as many values, each 0 or more, up to 256 distinct ones
   * @param falsePositiveRate the highest rate at which a key without a value gets one, above 0,
   *     below 1
   * @return the map
   * @throws IllegalArgumentException if a key has two values
   */
  public static BloomierCascade ofHashes(long[] hashes, long[] values, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).putHashes(hashes, values).build();
  }

  /**
   * The map of numbers to values.
   *
   * @param keys the keys, in any order; each is hashed by {@link Hasher#xxh3()}. Duplicates are
   *     allowed if they have the same value
   * @param values as many values, each 0 or more, up to 256 distinct ones
   * @param falsePositiveRate the highest rate at which a key without a value gets one, above 0,
   *     below 1
   * @return the map
   * @throws IllegalArgumentException if a key has two values
   */
  public static BloomierCascade ofKeys(long[] keys, long[] values, double falsePositiveRate) {
    return ofHashes(Hasher.xxh3().hashAll(keys), values, falsePositiveRate);
  }

  /**
   * All options.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** The fields of a file. An empty map has no keys; its shape has one. */
  private record Header(
      @FieldName("keys") long keys,
      @FieldName("values") int values,
      @FieldName("filter rate") double filterRate,
      @FieldName("seed") long seed,
      @FieldName("levels") int levels) {
    Header {
      Arguments.inRange("keys", keys, 0, Shape.MAX_KEYS);
      Arguments.inRange("levels", levels, keys == 0 ? 0 : 1, keys == 0 ? 0 : MAX_LEVELS);
    }
  }

  private Frame encode() {
    long[] table = new long[LayerRow.WORDS * values.length * levels.length];
    List<Words> filters = new ArrayList<>();
    for (int level = 0; level < levels.length; level++) {
      for (int i = 0; i < values.length; i++) {
        Layer filter = levels[level][i];
        if (filter != null) {
          LayerRow.of(filter).put(table, level * values.length + i);
          filters.add(filter.words());
        }
      }
    }
    Frame frame =
        Frame.of(hasher())
            .put(new Header(keys, values.length, shape().filterRate(), seed, levels.length))
            .section(Words.copyOf(values, false))
            .section(Words.copyOf(table, false));
    filters.forEach(frame::section);
    return frame;
  }

  private static BloomierCascade decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    int count = header.values;
    BloomierCascadeShape shape =
        frame.make(
            () -> new BloomierCascadeShape(Math.max(1, header.keys), count, header.filterRate));
    long[] values = values(frame, frame.section(0, count));
    Words table = frame.section(1, (long) LayerRow.WORDS * count * header.levels);
    Layer[][] levels = new Layer[header.levels][count];
    int section = 2;
    for (int i = 0; i < header.levels * count; i++) {
      if (!LayerRow.isEmpty(table, i)) {
        LayerRow row = LayerRow.read(frame, "filter " + i, table, i);
        levels[i / count][i % count] = row.layer(frame.bits(section++, row.bits()), i);
      }
    }
    return new BloomierCascade(shape, frame.hasher(), header.keys, header.seed, values, levels);
  }

  private static long[] values(Frame frame, Words words) throws IOException {
    long[] values = new long[(int) words.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = words.get(i);
      if (values[i] < 0 || (i > 0 && values[i] <= values[i - 1])) {
        throw frame.problem("value " + i + " is " + values[i] + "; values are 0 or more and rise");
      }
    }
    return values;
  }

  @Override
  public FilterKind<BloomierCascade> kind() {
    return KIND;
  }

  /**
   * The distinct values, in ascending order.
   *
   * @return the values that a key may have
   */
  public long[] values() {
    return values.clone();
  }

  /**
   * How many levels there are.
   *
   * @return 0 for an empty map
   */
  public int levelCount() {
    return levels.length;
  }

  /**
   * How many keys the filters of a level hold.
   *
   * @param level 0 … {@link #levelCount()} - 1, level 0 is queried first
   * @return all keys, or those that the level before could not decide
   */
  public long levelKeys(int level) {
    long total = 0;
    for (Layer filter : levels[level]) {
      total += filter == null ? 0 : filter.keys();
    }
    return total;
  }

  /**
   * {@inheritDoc}
   *
   * @return the value of a key that was put; for any other key {@link #ABSENT}, or with the
   *     probability {@link #falsePositiveRate} a value
   */
  @Override
  public long getHash(long hash) {
    long salted = hash ^ seed;
    for (int level = 0; level < levels.length; level++) {
      int claiming = claiming(levels[level], Draws.family(salted, level));
      if (claiming != SEVERAL) {
        return claiming == NONE ? ABSENT : values[claiming];
      }
    }
    return ABSENT;
  }

  private static int claiming(Layer[] filters, long hash) {
    int claiming = NONE;
    for (int i = 0; i < filters.length; i++) {
      Layer filter = filters[i];
      if (filter != null && filter.allSet(hash)) {
        if (claiming != NONE) {
          return SEVERAL;
        }
        claiming = i;
      }
    }
    return claiming;
  }

  /**
   * {@inheritDoc} Here: the probability that exactly one filter claims a key at the first level
   * where at most one does, from the fill of all filters.
   */
  @Override
  public double falsePositiveRate() {
    double rate = 0;
    double undecided = 1;
    for (Layer[] filters : levels) {
      double none = 1;
      double one = 0;
      for (Layer filter : filters) {
        double error = filter == null ? 0 : filter.rate();
        one = one * (1 - error) + none * error;
        none *= 1 - error;
      }
      rate += undecided * one;
      undecided *= Math.max(0, 1 - none - one);
    }
    return Math.min(1, rate);
  }

  /** {@inheritDoc} Here: of the filters of all values at all levels. */
  @Override
  public int hashBits() {
    return Arrays.stream(levels).mapToInt(Layer::hashBits).sum();
  }

  /** {@inheritDoc} Here: of the filters of all values at all levels. */
  @Override
  public int memoryAccesses() {
    return Math.max(1, Arrays.stream(levels).mapToInt(Layer::memoryAccesses).sum());
  }

  @Override
  public long sizeInBits() {
    long bits = 0;
    for (Layer[] filters : levels) {
      for (Layer filter : filters) {
        bits += filter == null ? 0 : filter.shape().sizeInBits();
      }
    }
    return bits;
  }

  /** Keys with their values, and a rate: that of the map, or that of each filter. */
  public static final class Builder extends MapBuilder<Builder> {
    private double filterRate;
    private @Nullable BloomShape firstFilter;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * The rate of each filter, instead of {@link #falsePositiveRate}. With v values, (v - 1) times
     * the rate must be well below 1, or too many keys go from level to level.
     *
     * @param rate above 0, below 1
     * @return this builder
     */
    public Builder filterRate(double rate) {
      this.filterRate = Arguments.rate("filterRate", rate);
      return this;
    }

    /**
     * The size of each filter of the first level, instead of the size for its keys and the rate.
     *
     * @param bits 2 or more
     * @param hashesPerKey hashes per key, 1 … 255 and at most the bits
     * @return this builder
     */
    public Builder firstFilter(long bits, int hashesPerKey) {
      Arguments.inRange("bits", bits, 2, Shape.MAX_BITS);
      Arguments.inRange(
          "hashesPerKey", hashesPerKey, 1, (int) Math.min(Shape.MAX_HASHES_PER_KEY, bits));
      this.firstFilter = BloomShape.of(bits, hashesPerKey, IndexScheme.INDEPENDENT);
      return this;
    }

    /**
     * Makes the map.
     *
     * @return the map
     * @throws IllegalArgumentException if a key has two values, if there are more than 256 values,
     *     or if not exactly one of {@code falsePositiveRate} and {@code filterRate} was given
     * @throws ConstructionException if no seed ends within 64 levels
     */
    public BloomierCascade build() {
      if ((filterRate == 0) == (falsePositiveRate == 0)) {
        throw new IllegalArgumentException("either falsePositiveRate or filterRate is needed");
      }
      ValueRange range = ValueRange.of(Arrays.copyOf(super.values, count), count);
      long different = range.list() == null ? range.bound() : range.list().length;
      Arguments.inRange("values", different, 1, BloomierCascadeShape.MAX_VALUES);
      long[] values = new long[(int) different];
      Arrays.setAll(values, range::value);
      DistinctKeys distinct = DistinctKeys.of(hashes, range.numbers(), count, seed, range::value);
      long keys = distinct.count();
      BloomierCascadeShape shape =
          filterRate != 0
              ? new BloomierCascadeShape(Math.max(1, keys), values.length, filterRate)
              : BloomierCascadeShape.forKeys(Math.max(1, keys), falsePositiveRate, values.length);
      for (int trial = 0; trial < TRIALS; trial++) {
        Layer[][] levels = new Trial(shape, firstFilter, seed + trial).build(distinct);
        if (levels != null) {
          return new BloomierCascade(shape, hasher, keys, seed + trial, values, levels);
        }
      }
      throw new ConstructionException(
          "a cascade of %d keys and %d values with filters of rate %s has more than %d levels with each of %d seeds; take a lower rate"
              .formatted(keys, values.length, shape.filterRate(), MAX_LEVELS, TRIALS));
    }
  }

  /** One attempt with one seed. */
  private record Trial(BloomierCascadeShape shape, @Nullable BloomShape firstFilter, long seed) {

    /** The levels, or null if there would be too many. */
    Layer @Nullable [][] build(DistinctKeys distinct) {
      int left = distinct.count();
      long[] hashes = new long[left];
      int[] numbers = new int[left];
      for (int i = 0; i < left; i++) {
        hashes[i] = distinct.hash(i);
        numbers[i] = distinct.value(i);
      }
      List<Layer[]> levels = new ArrayList<>();
      while (left > 0) {
        if (levels.size() == MAX_LEVELS) {
          return null;
        }
        int level = levels.size();
        Layer[] filters = filters(level, numbers, left);
        for (int i = 0; i < left; i++) {
          filters[numbers[i]].setAll(Draws.family(hashes[i] ^ seed, level));
        }
        levels.add(filters);
        int undecided = 0;
        for (int i = 0; i < left; i++) {
          if (claiming(filters, Draws.family(hashes[i] ^ seed, level)) == SEVERAL) {
            hashes[undecided] = hashes[i];
            numbers[undecided++] = numbers[i];
          }
        }
        left = undecided;
      }
      return levels.toArray(Layer[][]::new);
    }

    private Layer[] filters(int level, int[] numbers, int left) {
      long[] members = new long[shape.values()];
      for (int i = 0; i < left; i++) {
        members[numbers[i]]++;
      }
      Layer[] filters = new Layer[members.length];
      for (int i = 0; i < members.length; i++) {
        if (members[i] > 0) {
          BloomShape bloom =
              level == 0 && firstFilter != null ? firstFilter : shape.filter(members[i]);
          int row = level * members.length + i;
          filters[i] =
              new Layer(bloom, Words.forBits(bloom.bits(), false), row, members[i], members[i]);
        }
      }
      return filters;
    }
  }
}
