package io.bloomery.spark;

import io.bloomery.AddableFilter;
import io.bloomery.FilterKind;
import io.bloomery.FrameHeader.Description;
import io.bloomery.Storable;
import io.bloomery.hash.Hasher;
import io.bloomery.plan.Needs;
import io.bloomery.plan.Planner;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * Builds a filter of the keys of a dataset; {@link BloomeryFilters#of} begins one.
 *
 * <p>Each task adds the keys of its partition to a filter of the full size, in batches of hashes,
 * and the filters are merged on executors, in groups of 16. Kinds that cannot be merged get the
 * hashes instead, 8 bytes per row, in the order of the rows, in one task. Either way tasks that
 * failed and were run again leave no trace: the same partitions give the same bytes, and in kinds
 * whose cells do not depend on the order of keys any partitions do.
 *
 * <p>The result is sent to the driver, so {@code spark.driver.maxResultSize} limits its size. A
 * filter that would exceed it is refused before anything runs; {@link #writeSharded} builds those.
 */
public final class FilterJob {

  private static final Logger LOG = LoggerFactory.getLogger(FilterJob.class);

  private static final int FAN_IN = 16;
  private static final double DISTINCT_ERROR = 0.01;

  private final Dataset<Row> rows;
  private String name = "blocked";
  private long expectedKeys; // 0: unknown
  private double rate = 0.01;
  private Hasher hasher = Hasher.xxh3();

  FilterJob(Dataset<?> data, List<Column> columns) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("columns is empty; name the column of the keys");
    }
    this.rows = data.select(columns.toArray(Column[]::new));
  }

  /**
   * The number of distinct keys.
   *
   * @param expectedKeys 1 or more; if never called, a pass over the data estimates it first, within
   *     1 % by its standard error, and the filter has room for 4 % more
   * @return this
   */
  public FilterJob expectedKeys(long expectedKeys) {
    if (expectedKeys < 1) {
      throw new IllegalArgumentException(
          "expectedKeys = " + expectedKeys + "; it must be positive");
    }
    this.expectedKeys = expectedKeys;
    return this;
  }

  /**
   * The false-positive rate at that number of keys.
   *
   * @param falsePositiveRate above 0, below 1; 0.01 if never called
   * @return this
   */
  public FilterJob falsePositiveRate(double falsePositiveRate) {
    Needs.forKeys(1, falsePositiveRate);
    this.rate = falsePositiveRate;
    return this;
  }

  /**
   * The kind of filter, or one of its variants.
   *
   * @param name a name that {@code bloom plan} shows, such as "bloom", "counting" or "blocked-128";
   *     "blocked" if never called
   * @return this
   * @throws IllegalArgumentException if there is no such kind
   */
  public FilterJob variant(String name) {
    Objects.requireNonNull(name, "name");
    if (!Planner.standard().names().contains(name)) {
      Planner.standard().named(name, Needs.forKeys(1, rate)); // says which there are
    }
    this.name = name;
    return this;
  }

  /**
   * What hashes the keys.
   *
   * @param hasher {@link Hasher#xxh3(long)}; {@link Hasher#xxh3()} if never called
   * @return this
   * @throws IllegalArgumentException if it is keyed: the secret would be sent
   */
  public FilterJob hasher(Hasher hasher) {
    SparkKeys.seed(hasher);
    this.hasher = hasher;
    return this;
  }

  /**
   * Builds the filter.
   *
   * @return the filter, on the driver's heap
   * @throws IllegalArgumentException if the result would exceed what the driver accepts, or values
   *     of the columns cannot be keys; nothing has run
   */
  public Storable build() {
    Rows keys = new Rows(rows.schema(), hasher);
    FilterSpec spec = spec();
    requireTravels(spec.storedBytes());
    Storable filter = spec.isMerged() ? merged(spec, keys) : gathered(spec, keys);
    Description description = Descriptions.of(keys.keys(), spec.keys(), spec.rate());
    Overload.Case overload = Overload.of(filter, description);
    if (overload != null) {
      LOG.warn("The filter of {} is too small: {}", Arrays.toString(rows.columns()), overload);
    }
    return Descriptions.remember(filter, description);
  }

  /**
   * Builds a filter of a kind.
   *
   * @param kind the kind, instead of a {@link #variant}
   * @param <F> the filter's class
   * @return the filter, on the driver's heap
   * @throws IllegalArgumentException as {@link #build()}
   */
  public <F extends Storable> F build(FilterKind<F> kind) {
    return kind.type().cast(variant(kind.name()).build());
  }

  /**
   * Builds a filter that may be larger than any machine's memory, in shards by the highest bits of
   * the keys' hashes, and writes each to a separate file. Works for every kind that is built from
   * keys, including static ones. The same keys give the same files.
   *
   * @param directory where to, by any file system that Hadoop knows, such as {@code hdfs://…},
   *     {@code s3a://…} or {@code file://…}; must not exist
   * @param keysPerShard about how many keys a task builds at once, in memory
   * @return the filter
   * @throws IOException if the directory exists or cannot be written
   */
  public ShardedFiles writeSharded(String directory, long keysPerShard) throws IOException {
    if (keysPerShard < 1) {
      throw new IllegalArgumentException(
          "keysPerShard = " + keysPerShard + "; it must be positive");
    }
    Rows keys = new Rows(rows.schema(), hasher);
    long total = expectedKeys == 0 ? distinctKeys() : expectedKeys;
    int shardLog = ShardedFiles.shardLog(total, keysPerShard);
    // Shard sizes vary by a few times the square root of their keys.
    double mean = Math.scalb((double) total, -shardLog);
    long most = (long) Math.ceil(mean + 4 * Math.sqrt(mean));
    FilterSpec each = FilterSpec.of(name, most, rate, hasher);
    return ShardedFiles.write(rows, keys, each, shardLog, directory);
  }

  private FilterSpec spec() {
    return FilterSpec.of(name, expectedKeys == 0 ? distinctKeys() : expectedKeys, rate, hasher);
  }

  /** Four standard errors above the estimate. */
  private long distinctKeys() {
    Column key =
        rows.columns().length == 1
            ? rows.col("`" + rows.columns()[0] + "`")
            : functions.struct("*");
    long estimate =
        rows.agg(functions.approx_count_distinct(key, DISTINCT_ERROR)).head().getLong(0);
    return Math.max(1, (long) Math.ceil(estimate * (1 + 4 * DISTINCT_ERROR)));
  }

  private void requireTravels(long bytes) {
    long limit = maxResultSize();
    if (bytes > limit) {
      throw new IllegalArgumentException(
          "the filter has %,d MB, but the driver accepts %,d MB (spark.driver.maxResultSize); write"
                  .formatted(bytes >> 20, limit >> 20)
              + " it in shards instead, by writeSharded(directory), or raise the limit");
    }
  }

  private long maxResultSize() {
    String limit = context().getConf().get("spark.driver.maxResultSize", "1g");
    long bytes = JavaUtils.byteStringAsBytes(limit);
    // What travels is one array.
    return bytes == 0 ? Integer.MAX_VALUE - 64 : Math.min(bytes, Integer.MAX_VALUE - 64);
  }

  private JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(rows.sparkSession().sparkContext());
  }

  private Storable merged(FilterSpec spec, Rows keys) {
    JavaRDD<InternalRow> source = rows.queryExecution().toRdd().toJavaRDD();
    int parts = source.getNumPartitions();
    int most = 4 * Math.max(1, context().defaultParallelism());
    if (parts > most) {
      // Each part has the size of the whole: fewer are sent if tasks take several partitions.
      source = source.coalesce(most);
    }
    JavaRDD<byte[]> parcels = source.mapPartitions(part -> parcel(spec, keys, part));
    int count = parcels.getNumPartitions();
    while (count > FAN_IN || (count > 1 && count * spec.storedBytes() > maxResultSize())) {
      int fewer = (count + FAN_IN - 1) / FAN_IN;
      parcels =
          parcels
              .mapPartitionsWithIndex(FilterJob::numbered, false)
              .mapToPair(pair -> pair)
              .repartitionAndSortWithinPartitions(new HashPartitioner(fewer))
              .values()
              .mapPartitions(FilterJob::mergedParcel);
      count = fewer;
    }
    return total(spec, parcels.collect());
  }

  private static Storable total(FilterSpec spec, List<byte[]> parcels) {
    Storable total = spec.create();
    for (byte[] parcel : parcels) {
      Parcel.merge(total, Parcel.unpack(parcel));
    }
    return total;
  }

  private static Iterator<byte[]> parcel(FilterSpec spec, Rows keys, Iterator<InternalRow> rows) {
    if (!rows.hasNext()) {
      return List.<byte[]>of().iterator();
    }
    Storable filter = spec.createForTask();
    AddableFilter adder = (AddableFilter) filter;
    keys.hashAll(rows, (hashes, count) -> adder.addHashes(hashes, 0, count));
    return List.of(Parcel.pack(filter)).iterator();
  }

  private static Iterator<byte[]> mergedParcel(Iterator<byte[]> parcels) {
    if (!parcels.hasNext()) {
      return parcels;
    }
    byte[] only = parcels.next();
    if (!parcels.hasNext()) {
      return List.of(only).iterator();
    }
    Storable merged = Parcel.unpack(only);
    while (parcels.hasNext()) {
      Parcel.merge(merged, Parcel.unpack(parcels.next()));
    }
    return List.of(Parcel.pack(merged)).iterator();
  }

  /** All hashes in one task, in the order of the rows. */
  private Storable gathered(FilterSpec spec, Rows keys) {
    List<byte[]> only =
        rows.queryExecution()
            .toRdd()
            .toJavaRDD()
            .mapPartitionsWithIndex((index, part) -> keys.batches((long) index << 32, part), false)
            .mapToPair(pair -> pair)
            .repartitionAndSortWithinPartitions(new HashPartitioner(1))
            .values()
            .mapPartitions(batches -> List.of(Parcel.pack(spec.build(batches))).iterator())
            .collect();
    return Parcel.unpack(only.get(0));
  }

  /** There is at most one parcel in a partition. */
  private static Iterator<Tuple2<Integer, byte[]>> numbered(int index, Iterator<byte[]> parcels) {
    return parcels.hasNext()
        ? List.of(new Tuple2<>(index, parcels.next())).iterator()
        : List.<Tuple2<Integer, byte[]>>of().iterator();
  }
}
