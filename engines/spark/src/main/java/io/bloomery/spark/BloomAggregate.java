package io.bloomery.spark;

import io.bloomery.AddableFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import java.io.Serial;
import java.io.Serializable;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.AggregateFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloom_agg(key, n, rate)} and {@code bloom_agg(key, n, rate, variant)}: the bytes of the
 * filter of a group's keys, without NULLs; NULL for a group without rows. The last three arguments
 * are the same for all rows of a group.
 *
 * <p>Spark deserializes states by the class loader that loaded Spark, which does not know classes
 * of {@code --packages} and {@code --jars}. So a state is sent and received as an array of bytes.
 */
final class BloomAggregate implements AggregateFunction<Serializable, byte[]> {

  private static final long serialVersionUID = 1;

  private final SparkKeys keys;
  private final DataType[] inputTypes;

  BloomAggregate(DataType[] arguments) {
    keys = SparkKeys.of(arguments[0]);
    inputTypes =
        arguments.length == 3
            ? new DataType[] {keys.type(), DataTypes.LongType, DataTypes.DoubleType}
            : new DataType[] {
              keys.type(), DataTypes.LongType, DataTypes.DoubleType, DataTypes.StringType
            };
  }

  /** The filter of the rows so far, and hashes that are not in it yet. */
  static final class State implements Serializable {

    private static final long serialVersionUID = 1;
    private static final int LEAST = 512;
    private static final int MOST = 1 << 18;

    private transient @Nullable Storable filter;
    private transient long @Nullable [] batch;
    private transient int count;

    /** The state that an argument is, or that arrived as bytes. */
    static State of(Serializable state) {
      if (state instanceof State here) {
        return here;
      }
      State arrived = new State();
      byte[] parcel = (byte[]) state;
      arrived.filter = parcel.length == 0 ? null : Parcel.unpack(parcel);
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
      return filter == null ? new byte[0] : Parcel.pack(filter());
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
      state.filter = created(row);
    }
    if (!row.isNullAt(0)) {
      state.add(keys.hash(row, 0));
    }
    return state;
  }

  private Storable created(InternalRow row) {
    if (row.isNullAt(1) || row.isNullAt(2)) {
      throw new IllegalArgumentException("bloom_agg: number of keys or rate is NULL");
    }
    String name = row.numFields() == 3 ? "blocked" : row.getString(3);
    FilterSpec spec = FilterSpec.of(name, row.getLong(1), row.getDouble(2), Hasher.xxh3());
    if (!spec.isMerged()) {
      throw new IllegalArgumentException(
          "bloom_agg: filters of kind %s cannot be merged; BloomeryFilters.of(…).variant(\"%s\")"
                  .formatted(name, name)
              + " builds one");
    }
    return spec.createForTask();
  }

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
  public byte @Nullable [] produceResult(Serializable buffer) {
    State state = State.of(buffer);
    return state.filter == null ? null : state.filter().toBytes();
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
  public String name() {
    return "bloom_agg";
  }

  @Override
  public String canonicalName() {
    return Functions.canonicalName(this);
  }
}
