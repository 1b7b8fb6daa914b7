package io.bloomery.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/** Whether keys of two sides that are equal in Spark have the same hash. */
final class KeyTypes {

  /** Numbers that have the hash of the same long. */
  private static final Set<DataType> WHOLE =
      Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);

  private KeyTypes() {}

  /** Why not, or null. */
  static @Nullable String problem(StructType left, StructType right, String... keys) {
    for (String key : keys) {
      for (StructType side : List.of(left, right)) {
        if (!Arrays.asList(side.fieldNames()).contains(key)) {
          return "there is no column %s among %s"
              .formatted(key, Arrays.toString(side.fieldNames()));
        }
      }
      DataType first = left.apply(key).dataType();
      DataType second = right.apply(key).dataType();
      boolean whole = keys.length == 1 && WHOLE.contains(first) && WHOLE.contains(second);
      if (!whole && !first.catalogString().equals(second.catalogString())) {
        return "the column %s has the type %s on one side and %s on the other"
            .formatted(key, first.simpleString(), second.simpleString());
      }
      try {
        SparkKeys.of(first);
      } catch (IllegalArgumentException e) {
        return e.getMessage();
      }
    }
    return null;
  }
}
