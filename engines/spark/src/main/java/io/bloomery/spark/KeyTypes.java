package io.bloomery.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/** The key columns of two sides: which they are, and whether equal keys have the same hash. */
final class KeyTypes {

  /** Numbers that have the hash of the same long. */
  private static final Set<DataType> WHOLE =
      Set.of(DataTypes.ByteType, DataTypes.ShortType, DataTypes.IntegerType, DataTypes.LongType);

  private KeyTypes() {}

  /**
   * The key columns of a side, by the names that a join takes: as Spark compares names, with or
   * without regard to case by {@code spark.sql.caseSensitive}.
   *
   * @throws IllegalArgumentException if there is no such column, or several
   */
  static Column[] columns(Dataset<Row> side, String... keys) {
    return Arrays.stream(keys)
        .map(key -> side.col("`" + name(side, key).replace("`", "``") + "`"))
        .toArray(Column[]::new);
  }

  private static String name(Dataset<Row> side, String key) {
    var resolver = side.sparkSession().sessionState().conf().resolver();
    List<String> found =
        Arrays.stream(side.columns()).filter(name -> (boolean) resolver.apply(name, key)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          found.isEmpty()
              ? "there is no column %s among %s".formatted(key, Arrays.toString(side.columns()))
              : "%d columns are named %s: %s".formatted(found.size(), key, found));
    }
    return found.get(0);
  }

  /** Why keys of the two sides cannot be compared by their hashes, or null. */
  static @Nullable String problem(Dataset<Row> left, Dataset<Row> right, String... keys) {
    try {
      DataType[] lefts = types(left, keys);
      DataType[] rights = types(right, keys);
      for (int i = 0; i < keys.length; i++) {
        boolean whole = keys.length == 1 && WHOLE.contains(lefts[i]) && WHOLE.contains(rights[i]);
        if (!whole && !lefts[i].catalogString().equals(rights[i].catalogString())) {
          return "the column %s has the type %s on one side and %s on the other"
              .formatted(keys[i], lefts[i].simpleString(), rights[i].simpleString());
        }
        SparkKeys.of(lefts[i]);
      }
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private static DataType[] types(Dataset<Row> side, String... keys) {
    return Arrays.stream(keys)
        .map(key -> side.schema().apply(name(side, key)).dataType())
        .toArray(DataType[]::new);
  }
}
