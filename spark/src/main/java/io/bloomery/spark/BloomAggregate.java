package io.bloomery.spark;

import io.bloomery.AddableFilter;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
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
 */
final class BloomAggregate implements AggregateFunction<BloomAggregate.State, byte[]> {

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
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeObject(filter == null ? null : Parcel.pack(filter()));
    }

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      byte[] parcel = (byte[]) in.readObject();
      filter = parcel == null ? null : Parcel.unpack(parcel);
    }
  }

  @Override
  public State newAggregationState() {
    return new State();
  }

  @Override
  public State update(State state, InternalRow row) {
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
  public State merge(State into, State other) {
    if (into.filter == null) {
      return other;
    }
    if (other.filter != null) {
      Parcel.merge(into.filter(), other.filter());
    }
    return into;
  }

  @Override
  public byte @Nullable [] produceResult(State state) {
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
