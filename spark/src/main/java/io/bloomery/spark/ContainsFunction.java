package io.bloomery.spark;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * {@code contains(filter, key)}: false is certain, true is probable, NULL if either is NULL. The
 * methods named {@code invoke} are what generated code calls, one for each type of arguments; Spark
 * finds them by that name, in this class only.
 */
public final class ContainsFunction implements ScalarFunction<Boolean> {

  private static final long serialVersionUID = 1;

  private final FilterArgument filters;
  private final SparkKeys keys;
  private final DataType[] inputTypes;

  ContainsFunction(FilterArgument filters, DataType filter, DataType key) {
    this.filters = filters;
    this.keys = SparkKeys.of(key);
    this.inputTypes = new DataType[] {filter, keys.widened()};
  }

  @Override
  public DataType[] inputTypes() {
    return inputTypes.clone();
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

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, long key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, int key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, double key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, boolean key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, @Nullable UTF8String key) {
    return (filter == null || key == null) ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, byte @Nullable [] key) {
    return (filter == null || key == null) ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, @Nullable Decimal key) {
    return (filter == null || key == null) ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(@Nullable UTF8String filter, @Nullable InternalRow key) {
    return (filter == null || key == null)
        ? null
        : filters.get(filter).mightContain(keys.bytes(key));
  }

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, long key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, int key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, double key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it; NULL is no argument of primitive types. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, boolean key) {
    return filter == null ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, @Nullable UTF8String key) {
    return (filter == null || key == null) ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, byte @Nullable [] key) {
    return (filter == null || key == null) ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, @Nullable Decimal key) {
    return (filter == null || key == null) ? null : Lookup.contains(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Boolean invoke(byte @Nullable [] filter, @Nullable InternalRow key) {
    return (filter == null || key == null)
        ? null
        : filters.get(filter).mightContain(keys.bytes(key));
  }
}
