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
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

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
 * if the filter no longer knows their key. A row whose key was not seen is dropped at most at the
 * given false-positive rate, while no more keys than expected arrive in a window, evenly
 * distributed. If more do, a bucket fails open: while its filter would err more than twice as often
 * as promised, it forwards all rows and learns no keys, until enough of them have expired. The
 * driver logs a warning with the figures, and accumulators count what was dropped and what was
 * forwarded unchecked ({@link #failClosed} chooses to drop instead). A key is forgotten at the
 * latest after 4/3 of the sum of window and lateness, counted from the row that was kept. Rows with
 * a NULL among the key's columns or without a time are kept and not remembered.
 *
 * <p>There is no watermark, because one row from the future would take it there, and Spark would
 * drop all rows behind it. A row that is further ahead of the wall clock than {@link #withMaxJump}
 * allows is forwarded, not remembered, and counted. One that is ahead by less, or of a stream that
 * is read again, moves the time of its bucket: the keys that follow are remembered until the stream
 * has come that far, and when they are too many, the bucket fails open.
 *
 * <p>It is a {@code transformWithState} operator, so Spark requires the RocksDB state store. A
 * batch rewrites the filters of the buckets that it has new keys for. Batches are exactly once, and
 * so is this: a query that restarts from its checkpoint continues as if it had not stopped. The
 * settings belong to the checkpoint, with the number of buckets and the columns of the key and
 * their types: a query with others is refused, with what differs, and needs a new one.
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
  private final Duration maxJump;
  private final long keysPerBucket;
  private final RecentShape shape;

  private StreamDeduplication(
      Duration window,
      Duration lateness,
      long expectedKeys,
      double falsePositiveRate,
      int buckets,
      boolean failsClosed,
      Duration maxJump) {
    this.window = window;
    this.lateness = lateness;
    this.expectedKeys = expectedKeys;
    this.falsePositiveRate = falsePositiveRate;
    this.buckets = buckets;
    this.failsClosed = failsClosed;
    this.maxJump = maxJump;
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
        window, Duration.ZERO, expectedKeys, falsePositiveRate, DEFAULT_BUCKETS, false, window);
  }

  /**
   * The same for rows that come late: keys are remembered that much longer.
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
        window, most, expectedKeys, falsePositiveRate, buckets, failsClosed, maxJump);
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
        window, lateness, expectedKeys, falsePositiveRate, count, failsClosed, maxJump);
  }

  /**
   * The same for streams in which a duplicate is worse than a lost row: a row whose key the filter
   * finds is dropped, however often the filter errs, and so is one that is too far ahead. The
   * warnings and the accumulators are the same. A query may change this at a restart.
   *
   * @return changed settings
   */
  public StreamDeduplication failClosed() {
    return new StreamDeduplication(
        window, lateness, expectedKeys, falsePositiveRate, buckets, true, maxJump);
  }

  /**
   * The same with another bound for times ahead of the wall clock of the machines; by default it is
   * the window. A row beyond it is forwarded, not remembered, and counted. Datasets that are no
   * streams have no such bound. A query may change this at a restart.
   *
   * @param jump a millisecond or more; a very long one if times are planned
   * @return changed settings
   */
  public StreamDeduplication withMaxJump(Duration jump) {
    Objects.requireNonNull(jump, "jump");
    if (jump.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("jump = " + jump + " is shorter than a millisecond");
    }
    return new StreamDeduplication(
        window, lateness, expectedKeys, falsePositiveRate, buckets, failsClosed, jump);
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
   * @param rows a stream; or a batch, which is treated as one batch of a stream
   * @param time the column of the event time, a timestamp
   * @param keys the columns of the key
   * @return some of the rows, with the same columns; operators that need a watermark get it by
   *     {@code withWatermark} of the result
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
        rows.withColumn(HASH, functions.when(known, hash))
            .withColumn(BUCKET, functions.lit(null).cast("int"));
    StructType schema = hashed.schema();
    int hashAt = schema.fieldIndex(HASH);
    int bucketAt = schema.fieldIndex(BUCKET);
    Bucket bucket =
        new Bucket(
            shape,
            maxJumpMillis(),
            keysPerBucket,
            falsePositiveRate,
            failsClosed,
            timeAt(rows, time),
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
    MapPartitionsFunction<Row, Row> withSettings = BucketFilter::withSettings;
    return hashed
        .mapPartitions(withSettings, Encoders.row(schema))
        .groupByKey(number, Encoders.INT())
        .transformWithState(filter, TimeMode.None(), OutputMode.Append(), Encoders.row(schema))
        .drop(HASH, BUCKET);
  }

  private static int timeAt(Dataset<Row> rows, String time) {
    StructField column = rows.select(rows.col(time)).schema().fields()[0];
    if (!(column.dataType() instanceof TimestampType
        || column.dataType() instanceof TimestampNTZType)) {
      throw new IllegalArgumentException(
          "the column %s is of type %s, not timestamp"
              .formatted(time, column.dataType().simpleString()));
    }
    return rows.schema().fieldIndex(column.name());
  }

  /** At most so many milliseconds that the sum with any time of the present is a long. */
  private long maxJumpMillis() {
    Duration most = Duration.ofMillis(Long.MAX_VALUE / 2);
    return (maxJump.compareTo(most) < 0 ? maxJump : most).toMillis();
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
