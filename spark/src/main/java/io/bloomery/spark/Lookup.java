package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Looks up values of Spark in any filter, without copying text that lies in an array. */
final class Lookup {

  private Lookup() {}

  static boolean contains(Filter filter, long key) {
    return filter.mightContain(key);
  }

  static boolean contains(Filter filter, double key) {
    return filter.mightContain(SparkKeys.bits(key));
  }

  static boolean contains(Filter filter, boolean key) {
    return filter.mightContain(SparkKeys.bytes(key));
  }

  static boolean contains(Filter filter, byte[] key) {
    return filter.mightContain(key);
  }

  static boolean contains(Filter filter, Decimal key) {
    return filter.mightContain(SparkKeys.bytes(key));
  }

  static boolean contains(Filter filter, UTF8String key) {
    return key.getBaseObject() instanceof byte[] bytes
        ? filter.mightContain(
            bytes, (int) (key.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET), key.numBytes())
        : filter.mightContain(key.getBytes());
  }

  /** The hasher of a filter of Bloomery. */
  static Hasher hasher(Filter filter) {
    if (filter instanceof HashedFilter hashed) {
      return hashed.hasher();
    }
    throw new IllegalArgumentException(filter + " answers contains only");
  }
}
