package io.bloomery.spark;

import io.bloomery.hash.Hasher;
import io.bloomery.window.RecentShape;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.spark.api.java.function.FlatMapGroupsFunction;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.types.StructType;

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
 * keys than expected arrive in a window, evenly distributed. If more do, a bucket fails open: while
 * its filter would err more than twice as often as promised, it forwards all rows and learns no
 * keys, until enough of them have expired. The driver logs a warning with the figures, and
 * accumulators count what was dropped and what was forwarded unchecked ({@link #failClosed} chooses
 * to drop instead). A key is forgotten at the latest after 4/3 of the sum of window and lateness,
 * counted from the row that was kept. Rows with a NULL among the key's columns are kept and not
 * remembered; rows without a time are dropped.
 *
 * <p>It is a {@code transformWithState} operator, so Spark requires the RocksDB state store. A
 * batch rewrites the filters of the buckets that it has new keys for. A bucket that gets no rows is
 * removed by a timer when the watermark has passed all it knew. Batches are exactly once, and so is
 * this: a query that restarts from its checkpoint continues as if it had not stopped. The settings
 * belong to the checkpoint, with the number of buckets and the columns of the key and their types:
 * a query with others is refused, with what differs, and needs a new one. A checkpoint of an
 * earlier version, which does not say them, is taken to be of the present ones.
 *
 * <p>Immutable.
 */
public final class StreamDeduplication {

  private static final int LAYERS = 4;
  private static final int DEFAULT_BUCKETS = 64;
  private static final int MOST_BUCKETS = 1 << 20;
  private static final String HASH = "__bloomery_hash";
  private static final String BUCKET = "__bloomery_bucket";

  private final Duration window;
  private final Duration lateness;
  private final long expectedKeys;
  private final double falsePositiveRate;
  private final int buckets;
  private final boolean failsClosed;
  private final long keysPerBucket;
  private final RecentShape shape;

  private StreamDeduplication(
      Duration window,
      Duration lateness,
      long expectedKeys,
      double falsePositiveRate,
      int buckets,
      boolean failsClosed) {
    this.window = window;
    this.lateness = lateness;
    this.expectedKeys = expectedKeys;
    this.falsePositiveRate = falsePositiveRate;
    this.buckets = buckets;
    this.failsClosed = failsClosed;
    Duration remembered = window.plus(lateness);
    double windows = (double) remembered.toMillis() / window.toMillis();
    // Buckets differ in size by a few times the square root of their keys.
    double mean = expectedKeys * windows / buckets;
    this.keysPerBucket = (long) Math.ceil(mean + 4 * Math.sqrt(mean));
    this.shape =
        RecentShape.forKeys(keysPerBucket, falsePositiveRate, LAYERS).withWindow(remembered);
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
        window, Duration.ZERO, expectedKeys, falsePositiveRate, DEFAULT_BUCKETS, false);
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
    return new StreamDeduplication(
        window, most, expectedKeys, falsePositiveRate, buckets, failsClosed);
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
    return new StreamDeduplication(
        window, lateness, expectedKeys, falsePositiveRate, count, failsClosed);
  }

  /**
   * The same for streams in which a duplicate is worse than a lost row: a row whose key the filter
   * finds is dropped, however often the filter errs. The warning and the accumulators are the same.
   * A query may change this at a restart.
   *
   * @return changed settings
   */
  public StreamDeduplication failClosed() {
    return new StreamDeduplication(
        window, lateness, expectedKeys, falsePositiveRate, buckets, true);
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
            .withColumn(BUCKET, functions.lit(null).cast("int"));
    StructType schema = hashed.schema();
    int hashAt = schema.fieldIndex(HASH);
    int bucketAt = schema.fieldIndex(BUCKET);
    String timeName = rows.select(rows.col(time)).columns()[0];
    Bucket bucket =
        new Bucket(
            shape,
            keysPerBucket,
            falsePositiveRate,
            failsClosed,
            schema.fieldIndex(timeName),
            hashAt,
            DeduplicationCounts.register(rows.sparkSession(), failsClosed));
    int count = buckets;
    MapFunction<Row, Integer> number =
        row -> {
          if (!row.isNullAt(bucketAt)) {
            return row.getInt(bucketAt);
          }
          return row.isNullAt(hashAt) ? 0 : Bucket.number(row.getLong(hashAt), count);
        };
    if (!rows.isStreaming()) {
      FlatMapGroupsFunction<Integer, Row, Row> once = (ignored, group) -> bucket.once(group);
      return hashed
          .groupByKey(number, Encoders.INT())
          .flatMapGroups(once, Encoders.row(schema))
          .drop(HASH, BUCKET);
    }
    BucketFilter filter = new BucketFilter(bucket, settings(rows.select(columns).schema()));
    MapPartitionsFunction<Row, Row> withSettings = filter::withSettings;
    return hashed
        .mapPartitions(withSettings, Encoders.row(schema))
        .withWatermark(timeName, lateness.toMillis() + " milliseconds")
        .groupByKey(number, Encoders.INT())
        .transformWithState(filter, TimeMode.EventTime(), OutputMode.Append(), Encoders.row(schema))
        .drop(HASH, BUCKET);
  }

  /** What belongs to the state: a name, an equals sign and a value per line. */
  private String settings(StructType keys) {
    String columns =
        Arrays.stream(keys.fields())
            .map(field -> field.name() + " " + SparkKeys.of(field.dataType()).typeName())
            .collect(Collectors.joining(", "));
    return "window=%s\nlateness=%s\nexpectedKeys=%d\nfalsePositiveRate=%s\nbuckets=%d\nkeys=%s\n"
        .formatted(window, lateness, expectedKeys, falsePositiveRate, buckets, columns);
  }
}
