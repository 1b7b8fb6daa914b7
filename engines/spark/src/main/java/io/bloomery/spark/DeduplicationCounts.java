package io.bloomery.spark;

import java.io.Serializable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.AccumulatorV2;
import org.apache.spark.util.LongAccumulator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a deduplication counts over all tasks, by accumulators that Spark's user interface and
 * listeners show by their names. Tasks that run again count again.
 *
 * @param dropped rows dropped since their key was found
 * @param unchecked rows forwarded by overloaded buckets although their key was found, or without
 *     remembering it
 * @param ahead rows too far ahead of the wall clock, forwarded or dropped unchecked
 * @param overload buckets that err too often, once per batch
 */
record DeduplicationCounts(
    LongAccumulator dropped, LongAccumulator unchecked, LongAccumulator ahead, Overload overload)
    implements Serializable {

  static final String DROPPED = "bloomery: duplicates dropped";
  static final String UNCHECKED = "bloomery: rows forwarded unchecked";
  static final String AHEAD = "bloomery: rows too far ahead";

  static DeduplicationCounts register(SparkSession spark, boolean failsClosed) {
    Ahead ahead = new Ahead(failsClosed);
    spark.sparkContext().register(ahead, AHEAD);
    return new DeduplicationCounts(
        spark.sparkContext().longAccumulator(DROPPED),
        spark.sparkContext().longAccumulator(UNCHECKED),
        ahead,
        Overload.ofBuckets(spark, failsClosed));
  }

  /** Logs a warning on the driver when the count has doubled; tasks have the class of Spark. */
  private static final class Ahead extends LongAccumulator {

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(StreamDeduplication.class);

    private final boolean failsClosed;

    Ahead(boolean failsClosed) {
      this.failsClosed = failsClosed;
    }

    @Override
    public void merge(AccumulatorV2<Long, Long> other) {
      long before = sum();
      super.merge(other);
      if (Long.numberOfLeadingZeros(before) > Long.numberOfLeadingZeros(sum())) {
        LOG.warn(
            "{} rows so far have a time too far ahead of the wall clock, and were {}",
            sum(),
            failsClosed ? "dropped" : "forwarded unchecked");
      }
    }
  }
}
