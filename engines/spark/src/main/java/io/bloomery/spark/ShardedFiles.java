package io.bloomery.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.col;

import io.bloomery.Filters;
import io.bloomery.FrameHeader.Description;
import io.bloomery.HashedFilter;
import io.bloomery.ReadOptions;
import io.bloomery.Storable;
import io.bloomery.frozen.ShardedFilter;
import io.bloomery.hash.Hasher;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * A filter in many files, one per shard, on any file system that Hadoop knows: the keys whose
 * hashes begin with the same bits share a file. No machine needs memory for more than one of them.
 * {@link FilterJob#writeSharded} makes it, {@link #open} finds it again.
 *
 * <p>The directory has a frame {@code shard-00000.bloom} and so on per shard, which holds {@link
 * ShardedFilter#inner} hashes, and {@code shards.properties}, written last.
 *
 * <p>Immutable; travels with tasks.
 */
public final class ShardedFiles implements Serializable {

  private static final long serialVersionUID = 1;
  private static final String LIST = "shards.properties";
  private static final String KEY_TYPE = "sparkType";
  private static final String HASH = "__bloomery_hash";
  private static final String SHARD = "__bloomery_shard";
  private static final int MAX_SHARD_LOG = 20;

  private final String directory;
  private final int shardLog;
  private final long seed;
  private final @Nullable String keyType; // null: not known
  private final SerializableConfiguration hadoop;

  private ShardedFiles(
      String directory, int shardLog, long seed, @Nullable String keyType, Configuration hadoop) {
    this.directory = directory;
    this.shardLog = shardLog;
    this.seed = seed;
    this.keyType = keyType;
    this.hadoop = new SerializableConfiguration(hadoop);
  }

  /**
   * A filter that was written earlier.
   *
   * @param spark the session
   * @param directory where it is
   * @return the filter
   * @throws IOException if the directory cannot be read or holds no complete filter
   */
  public static ShardedFiles open(SparkSession spark, String directory) throws IOException {
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    Path list = new Path(directory, LIST);
    Properties facts = new Properties();
    HadoopFiles.read(
        hadoop,
        list,
        in -> {
          try {
            facts.load(in);
          } catch (IllegalArgumentException e) {
            throw new IOException("is damaged: " + e.getMessage(), e);
          }
          return facts;
        });
    if (!"1".equals(facts.getProperty("version"))) {
      throw new IOException(list + " has version " + facts.getProperty("version") + ", not 1");
    }
    try {
      int shardLog = Integer.parseInt(facts.getProperty("shardLog"));
      if (shardLog < 0 || shardLog > MAX_SHARD_LOG) {
        throw new IOException(
            list + " is damaged: shardLog = " + shardLog + " is outside 0 … " + MAX_SHARD_LOG);
      }
      return new ShardedFiles(
          directory,
          shardLog,
          Long.parseLong(facts.getProperty("seed")),
          facts.getProperty(KEY_TYPE),
          hadoop);
    } catch (NumberFormatException e) {
      throw new IOException(list + " is damaged: " + e.getMessage(), e);
    }
  }

  /** The number of shards, as a binary logarithm. */
  static int shardLog(long keys, long keysPerShard) {
    int shardLog = 0;
    while (shardLog < MAX_SHARD_LOG && keys >> shardLog > keysPerShard) {
      shardLog++;
    }
    return shardLog;
  }

  /** Builds and writes one; the spec is that of each shard. */
  static ShardedFiles write(
      Dataset<Row> rows, Rows keys, FilterSpec spec, int shardLog, String directory)
      throws IOException {
    if (!spec.isOrderFree()) {
      throw new IllegalArgumentException(
          spec.variant() + " depends on the order of keys, which shards do not keep");
    }
    SparkSession spark = rows.sparkSession();
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    Path target = new Path(directory);
    if (target.getFileSystem(hadoop).exists(target)) {
      throw new FileAlreadyExistsException(directory + " exists already");
    }
    ShardedFiles files =
        new ShardedFiles(directory, shardLog, spec.seed(), keys.keys().typeName(), hadoop);
    rows.queryExecution()
        .toRdd()
        .toJavaRDD()
        .mapPartitionsToPair(part -> new ShardBatches(keys, part, shardLog))
        .partitionBy(new HashPartitioner(1 << shardLog))
        .values()
        .foreachPartition(batches -> files.writeShard(spec, batches));
    files.writeList(spec);
    return files;
  }

  private void writeShard(FilterSpec spec, Iterator<long[]> batches) throws IOException {
    Storable filter = spec.build(batches);
    HadoopFiles.replace(hadoop.value(), file(TaskContext.getPartitionId()), filter::writeTo);
  }

  private void writeList(FilterSpec spec) throws IOException {
    String text =
        "version=1\nshardLog=%d\nseed=%d\nvariant=%s\nkeysPerShard=%d\nrate=%s\n%s=%s\n"
            .formatted(shardLog, seed, spec.variant(), spec.keys(), spec.rate(), KEY_TYPE, keyType);
    HadoopFiles.replace(
        hadoop.value(), new Path(directory, LIST), out -> out.write(text.getBytes(UTF_8)));
  }

  private Path file(int shard) {
    return new Path(directory, String.format(Locale.ROOT, "shard-%05d.bloom", shard));
  }

  /**
   * The number of shards.
   *
   * @return a power of two
   */
  public int shardCount() {
    return 1 << shardLog;
  }

  /**
   * The hasher of the keys.
   *
   * @return the hasher
   */
  public Hasher hasher() {
    return Hasher.xxh3(seed);
  }

  /**
   * The rows whose key may be in the filter: all of those whose key is, and few others. Rows are
   * exchanged so that each task reads one shard after the other.
   *
   * @param rows the rows
   * @param columns the columns of the key, in the order in which the filter was built
   * @return some of the rows, with the same columns
   * @throws IllegalArgumentException if the columns are of another type than the filter's keys
   */
  public Dataset<Row> filter(Dataset<Row> rows, String... columns) {
    BloomeryCatalog.install(rows.sparkSession());
    if (keyType != null) {
      StructType schema =
          rows.select(Arrays.stream(columns).map(functions::col).toArray(Column[]::new)).schema();
      Descriptions.requireKeys(
          Description.NONE.with(Descriptions.SPARK_TYPE, keyType),
          new Rows(schema, hasher()).keys());
    }
    var key =
        columns.length == 1
            ? col(columns[0])
            : functions.struct(Arrays.stream(columns).map(functions::col).toArray(Column[]::new));
    var hash = functions.call_function(BloomeryCatalog.NAME + ".hash", key, functions.lit(seed));
    var shard =
        shardLog == 0
            ? functions.lit(0)
            : functions.shiftrightunsigned(col(HASH), Long.SIZE - shardLog).cast("int");
    Dataset<Row> keyed = rows;
    for (String column : columns) {
      keyed = keyed.where(col(column).isNotNull());
    }
    Dataset<Row> tagged = keyed.withColumn(HASH, hash).withColumn(SHARD, shard);
    MapPartitionsFunction<Row, Row> task = this::found;
    return tagged
        .repartition(col(SHARD))
        .sortWithinPartitions(col(SHARD))
        .mapPartitions(task, Encoders.row(tagged.schema()))
        .drop(HASH, SHARD);
  }

  private Iterator<Row> found(Iterator<Row> rows) {
    return new Iterator<>() {
      private int open = -1;
      private @Nullable HashedFilter filter;
      private @Nullable Row next = advance();

      private @Nullable Row advance() {
        while (rows.hasNext()) {
          Row row = rows.next();
          int shard = row.getInt(row.length() - 1);
          HashedFilter in = filter;
          if (in == null || shard != open) {
            in = opened(shard);
            filter = in;
            open = shard;
          }
          if (in.mightContainHash(ShardedFilter.inner(row.getLong(row.length() - 2)))) {
            return row;
          }
        }
        return null;
      }

      private HashedFilter opened(int shard) {
        try {
          return shard(shard);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Row next() {
        Row row = next;
        if (row == null) {
          throw new NoSuchElementException();
        }
        next = advance();
        return row;
      }
    };
  }

  private HashedFilter shard(int shard) throws IOException {
    return HadoopFiles.read(
        hadoop.value(),
        file(shard),
        in -> Filters.read(in, ReadOptions.as(HashedFilter.class).withLimit(Long.MAX_VALUE)));
  }

  /**
   * All shards as one filter, in memory: for static kinds, and where it fits.
   *
   * @return the filter, which can also be saved as one file
   * @throws IOException if a shard cannot be read
   */
  public ShardedFilter load() throws IOException {
    List<HashedFilter> shards = new ArrayList<>();
    for (int i = 0; i < shardCount(); i++) {
      shards.add(shard(i));
    }
    return combined(shards);
  }

  @SuppressWarnings("unchecked") // every shard is both
  private <F extends HashedFilter & Storable> ShardedFilter combined(List<HashedFilter> shards) {
    return ShardedFilter.of(hasher(), shardLog, (List<F>) (List<?>) shards);
  }
}
