package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.membership.BlockedBloomFilter;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * {@code contains(filter, key)}: false is certain, true is probable, NULL if either is NULL. The
 * methods named {@code invoke} are what generated code calls, one for each type of keys; Spark
 * finds them by that name and does not look into superclasses. Keys of primitive types are never
 * NULL.
 */
public final class ContainsFunction implements ScalarFunction<Boolean> {

  private static final long serialVersionUID = 1;

  private final FilterArgument filters;
  private final SparkKeys keys;

  ContainsFunction(FilterArgument filters, SparkKeys keys) {
    this.filters = filters;
    this.keys = keys;
  }

  /** Where its filter comes from. */
  FilterArgument filters() {
    return filters;
  }

  @Override
  public DataType[] inputTypes() {
    return new DataType[] {DataTypes.BinaryType, keys.widened()};
  }

  @Override
  public DataType resultType() {
    return DataTypes.BooleanType;
  }

  @Override
  public String name() {
    return "contains";
  }

  @Override
  public String canonicalName() {
    return Functions.canonicalName(this);
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, long key) {
    if (filter == null) {
      return null;
    }
    Filter open = filters.get(filter);
    // So the default is inlined even where many kinds are in use (decision 034).
    return open instanceof BlockedBloomFilter blocked
        ? blocked.mightContain(key)
        : open.mightContain(key);
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, int key) {
    return invoke(filter, (long) key);
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, double key) {
    return invoke(filter, SparkKeys.bits(key));
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, boolean key) {
    return invoke(filter, SparkKeys.bytes(key));
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, @Nullable UTF8String key) {
    if (filter == null || key == null) {
      return null;
    }
    // Text mostly lies in a row's array, and is not copied then.
    return key.getBaseObject() instanceof byte[] row
        ? filters.get(filter).mightContain(row, SparkKeys.offset(key), key.numBytes())
        : filters.get(filter).mightContain(key.getBytes());
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, byte @Nullable [] key) {
    return (filter == null || key == null) ? null : filters.get(filter).mightContain(key);
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, @Nullable Decimal key) {
    return key == null ? null : invoke(filter, SparkKeys.bytes(key));
  }

  public @Nullable Boolean invoke(byte @Nullable [] filter, @Nullable InternalRow key) {
    return key == null ? null : invoke(filter, keys.bytes(key));
  }

  /** Plans are the same if their functions are equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ContainsFunction that
        && filters.equals(that.filters)
        && keys.type().equals(that.keys.type());
  }

  @Override
  public int hashCode() {
    return Objects.hash(name(), filters, keys.type());
  }

  /** As plans and columns without a name of their own show it. */
  @Override
  public String toString() {
    return name();
  }
}
