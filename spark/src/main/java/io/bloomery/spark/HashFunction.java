package io.bloomery.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/** {@code hash(key, seed)}: the 64 bits that stand for a key under {@code Hasher.xxh3(seed)}. */
public final class HashFunction implements ScalarFunction<Long> {

  private static final long serialVersionUID = 1;

  private final DataType[] inputTypes;
  private transient @Nullable SparkKeys last;

  HashFunction(DataType key) {
    inputTypes = new DataType[] {SparkKeys.of(key).widened(), DataTypes.LongType};
  }

  private SparkKeys keys(long seed) {
    SparkKeys keys = last;
    if (keys == null || keys.hasher().seedOrKeyCheck() != seed) {
      keys = SparkKeys.of(inputTypes[0], io.bloomery.hash.Hasher.xxh3(seed));
      last = keys;
    }
    return keys;
  }

  /** Spark calls it. */
  public @Nullable Long invoke(long key, long seed) {
    return keys(seed).hasher().hash(key);
  }

  /** Spark calls it. */
  public @Nullable Long invoke(@Nullable UTF8String key, long seed) {
    return key == null ? null : SparkKeys.hash(keys(seed).hasher(), key);
  }

  @Override
  public @Nullable Long produceResult(InternalRow input) {
    return (input.isNullAt(0) || input.isNullAt(1)) ? null : keys(input.getLong(1)).hash(input, 0);
  }

  @Override
  public DataType[] inputTypes() {
    return inputTypes.clone();
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
}
