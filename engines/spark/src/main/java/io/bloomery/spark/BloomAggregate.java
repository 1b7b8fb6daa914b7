package io.bloomery.spark;

import io.bloomery.AddableFilter;
import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.AggregateFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloom_agg(key, n, rate)} and {@code bloom_agg(key, n, rate, variant)}: the bytes of the
 * filter of a group's keys, without NULLs. The last three arguments are the same for all rows of a
 * group. A group without rows has an empty filter: of the given size if these arguments are
 * constants, which {@link BloomeryExtensions} finds during analysis, else of the smallest.
 *
 * <p>Spark deserializes states by the class loader that loaded Spark, which does not know classes
 * of {@code --packages} and {@code --jars}. So a state is sent and received as an array of bytes.
 */
final class BloomAggregate implements AggregateFunction<Serializable, byte[]> {

  static final String NAME = "bloom_agg";
  static final String USAGE = "bloom_agg(key, number of keys, false-positive rate[, variant])";

  private static final long serialVersionUID = 2;

  private final SparkKeys keys;
  private final DataType[] inputTypes;
  private final @Nullable FilterSpec constants; // null: known from the first row of a group
  private final @Nullable Overload overload; // null: nobody counts

  private BloomAggregate(
      SparkKeys keys,
      DataType[] inputTypes,
      @Nullable FilterSpec constants,
      @Nullable Overload overload) {
    this.keys = keys;
    this.inputTypes = inputTypes;
    this.constants = constants;
    this.overload = overload;
  }

  /** For arguments of these types. */
  static BloomAggregate of(DataType[] arguments, @Nullable Overload overload) {
    SparkKeys keys = SparkKeys.of(Functions.typed(arguments[0]));
    DataType[] types =
        arguments.length == 3
            ? new DataType[] {keys.type(), DataTypes.LongType, DataTypes.DoubleType}
            : new DataType[] {
              keys.type(), DataTypes.LongType, DataTypes.DoubleType, DataTypes.StringType
            };
    return new BloomAggregate(keys, types, null, overload);
  }

  /** Whether the arguments after the key are known. */
  boolean hasConstants() {
    return constants != null;
  }

  /**
   * The same function, with the arguments that follow the key.
   *
   * @throws IllegalArgumentException if there is no such filter, or it cannot be merged
   */
  BloomAggregate with(@Nullable Long expectedKeys, @Nullable Double rate, @Nullable String name) {
    return new BloomAggregate(keys, inputTypes, spec(expectedKeys, rate, name), overload);
  }

  private static FilterSpec spec(
      @Nullable Long expectedKeys, @Nullable Double rate, @Nullable String name) {
    if (expectedKeys == null || rate == null || name == null) {
      throw new IllegalArgumentException("number of keys, rate or variant is NULL");
    }
    FilterSpec spec = FilterSpec.of(name, expectedKeys, rate, Hasher.xxh3());
    if (!spec.isMerged()) {
      throw new IllegalArgumentException(
          "filters of kind %s cannot be merged; BloomeryFilters.of(…).variant(\"%s\") builds one"
              .formatted(name, name));
    }
    return spec;
  }

  /** The filter of the rows so far, and hashes that are not in it yet. */
  static final class State implements Serializable {

    private static final long serialVersionUID = 2;
    private static final int LEAST = 512;
    private static final int MOST = 1 << 18;

    private transient @Nullable Storable filter;
    private transient Description description = Description.NONE;
    private transient long @Nullable [] batch;
    private transient int count;

    /** The state that an argument is, or that arrived as bytes. */
    static State of(Serializable state) {
      if (state instanceof State here) {
        return here;
      }
      State arrived = new State();
      byte[] parcel = (byte[]) state;
      if (parcel.length > 0) {
        Parcel.Content content = Parcel.unpackDescribed(parcel);
        arrived.filter = content.filter();
        arrived.description = content.description();
      }
      return arrived;
    }

    private Storable filter() {
      Storable whole = Objects.requireNonNull(filter);
      if (count > 0) {
        ((AddableFilter) whole).addHashes(Objects.requireNonNull(batch), 0, count);
        count = 0;
      }
      return whole;
    }

    private void add(long hash) {
      long[] some = batch;
      if (some == null) {
        some = new long[LEAST];
        batch = some;
      }
      some[count++] = hash;
      if (count == some.length) {
        filter();
        // Larger batches are faster in a large filter; they take a quarter of its memory at most.
        if (some.length < MOST && some.length < filter().sizeInBits() / 512) {
          batch = new long[2 * some.length];
        }
      }
    }

    @Serial
    private Object writeReplace() {
      return filter == null ? new byte[0] : Parcel.pack(filter(), description);
    }
  }

  @Override
  public Serializable newAggregationState() {
    return new State();
  }

  @Override
  public Serializable update(Serializable buffer, InternalRow row) {
    State state = State.of(buffer);
    if (state.filter == null) {
      begin(state, constants == null ? spec(row) : constants);
    }
    if (!row.isNullAt(0)) {
      state.add(keys.hash(row, 0));
    }
    return state;
  }

  private void begin(State state, FilterSpec spec) {
    state.filter = spec.createForTask();
    state.description = Descriptions.of(keys, spec.keys(), spec.rate());
  }

  private static FilterSpec spec(InternalRow row) {
    try {
      return spec(
          row.isNullAt(1) ? null : (Long) row.getLong(1),
          row.isNullAt(2) ? null : (Double) row.getDouble(2),
          row.numFields() == 3 ? DEFAULT : row.isNullAt(3) ? null : row.getString(3));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(NAME + ": " + e.getMessage(), e);
    }
  }

  /** The variant if none is named. */
  static final String DEFAULT = "blocked";

  @Override
  public Serializable merge(Serializable buffer, Serializable input) {
    State into = State.of(buffer);
    State other = State.of(input);
    if (into.filter == null) {
      return other;
    }
    if (other.filter != null) {
      Parcel.merge(into.filter(), other.filter());
    }
    return into;
  }

  @Override
  public byte[] produceResult(Serializable buffer) {
    State state = State.of(buffer);
    if (state.filter == null) {
      State empty = new State();
      begin(empty, constants == null ? FilterSpec.of(DEFAULT, 1, 0.01, Hasher.xxh3()) : constants);
      return Filters.toBytes(empty.filter(), empty.description);
    }
    Storable filter = state.filter();
    if (overload != null) {
      Overload.Case found = Overload.of(filter, state.description);
      if (found != null) {
        overload.add(found);
      }
    }
    return Filters.toBytes(filter, state.description);
  }

  @Override
  public DataType[] inputTypes() {
    return inputTypes.clone();
  }

  @Override
  public DataType resultType() {
    return DataTypes.BinaryType;
  }

  @Override
  public boolean isResultNullable() {
    return false;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String canonicalName() {
    return Functions.canonicalName(this);
  }

  /** Plans are the same if their functions are equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BloomAggregate that
        && Arrays.equals(inputTypes, that.inputTypes)
        && Objects.equals(constants, that.constants);
  }

  @Override
  public int hashCode() {
    return Objects.hash(NAME, Arrays.hashCode(inputTypes), constants);
  }

  /** As plans and columns without a name of their own show it. */
  @Override
  public String toString() {
    return NAME;
  }
}
