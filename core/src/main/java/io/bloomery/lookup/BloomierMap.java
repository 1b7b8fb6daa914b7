package io.bloomery.lookup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.FilterKind;
import io.bloomery.LookupFilter;
import io.bloomery.ShapedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.frame.Frame;
import io.bloomery.internal.frame.Kind;
import io.bloomery.internal.frame.Labels;
import io.bloomery.internal.numeric.SolvedCells;
import io.bloomery.internal.solve.DistinctKeys;
import io.bloomery.internal.variant.VariantBuilder;
import io.bloomery.plan.Need;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from keys to values that does not hold the keys; it always returns the value of
 * a key that was put, and for any other key {@link #ABSENT}, or some value at the rate |R|/2^q for
 * |R| values and cells of q bits.
 *
 * <pre>{@code
 * BloomierMap map = BloomierMap.builder().falsePositiveRate(0.01)
 *     .put("GET", 1).put("POST", 2).build();
 * map.get("GET");                                       // 1
 * BloomierMap.ofEnums(colours, 0.01).enums(Colour.class).get("sky");   // BLUE
 * }</pre>
 *
 * <p>Values are numbers of 0 or more. If there are few but large ones, the map stores a list of
 * them and the cells hold indexes into the list, if that is smaller. Texts and enum constants are
 * stored by name as {@linkplain Builder#label labels}.
 *
 * <p>Immutable; any number of threads may query. A query does not allocate.
 *
 * <p>Sources: Chazelle, Kilian, Rubinfeld and Tal, "The Bloomier Filter: An Efficient Data
 * Structure for Static Support Lookup Tables", SODA 2004, sec. 3; Charles and Chellapilla,
 * "Bloomier Filters: A Second Look", ESA 2008, for peeling in linear time. Deviations: the cells of
 * a key lie in disjoint parts, so they are always distinct; besides the paper's random cells there
 * are neighbouring segments (Graf and Lemire, "Binary Fuse Filters", 2022), which take less space
 * from about 20,000 keys and are then the default.
 */
public final class BloomierMap extends ShapedFilter<BloomierShape> implements LookupFilter {

  private static final int VALUES = BloomierShape.PLANNED_VALUES;

  public static final FilterKind<BloomierMap> KIND =
      Kind.of(48, "bloomier", BloomierMap.class)
          .question("which value does x have, when neither keys nor values change?")
          .codec(BloomierMap::encode, BloomierMap::decode)
          .variants(
              () ->
                  List.of(
                      VariantBuilder.of("bloomier", BloomierShape.class)
                          .meets(Need.VALUES)
                          .onlyFor(Need.VALUES)
                          .forKeys((n, p) -> BloomierShape.forKeys(n, p, VALUES))
                          .forBudget((n, bits) -> BloomierShape.forBudget(n, bits, VALUES))
                          .reads(shape -> SolvedCells.Peeled.DEFAULT_PER_KEY)
                          .why(
                              "A fixed value for each key without the keys, exact for all of them;"
                                  + " sized for "
                                  + VALUES
                                  + " values, and twice as many take one more bit per cell")
                          .needsMore("needs a value for each key")
                          .hasOwnBuilder()));

  private final long keys;
  private final long values;
  private final SolvedTable table;
  private final @Nullable Words valueList; // null if the cells hold the values directly
  private final List<String> labels;

  private BloomierMap(
      BloomierShape shape,
      Hasher hasher,
      long keys,
      SolvedTable table,
      @Nullable Words valueList,
      List<String> labels) {
    super(shape, hasher);
    this.keys = keys;
    this.values = shape.values();
    this.table = table;
    this.valueList = valueList;
    this.labels = labels;
  }

  /**
   * A map of hashes to values.
   *
   * @param hashes the keys' hashes by {@link Hasher#xxh3()}, in any order; duplicates are allowed
   * @param values as many values, each 0 or more; equal hashes have equal values
   * @param falsePositiveRate the probability that any other key gets a value, within (0, 1)
   * @return the map
   * @throws IllegalArgumentException if a key has two values or an argument is outside its range
   */
  public static BloomierMap ofHashes(long[] hashes, long[] values, double falsePositiveRate) {
    return builder().falsePositiveRate(falsePositiveRate).putHashes(hashes, values).build();
  }

  /**
   * A map of numbers to values.
   *
   * @param keys the keys, in any order, duplicates allowed; each is hashed by {@link Hasher#xxh3()}
   * @param values as many values, each 0 or more; equal keys have equal values
   * @param falsePositiveRate the probability that any other key gets a value, within (0, 1)
   * @return the map
   * @throws IllegalArgumentException if a key has two values or an argument is outside its range
   */
  public static BloomierMap ofKeys(long[] keys, long[] values, double falsePositiveRate) {
    return ofHashes(Hasher.xxh3().hashAll(keys), values, falsePositiveRate);
  }

  /**
   * A copy of a map from texts to whole numbers.
   *
   * @param map keys and values, each 0 or more
   * @param falsePositiveRate the probability that any other key gets a value, within (0, 1)
   * @return the map
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierMap of(
      Map<? extends CharSequence, ? extends Number> map, double falsePositiveRate) {
    return builder()
        .falsePositiveRate(falsePositiveRate)
        .expectedKeys(Math.max(1, map.size()))
        .putAll(map)
        .build();
  }

  /**
   * A copy of a map from texts to texts, for queries through {@link #texts()}.
   *
   * @param map keys and values
   * @param falsePositiveRate the probability that any other key gets a value, within (0, 1)
   * @return the map
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BloomierMap ofTexts(
      Map<? extends CharSequence, String> map, double falsePositiveRate) {
    Builder builder = builder().falsePositiveRate(falsePositiveRate);
    map.values().stream().distinct().sorted().forEach(builder::label);
    map.forEach((key, text) -> builder.put(key, builder.label(text)));
    return builder.build();
  }

  /**
   * A copy of a map from texts to enum constants, for queries through {@link #enums(Class)}. Files
   * hold the names of the constants, so that their order may change.
   *
   * @param map keys and values
   * @param falsePositiveRate the probability that any other key gets a value, within (0, 1)
   * @param <E> the enum
   * @return the map
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static <E extends Enum<E>> BloomierMap ofEnums(
      Map<? extends CharSequence, E> map, double falsePositiveRate) {
    Builder builder = builder().falsePositiveRate(falsePositiveRate);
    map.values().stream().distinct().sorted().forEach(builder::label);
    map.forEach((key, constant) -> builder.put(key, builder.label(constant)));
    return builder.build();
  }

  /**
   * Options, keys and values.
   *
   * @return a builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** The fields of a file, which end with those of the cells. */
  private record Header(
      @FieldName("keys") long keys,
      @FieldName("values") long values,
      @FieldName("cell bits") int cellBits,
      @FieldName("listed") boolean listed,
      @FieldName("label bytes") long labelBytes,
      @FieldName("seed") long seed) {
    Header {
      Arguments.inRange("keys", keys, 0, SolvedCells.Peeled.MAX_KEYS);
      Arguments.inRange("values", values, 1, BloomierShape.MAX_VALUES);
      Arguments.inRange("cellBits", cellBits, 1, Long.SIZE);
      Arguments.inRange("labelBytes", labelBytes, 0, Labels.MAX_BYTES);
    }
  }

  private Frame encode() {
    Frame frame =
        Frame.of(hasher())
            .put(
                new Header(
                    keys,
                    values,
                    shape().cellBits(),
                    valueList != null,
                    Labels.bytes(labels),
                    table.seed()));
    table.put(frame, shape().solved());
    if (valueList != null) {
      frame.section(valueList);
    }
    return labels.isEmpty() ? frame : frame.section(Labels.encode(labels));
  }

  private static BloomierMap decode(Frame frame) throws IOException {
    Header header = frame.shape(Header.class);
    SolvedCells cells = SolvedTable.readCells(frame, header.keys);
    BloomierShape shape = frame.make(() -> BloomierShape.of(cells, header.cellBits, header.values));
    SolvedTable table = SolvedTable.read(frame, shape, header.keys, header.seed);
    boolean listed = header.listed;
    Words list = listed ? frame.section(1, header.values) : null;
    for (long i = 0; list != null && i < header.values; i++) {
      if (list.get(i) < 0 || (i > 0 && list.get(i) <= list.get(i - 1))) {
        throw frame.problem("value " + i + " is negative or not in ascending order");
      }
    }
    List<String> labels =
        header.labelBytes == 0
            ? List.of()
            : Labels.decode(frame, listed ? 2 : 1, header.values, header.labelBytes);
    return new BloomierMap(shape, frame.hasher(), header.keys, table, list, labels);
  }

  @Override
  public FilterKind<BloomierMap> kind() {
    return KIND;
  }

  /**
   * How many distinct keys have a value.
   *
   * @return 0 … 2^27
   */
  public long keyCount() {
    return keys;
  }

  @Override
  public long getHash(long hash) {
    if (keys == 0) {
      return ABSENT;
    }
    long number = table.number(hash);
    if (Long.compareUnsigned(number, values) >= 0) {
      return ABSENT;
    }
    return valueList == null ? number : valueList.get(number);
  }

  /**
   * The texts that the values represent, value 0 first.
   *
   * @return an unmodifiable list; empty if the values have no labels
   */
  public List<String> labels() {
    return labels;
  }

  /**
   * This map with texts as values.
   *
   * @return a view
   * @throws IllegalStateException if the map has no labels
   */
  public TypedLookup<String> texts() {
    requireLabels();
    return TypedLookup.of(this, labels);
  }

  /**
   * This map with enum constants as values.
   *
   * @param type the enum; it has a constant for every label
   * @param <E> the enum
   * @return a view
   * @throws IllegalStateException if the map has no labels
   * @throws IllegalArgumentException if a label is not a constant of the enum
   */
  public <E extends Enum<E>> TypedLookup<E> enums(Class<E> type) {
    requireLabels();
    List<E> constants = new ArrayList<>();
    for (String label : labels) {
      constants.add(
          Stream.of(type.getEnumConstants())
              .filter(constant -> constant.name().equals(label))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "label " + label + " is not a constant of " + type.getName())));
    }
    return TypedLookup.of(this, constants);
  }

  private void requireLabels() {
    if (labels.isEmpty()) {
      throw new IllegalStateException("the values of this map are numbers without labels");
    }
  }

  /** {@inheritDoc} Here: |R|/2^q, exact for a uniform hash; 0 without keys. */
  @Override
  public double falsePositiveRate() {
    return shape().falsePositiveRate(keys);
  }

  /** {@inheritDoc} Here: the cells and, if present, the list of values and the labels. */
  @Override
  public long sizeInBits() {
    long list = valueList == null ? 0 : valueList.length() * Long.SIZE;
    return shape().sizeInBits() + list + Labels.bytes(labels) * Byte.SIZE;
  }

  @Override
  public String toString() {
    return "BloomierMap[" + keys + " keys, " + shape() + ", " + hasher() + "]";
  }

  /** Keys, their values, and the options of a map. */
  public static final class Builder extends MapBuilder<Builder> {

    private final Map<String, Integer> labels = new LinkedHashMap<>();
    private @Nullable BloomierShape shape;
    private @Nullable LongFunction<? extends SolvedCells> cells;
    private long valueCount;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /**
     * The value that represents a text: 0 for the first one, and so on. The map stores the texts.
     * With labels, every value put must be one of theirs.
     *
     * <pre>{@code builder.put("rose", builder.label("red"))}</pre>
     *
     * @param text the text
     * @return its value
     */
    public long label(String text) {
      Objects.requireNonNull(text, "text");
      if (!new String(text.getBytes(UTF_8), UTF_8).equals(text)) {
        throw new IllegalArgumentException("text has an unpaired surrogate: " + text);
      }
      Integer value = labels.putIfAbsent(text, labels.size());
      return value == null ? labels.size() - 1 : value;
    }

    /**
     * The value that represents an enum constant: the {@linkplain #label(String) label} of its
     * name.
     *
     * @param constant the constant
     * @return its value
     */
    public long label(Enum<?> constant) {
      return label(Objects.requireNonNull(constant, "constant").name());
    }

    /**
     * The number of possible values: 0 … valueCount - 1, whether or not they are put. If not set,
     * it follows from the values put, so the rate varies between maps but is at most the one given.
     *
     * @param valueCount 1 … 2^32
     * @return this
     */
    public Builder valueCount(long valueCount) {
      this.valueCount = Arguments.inRange("valueCount", valueCount, 1, BloomierShape.MAX_VALUES);
      return this;
    }

    /**
     * The number of cells from which the value of a key is computed. Four take 5 % less space than
     * three from a million keys.
     *
     * @param cellsPerKey 3 or 4; 3 if neither this nor {@link #ribbon()} is called
     * @return this
     */
    public Builder cellsPerKey(int cellsPerKey) {
      Arguments.inRange("cellsPerKey", cellsPerKey, 3, 4);
      return cells(keys -> SolvedCells.Peeled.forKeys(keys, cellsPerKey));
    }

    /**
     * Solves the table in a band instead of by peeling: 1.01·q bits per key instead of 1.13·q, for
     * cells of up to 32 bits; slower to build and to query.
     *
     * @return this
     */
    public Builder ribbon() {
      return cells(SolvedCells.Ribbon::new);
    }

    /** The cells for a number of distinct keys, 1 or more. */
    Builder cells(LongFunction<? extends SolvedCells> cells) {
      this.cells = cells;
      return this;
    }

    /**
     * All parameters, instead of a rate, a number of values and a choice of cells. The values are
     * those below {@link BloomierShape#values()}. A ribbon is sized for the keys that were put.
     *
     * @param shape the shape
     * @return this
     */
    public Builder shape(BloomierShape shape) {
      this.shape = Objects.requireNonNull(shape, "shape");
      return this;
    }

    /**
     * Makes the map.
     *
     * @return the map
     * @throws IllegalArgumentException if a key has two values, if not exactly one of a rate and a
     *     shape was given, if a shape was given with other sizes, or if it does not fit the values
     * @throws io.bloomery.ConstructionException if no trial works, which is not expected unless a
     *     shape with too few cells was given
     */
    public BloomierMap build() {
      if ((shape == null) == (falsePositiveRate == 0)) {
        throw new IllegalArgumentException("either falsePositiveRate or shape is needed");
      }
      if (shape != null && (valueCount != 0 || cells != null)) {
        throw new IllegalArgumentException("shape excludes valueCount, cellsPerKey and ribbon");
      }
      ValueRange range = range();
      DistinctKeys distinct = DistinctKeys.of(hashes, range.numbers(), count, seed, range::value);
      SolvedCells solved = cells(distinct.count());
      long[] list = smallerList(range, solved, distinct.count());
      boolean listed = list != null;
      long different = list != null ? list.length : range.bound();
      BloomierShape best =
          shape != null
              ? shape.holding(distinct.count())
              : shape(different, solved, distinct.count());
      SolvedTable table =
          SolvedTable.solve(
              best, distinct, i -> listed ? distinct.value(i) : range.value(distinct.value(i)));
      return new BloomierMap(
          best,
          hasher,
          distinct.count(),
          table,
          list == null ? null : Words.copyOf(list, false),
          List.copyOf(labels.keySet()));
    }

    private ValueRange range() {
      long bound = shape != null ? shape.values() : valueCount;
      if (!labels.isEmpty()) {
        if (bound != 0 && bound != labels.size()) {
          throw new IllegalArgumentException(
              bound + " values are wanted; there are " + labels.size() + " labels");
        }
        bound = labels.size();
      }
      return bound != 0 ? ValueRange.below(bound, values, count) : ValueRange.of(values, count);
    }

    private SolvedCells cells(int keys) {
      if (shape != null) {
        return shape.solved();
      }
      int most = Math.max(1, keys);
      return cells != null
          ? cells.apply(most)
          : SolvedCells.Peeled.forKeys(most, SolvedCells.Peeled.DEFAULT_PER_KEY);
    }

    /** The list of values if cells with their numbers and the list take less memory, or null. */
    private long @Nullable [] smallerList(ValueRange range, SolvedCells solved, int keys) {
      long[] list = range.list();
      if (list == null || range.isLarge()) {
        return list;
      }
      BloomierShape direct;
      try {
        direct = shape(range.bound(), solved, keys);
      } catch (IllegalArgumentException cellsWouldBeTooWide) {
        return list;
      }
      long bits = list.length * (long) Long.SIZE;
      return shape(list.length, solved, keys).sizeInBits() + bits < direct.sizeInBits()
          ? list
          : null;
    }

    private BloomierShape shape(long different, SolvedCells solved, int keys) {
      return BloomierShape.forKeys(Math.max(1, keys), falsePositiveRate, different, solved);
    }
  }
}
