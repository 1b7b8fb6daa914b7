package io.bloomery.spark;

import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.apache.spark.api.java.function.FlatMapGroupsFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;

/**
 * Keeps the first row of each key within a window of event time and drops the others, in a stream,
 * with state of a fixed size: a {@link io.bloomery.window.RecentFilter} for each bucket of keys, 22
 * bits per key of the window at a false-positive rate of 1 %.
 *
 * <pre>{@code
 * spark.conf().set("spark.sql.streaming.stateStore.providerClass",
 *     "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider");
 * Dataset<Row> once =
 *     StreamDeduplication.within(Duration.ofHours(1), 1_000_000, 0.001)
 *         .withLateness(Duration.ofMinutes(5))
 *         .dropDuplicates(events, "time", "id");
 * }</pre>
 *
 * <p>Of two rows with one key whose times are less than a window apart, one is kept: that of the
 * earlier batch, and within a batch that of the earlier time. This holds for rows that are late by
 * no more than the lateness, against the greatest time so far in their bucket; later ones are kept
 * if the filter no longer knows their key, or dropped by Spark for being behind the watermark. A
 * row whose key was not seen is dropped at most at the given false-positive rate, while no more
 * keys than expected arrive in a window, evenly distributed. A key is forgotten at the latest after
 * 4/3 of the sum of window and lateness, counted from the row that was kept. Rows with a NULL among
 * the key's columns are kept and not remembered; rows without a time are dropped.
 *
 * <p>It is a {@code transformWithState} operator, so Spark requires the RocksDB state store. A
 * batch rewrites the filters of the buckets that it has new keys for. A bucket that gets no rows is
 * removed by a timer when the watermark has passed all it knew. Batches are exactly once, and so is
 * this: a query that restarts from its checkpoint continues as if it had not stopped. The settings
 * belong to the checkpoint; with other settings, the query needs a new one.
 *
 * <p>Immutable.
 */
public final class StreamDeduplication {

  private static final int LAYERS = 4;
  private static final int DEFAULT_BUCKETS = 64;
  private static final int MOST_BUCKETS = 1 << 20;
  private static final String HASH = "__bloomery_hash";

  private final Duration window;
  private final Duration lateness;
  private final long expectedKeys;
  private final double falsePositiveRate;
  private final int buckets;
  private final RecentShape shape;

  private StreamDeduplication(
      Duration window,
      Duration lateness,
      long expectedKeys,
      double falsePositiveRate,
      int buckets) {
    this.window = window;
    this.lateness = lateness;
    this.expectedKeys = expectedKeys;
    this.falsePositiveRate = falsePositiveRate;
    this.buckets = buckets;
    Duration remembered = window.plus(lateness);
    double windows = (double) remembered.toMillis() / window.toMillis();
    // Buckets differ in size by a few times the square root of their keys.
    double mean = expectedKeys * windows / buckets;
    this.shape =
        RecentShape.forKeys((long) Math.ceil(mean + 4 * Math.sqrt(mean)), falsePositiveRate, LAYERS)
            .withWindow(remembered);
  }

  /**
   * Deduplication within a window, in 64 buckets, of streams whose rows are in order.
   *
   * @param window how far apart two rows with the same key must be for both to be kept, a
   *     millisecond or more
   * @param expectedKeys how many distinct keys arrive within one window, evenly distributed; three
   *     times as many if they come in bursts
   * @param falsePositiveRate the highest acceptable share of first rows that are dropped, above 0,
   *     below 1
   * @return the settings
   */
  public static StreamDeduplication within(
      Duration window, long expectedKeys, double falsePositiveRate) {
    Objects.requireNonNull(window, "window");
    if (window.toMillis() < 1) {
      throw new IllegalArgumentException("window = " + window + " is shorter than a millisecond");
    }
    if (expectedKeys < 1) {
      throw new IllegalArgumentException("expectedKeys = " + expectedKeys + " is below 1");
    }
    return new StreamDeduplication(
        window, Duration.ZERO, expectedKeys, falsePositiveRate, DEFAULT_BUCKETS);
  }

  /**
   * The same for rows that come late: keys are remembered that much longer, and the watermark lags
   * as much.
   *
   * @param most zero or more
   * @return changed settings
   */
  public StreamDeduplication withLateness(Duration most) {
    Objects.requireNonNull(most, "most");
    if (most.isNegative()) {
      throw new IllegalArgumentException("most = " + most + " is negative");
    }
    return new StreamDeduplication(window, most, expectedKeys, falsePositiveRate, buckets);
  }

  /**
   * The same with another number of buckets, each with its own filter: the unit of parallelism, and
   * of reads and writes of a batch.
   *
   * @param count 1 … 2^20; at least the number of shuffle partitions
   * @return changed settings
   */
  public StreamDeduplication withBuckets(int count) {
    if (count < 1 || count > MOST_BUCKETS) {
      throw new IllegalArgumentException("count = " + count + "; 1 to " + MOST_BUCKETS + " are");
    }
    return new StreamDeduplication(window, lateness, expectedKeys, falsePositiveRate, count);
  }

  /**
   * The filter of each bucket.
   *
   * @return its shape; {@code sizeInBits()} times the number of buckets is the state in all
   */
  public RecentShape shape() {
    return shape;
  }

  /**
   * Drops rows whose key was seen within the window.
   *
   * @param rows a stream, without a watermark of its own; or a batch, which is treated as one batch
   *     of a stream
   * @param time the column of the event time, a timestamp
   * @param keys the columns of the key
   * @return some of the rows, with the same columns
   */
  public Dataset<Row> dropDuplicates(Dataset<Row> rows, String time, String... keys) {
    if (keys.length == 0) {
      throw new IllegalArgumentException("keys is empty; name the columns of the key");
    }
    BloomeryCatalog.install(rows.sparkSession());
    Column[] columns = Arrays.stream(keys).map(rows::col).toArray(Column[]::new);
    Column known = functions.lit(true);
    for (Column column : columns) {
      known = known.and(column.isNotNull());
    }
    Column key = columns.length == 1 ? columns[0] : functions.struct(columns);
    Column hash =
        functions.call_function(
            BloomeryCatalog.NAME + ".hash", key, functions.lit(Hasher.xxh3().seedOrKeyCheck()));
    Dataset<Row> hashed =
        rows.where(rows.col(time).isNotNull())
            .withColumn(HASH, functions.when(known, hash))
            .withWatermark(time, lateness.toMillis() + " milliseconds");
    int hashAt = hashed.schema().fieldIndex(HASH);
    int timeAt = hashed.schema().fieldIndex(time);
    int count = buckets;
    MapFunction<Row, Integer> bucket =
        row -> row.isNullAt(hashAt) ? 0 : BucketFilter.bucket(row.getLong(hashAt), count);
    var grouped = hashed.groupByKey(bucket, Encoders.INT());
    BucketFilter filter = new BucketFilter(shape, timeAt, hashAt);
    if (!rows.isStreaming()) {
      FlatMapGroupsFunction<Integer, Row, Row> once = (number, group) -> filter.once(group);
      return grouped.flatMapGroups(once, Encoders.row(hashed.schema())).drop(HASH);
    }
    return grouped
        .transformWithState(
            filter, TimeMode.EventTime(), OutputMode.Append(), Encoders.row(hashed.schema()))
        .drop(HASH);
  }
}
