package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.FrequencyFilter;
import io.bloomery.LookupFilter;
import io.bloomery.lookup.ManySetsFilter;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** The common part of the catalog's functions. */
final class Functions {

  private Functions() {}

  /** Binds a function to the types of its arguments. */
  @FunctionalInterface
  interface Binder {
    /** The function; {@code UnsupportedOperationException} says what the types must be. */
    BoundFunction bind(DataType[] arguments);
  }

  /** A function by name. */
  static UnboundFunction of(String name, String usage, Binder binder) {
    return new UnboundFunction() {
      @Override
      public BoundFunction bind(StructType input) {
        DataType[] types =
            Arrays.stream(input.fields()).map(StructField::dataType).toArray(DataType[]::new);
        try {
          return binder.bind(types);
        } catch (IllegalArgumentException e) {
          throw new UnsupportedOperationException(usage + ": " + e.getMessage(), e);
        }
      }

      @Override
      public String description() {
        return usage;
      }

      @Override
      public String name() {
        return name;
      }
    };
  }

  /** Requires a number of arguments. */
  static void requireCount(DataType[] arguments, int least, int most) {
    if (arguments.length < least || arguments.length > most) {
      throw new IllegalArgumentException("there are " + arguments.length + " arguments");
    }
  }

  /** Requires the first argument to stand for a filter. */
  static void requireFilter(DataType first) {
    if (!(first instanceof BinaryType
        || first instanceof StringType
        || first instanceof NullType)) {
      throw new IllegalArgumentException(
          "the filter is of type "
              + first.simpleString()
              + "; it must be binary, or a string that names it");
    }
  }

  /** The type of a key; that of the NULL without a type is one that it can be cast to. */
  static DataType typed(DataType key) {
    return key instanceof NullType ? DataTypes.LongType : key;
  }

  /** Distinguishes functions in plans. */
  static String canonicalName(BoundFunction function) {
    return "io.bloomery.spark."
        + function.name()
        + Arrays.stream(function.inputTypes())
            .map(DataType::catalogString)
            .collect(Collectors.joining(",", "(", ")"));
  }

  /** A function of a Bloomery filter and a hash. */
  @FunctionalInterface
  interface Answer extends Serializable {
    /** A value of Spark; null is NULL. */
    @Nullable Object of(Filter filter, long hash);
  }

  static Object count(Filter filter, long hash) {
    if (filter instanceof FrequencyFilter counts) {
      return counts.countHash(hash);
    }
    throw new IllegalArgumentException(filter + " does not count");
  }

  static @Nullable Object lookup(Filter filter, long hash) {
    if (filter instanceof LookupFilter map) {
      long value = map.getHash(hash);
      return value == LookupFilter.ABSENT ? null : value;
    }
    throw new IllegalArgumentException(filter + " holds no values");
  }

  static Object which(Filter filter, long hash) {
    if (filter instanceof ManySetsFilter bank) {
      return ArrayData.toArrayData(bank.setsOfHash(hash));
    }
    throw new IllegalArgumentException(filter + " does not hold many sets");
  }
}
