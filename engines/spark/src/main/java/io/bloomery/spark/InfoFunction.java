package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.foreign.ForeignFilter;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloom_info(filter)}: what a filter is, what its bytes say of it, and how often it errs
 * now. NULL if the filter is; fields that nobody knows are NULL. Reads all bits of the filter.
 */
public final class InfoFunction implements ScalarFunction<InternalRow> {

  static final String NAME = "bloom_info";

  private static final long serialVersionUID = 1;

  private static final StructType TYPE =
      new StructType()
          .add("kind", DataTypes.StringType, false)
          .add("key_type", DataTypes.StringType)
          .add("expected_keys", DataTypes.LongType)
          .add("promised_rate", DataTypes.DoubleType)
          .add("false_positive_rate", DataTypes.DoubleType, false)
          .add("bits", DataTypes.LongType, false);

  private final FilterArgument filters;

  InfoFunction(FilterArgument filters) {
    this.filters = filters;
  }

  public @Nullable InternalRow invoke(byte @Nullable [] argument) {
    if (argument == null) {
      return null;
    }
    SharedFilter shared = filters.described(argument);
    Filter filter = shared.filter();
    Description said = shared.description();
    String type =
        said.text(Descriptions.SPARK_TYPE)
            .orElseGet(() -> said.text(Description.KEY_TYPE).orElse(null));
    return new GenericInternalRow(
        new @Nullable Object[] {
          UTF8String.fromString(kind(filter)),
          type == null ? null : UTF8String.fromString(type),
          said.number(Description.EXPECTED_KEYS).map(Number::longValue).orElse(null),
          said.number(Description.PROMISED_RATE).map(Number::doubleValue).orElse(null),
          filter.falsePositiveRate(),
          filter.sizeInBits()
        });
  }

  private static String kind(Filter filter) {
    return filter instanceof ForeignFilter foreign
        ? foreign.format().name()
        : ((Storable) filter).kind().name();
  }

  @Override
  public DataType[] inputTypes() {
    return new DataType[] {DataTypes.BinaryType};
  }

  @Override
  public DataType resultType() {
    return TYPE;
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
    return other instanceof InfoFunction that && filters.equals(that.filters);
  }

  @Override
  public int hashCode() {
    return Objects.hash(NAME, filters);
  }

  /** As plans and columns without a name of their own show it. */
  @Override
  public String toString() {
    return NAME;
  }
}
