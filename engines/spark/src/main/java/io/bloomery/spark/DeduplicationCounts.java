package io.bloomery.spark;

import java.io.Serializable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.LongAccumulator;

/**
 * What a deduplication counts over all tasks, by accumulators that Spark's user interface and
 * listeners show by their names. Tasks that run again count again.
 *
 * @param dropped rows dropped since their key was found
 * @param unchecked rows forwarded by overloaded buckets although their key was found, or without
 *     remembering it
 * @param overload buckets that err too often, once per batch
 */
record DeduplicationCounts(LongAccumulator dropped, LongAccumulator unchecked, Overload overload)
    implements Serializable {

  static final String DROPPED = "bloomery: duplicates dropped";
  static final String UNCHECKED = "bloomery: rows forwarded unchecked";

  static DeduplicationCounts register(SparkSession spark, boolean failsClosed) {
    return new DeduplicationCounts(
        spark.sparkContext().longAccumulator(DROPPED),
        spark.sparkContext().longAccumulator(UNCHECKED),
        Overload.ofBuckets(spark, failsClosed));
  }
}
