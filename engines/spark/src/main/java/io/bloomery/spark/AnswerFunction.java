package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
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
 * {@code count}, {@code lookup} and {@code which}: NULL if filter or key is NULL. Generated code
 * calls {@code invoke}, as that of {@link ContainsFunction}.
 */
public final class AnswerFunction implements ScalarFunction<Object> {

  private static final long serialVersionUID = 1;

  private final String name;
  private final FilterArgument filters;
  private final SparkKeys keys;
  private final DataType resultType;
  private final Functions.Answer answer;

  AnswerFunction(
      String name,
      FilterArgument filters,
      SparkKeys keys,
      DataType resultType,
      Functions.Answer answer) {
    this.name = name;
    this.filters = filters;
    this.keys = keys;
    this.resultType = resultType;
    this.answer = answer;
  }

  public @Nullable Object invoke(byte @Nullable [] filter, long key) {
    if (filter == null) {
      return null;
    }
    Filter open = filters.get(filter);
    return answer.of(open, hasher(open).hash(key));
  }

  public @Nullable Object invoke(byte @Nullable [] filter, int key) {
    return invoke(filter, (long) key);
  }

  public @Nullable Object invoke(byte @Nullable [] filter, double key) {
    return invoke(filter, SparkKeys.bits(key));
  }

  public @Nullable Object invoke(byte @Nullable [] filter, boolean key) {
    return invoke(filter, SparkKeys.bytes(key));
  }

  public @Nullable Object invoke(byte @Nullable [] filter, @Nullable UTF8String key) {
    if (filter == null || key == null) {
      return null;
    }
    Filter open = filters.get(filter);
    return answer.of(open, SparkKeys.hash(hasher(open), key));
  }

  public @Nullable Object invoke(byte @Nullable [] filter, byte @Nullable [] key) {
    if (filter == null || key == null) {
      return null;
    }
    Filter open = filters.get(filter);
    return answer.of(open, hasher(open).hash(key));
  }

  public @Nullable Object invoke(byte @Nullable [] filter, @Nullable Decimal key) {
    return key == null ? null : invoke(filter, SparkKeys.bytes(key));
  }

  public @Nullable Object invoke(byte @Nullable [] filter, @Nullable InternalRow key) {
    return key == null ? null : invoke(filter, keys.bytes(key));
  }

  private static Hasher hasher(Filter filter) {
    if (filter instanceof HashedFilter hashed) {
      return hashed.hasher();
    }
    throw new IllegalArgumentException(filter + " answers contains only");
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
    return resultType;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String canonicalName() {
    return Functions.canonicalName(this);
  }

  /** Plans are the same if their functions are equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AnswerFunction that
        && name.equals(that.name)
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
