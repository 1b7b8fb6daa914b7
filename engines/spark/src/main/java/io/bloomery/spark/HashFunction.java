package io.bloomery.spark;

import io.bloomery.hash.Hasher;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * {@code hash(key, seed)}: the 64-bit hash of a key under {@code Hasher.xxh3(seed)}. Generated code
 * calls {@code invoke}, as that of {@link ContainsFunction}.
 */
public final class HashFunction implements ScalarFunction<Long> {

  private static final long serialVersionUID = 1;

  private final SparkKeys keys;
  private transient @Nullable Hasher last;

  HashFunction(DataType key) {
    keys = SparkKeys.of(Functions.typed(key));
  }

  private Hasher hasher(long seed) {
    Hasher hasher = last;
    if (hasher == null || hasher.seedOrKeyCheck() != seed) {
      hasher = Hasher.xxh3(seed);
      last = hasher;
    }
    return hasher;
  }

  public long invoke(long key, long seed) {
    return hasher(seed).hash(key);
  }

  public long invoke(int key, long seed) {
    return invoke((long) key, seed);
  }

  public long invoke(double key, long seed) {
    return invoke(SparkKeys.bits(key), seed);
  }

  public long invoke(boolean key, long seed) {
    return hasher(seed).hash(SparkKeys.bytes(key));
  }

  public @Nullable Long invoke(@Nullable UTF8String key, long seed) {
    return key == null ? null : SparkKeys.hash(hasher(seed), key);
  }

  public @Nullable Long invoke(byte @Nullable [] key, long seed) {
    return key == null ? null : hasher(seed).hash(key);
  }

  public @Nullable Long invoke(@Nullable Decimal key, long seed) {
    return key == null ? null : hasher(seed).hash(SparkKeys.bytes(key));
  }

  public @Nullable Long invoke(@Nullable InternalRow key, long seed) {
    return key == null ? null : hasher(seed).hash(keys.bytes(key));
  }

  @Override
  public DataType[] inputTypes() {
    return new DataType[] {keys.widened(), DataTypes.LongType};
  }

  @Override
  public DataType resultType() {
    return DataTypes.LongType;
  }

  @Override
  public String name() {
    return "hash";
  }

  @Override
  public String canonicalName() {
    return Functions.canonicalName(this);
  }

  /** Plans are the same if their functions are equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof HashFunction that && keys.type().equals(that.keys.type());
  }

  @Override
  public int hashCode() {
    return Objects.hash(name(), keys.type());
  }

  /** As plans and columns without a name of their own show it. */
  @Override
  public String toString() {
    return name();
  }
}
