package io.bloomery.spark;

import io.bloomery.Filter;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * {@code count}, {@code lookup} and {@code which}: NULL if filter or key is NULL. Generated code
 * calls {@code invoke} for whole numbers and text; keys of other types go by {@link
 * #produceResult}.
 */
public final class AnswerFunction implements ScalarFunction<Object> {

  private static final long serialVersionUID = 1;

  private final String name;
  private final FilterArgument filters;
  private final SparkKeys keys;
  private final DataType[] inputTypes;
  private final DataType resultType;
  private final Functions.Answer answer;

  AnswerFunction(
      String name,
      FilterArgument filters,
      DataType[] arguments,
      DataType resultType,
      Functions.Answer answer) {
    this.name = name;
    this.filters = filters;
    this.keys = SparkKeys.of(arguments[1]);
    this.inputTypes = new DataType[] {arguments[0], keys.widened()};
    this.resultType = resultType;
    this.answer = answer;
  }

  /** Spark calls it. */
  public @Nullable Object invoke(@Nullable UTF8String filter, long key) {
    return filter == null ? null : answer(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Object invoke(byte @Nullable [] filter, long key) {
    return filter == null ? null : answer(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Object invoke(@Nullable UTF8String filter, @Nullable UTF8String key) {
    return (filter == null || key == null) ? null : answer(filters.get(filter), key);
  }

  /** Spark calls it. */
  public @Nullable Object invoke(byte @Nullable [] filter, @Nullable UTF8String key) {
    return (filter == null || key == null) ? null : answer(filters.get(filter), key);
  }

  private @Nullable Object answer(Filter filter, long key) {
    return answer.of(filter, Lookup.hasher(filter).hash(key));
  }

  private @Nullable Object answer(Filter filter, UTF8String key) {
    return answer.of(filter, SparkKeys.hash(Lookup.hasher(filter), key));
  }

  @Override
  public @Nullable Object produceResult(InternalRow input) {
    if (input.isNullAt(0) || input.isNullAt(1)) {
      return null;
    }
    Object argument = Objects.requireNonNull(input.get(0, inputTypes[0]));
    Filter filter =
        argument instanceof byte[] bytes ? filters.get(bytes) : filters.get((UTF8String) argument);
    SparkKeys exact = SparkKeys.of(inputTypes[1], Lookup.hasher(filter));
    return answer.of(filter, exact.hash(input, 1));
  }

  @Override
  public DataType[] inputTypes() {
    return inputTypes.clone();
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
}
