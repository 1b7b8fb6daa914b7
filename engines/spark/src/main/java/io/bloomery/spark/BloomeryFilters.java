package io.bloomery.spark;

import io.bloomery.Filter;
import io.bloomery.Storable;
import io.bloomery.foreign.ForeignBloomFilter;
import io.bloomery.foreign.SparkFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.util.sketch.BloomFilter;

/**
 * Builds filters from datasets, looks up keys in them, and reads and writes them on the cluster's
 * file system.
 *
 * <pre>{@code
 * Storable known = BloomeryFilters.build(customers, "customer", 10_000_000, 0.01);
 * Dataset<Row> rest = orders.where(BloomeryFilters.contains(spark, known, col("customer")));
 * BloomeryFilters.write(spark, known, "hdfs:///filters/customers.bloom");
 * }</pre>
 *
 * <p>A NULL is never in a filter, and looking it up gives NULL. {@link SparkKeys} defines the key
 * of a value.
 */
public final class BloomeryFilters {

  private BloomeryFilters() {}

  /**
   * The filter of a column: blocked, the library's default.
   *
   * @param data the dataset
   * @param column the column of the keys
   * @param expectedKeys how many distinct keys there are
   * @param falsePositiveRate the rate at that number, above 0 and below 1
   * @return the filter, on the driver's heap
   * @throws IllegalArgumentException as {@link FilterJob#build()}
   */
  public static Storable build(
      Dataset<?> data, String column, long expectedKeys, double falsePositiveRate) {
    return build(data, List.of(column), expectedKeys, falsePositiveRate);
  }

  /**
   * The filter of several columns, whose key is the struct of them; rows with a NULL in any of them
   * have none.
   *
   * @param data the dataset
   * @param columns the columns of the keys
   * @param expectedKeys how many distinct keys there are
   * @param falsePositiveRate the rate at that number, above 0 and below 1
   * @return the filter, on the driver's heap
   * @throws IllegalArgumentException as {@link FilterJob#build()}
   */
  public static Storable build(
      Dataset<?> data, List<String> columns, long expectedKeys, double falsePositiveRate) {
    return of(data, columns.toArray(String[]::new))
        .expectedKeys(expectedKeys)
        .falsePositiveRate(falsePositiveRate)
        .build();
  }

  /**
   * Starts a builder with more options: kind, hasher, an unknown number of keys, shards.
   *
   * @param data the dataset
   * @param columns the column of the keys, or several
   * @return the builder
   */
  public static FilterJob of(Dataset<?> data, String... columns) {
    return new FilterJob(data, Arrays.stream(columns).map(data::col).toList());
  }

  /**
   * Whether a key may be in a filter, as a column: NULL where the key is. The filter is broadcast,
   * only once if the same one is passed repeatedly, and stays on the executors until the
   * application ends; to release one earlier, give it a name by {@link #register}.
   *
   * @param spark the session
   * @param filter any filter of Bloomery or of another system
   * @param key the key; for several columns {@code functions.struct} of them
   * @return a column of truth values
   */
  public static Column contains(SparkSession spark, Filter filter, Column key) {
    SharedFilter shared = SharedFilter.of(filter);
    String name = NamedFilters.ofBytes(shared.bytes());
    BloomeryCatalog.install(spark);
    if (!NamedFilters.has(spark, name)) {
      NamedFilters.put(spark, name, shared);
    }
    return contains(name, Objects.requireNonNull(key));
  }

  /** Whether a key may be in the filter of a name. */
  static Column contains(String name, Column key) {
    return functions.call_function(BloomeryCatalog.NAME + ".contains", functions.lit(name), key);
  }

  /**
   * Broadcasts a filter under a name for SQL, as {@code bloomery.contains('name', key)}. Plans that
   * were analysed before keep the filter that had the name then.
   *
   * @param spark the session; the name is known to all sessions of the application
   * @param name any text
   * @param filter any filter of Bloomery or of another system; later adds are not seen
   */
  public static void register(SparkSession spark, String name, Filter filter) {
    BloomeryCatalog.install(spark);
    NamedFilters.put(spark, name, SharedFilter.of(filter));
  }

  /**
   * Removes a name and frees its filter's memory on all executors.
   *
   * @param spark the session
   * @param name the name; nothing happens if it is unknown
   */
  public static void unregister(SparkSession spark, String name) {
    NamedFilters.remove(spark, name);
  }

  /**
   * Reads a filter of Bloomery or of another system.
   *
   * @param spark the session
   * @param file on any file system that Hadoop knows
   * @return the filter
   * @throws IOException if it cannot be read, is damaged, or no format fits
   */
  public static Filter read(SparkSession spark, String file) throws IOException {
    SharedFilter shared =
        HadoopFiles.read(
            hadoop(spark), new Path(file), in -> SharedFilter.ofBytes(in.readAllBytes()));
    return Descriptions.remember(shared.filter(), shared.description());
  }

  /**
   * Reads a filter of another system.
   *
   * @param spark the session
   * @param file on any file system that Hadoop knows
   * @param format the name of the format, as docs/formats.md has it
   * @return the filter
   * @throws IOException if it cannot be read or is not of that format
   */
  public static Filter read(SparkSession spark, String file, String format) throws IOException {
    return HadoopFiles.read(
        hadoop(spark),
        new Path(file),
        in -> SharedFilter.ofBytes(in.readAllBytes(), format).filter());
  }

  /**
   * Writes a filter as one file, which {@code bloom} and every other user of the library opens:
   * first under another name, then renamed. A file that exists is replaced in one step where the
   * file system can (HDFS and local files; object stores copy, and others delete the old file
   * first); if writing fails, it is unchanged.
   *
   * @param spark the session
   * @param filter the filter, of Bloomery or of another system, whose format is kept
   * @param file on any file system that Hadoop knows; replaced if it exists
   * @throws IOException if writing fails
   */
  public static void write(SparkSession spark, Filter filter, String file) throws IOException {
    byte[] bytes = SharedFilter.of(filter).bytes();
    HadoopFiles.replace(hadoop(spark), new Path(file), out -> out.write(bytes));
  }

  private static Configuration hadoop(SparkSession spark) {
    return spark.sparkContext().hadoopConfiguration();
  }

  /**
   * The same filter for Bloomery: the result of {@code df.stat().bloomFilter}, of either version.
   *
   * @param theirs Spark's own filter
   * @return answers as it does
   */
  public static ForeignBloomFilter ofSpark(BloomFilter theirs) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      theirs.writeTo(out);
      return SparkFormat.FORMAT.read(out.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The same filter for Spark.
   *
   * @param ours a filter of Spark's format
   * @return Spark's own class
   * @throws IllegalArgumentException if it is of another format
   */
  public static BloomFilter toSpark(ForeignBloomFilter ours) {
    if (ours.format() != SparkFormat.FORMAT) {
      throw new IllegalArgumentException(
          "the filter is of format "
              + ours.format().name()
              + ", not spark; bits cannot be converted");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ours.writeTo(out);
      return BloomFilter.readFrom(new ByteArrayInputStream(out.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
