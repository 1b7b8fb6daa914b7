package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import io.bloomery.Storable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.expressions.BloomFilterMightContain;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.sketch.BloomFilter;

/**
 * Measures the CPU time of tasks, ours and Spark's own in turn: to build a filter of ten million
 * numbers at 1 %, and to look up twenty million. {@code bench/spark} runs it; it is not a test.
 */
final class SparkMeasurement {

  private static final long KEYS = 10_000_000;
  private static final long QUERIES = 20_000_000;
  private static final double RATE = 0.01;

  private final SparkSession spark;
  private final AtomicLong taskNanos = new AtomicLong();
  private final Map<String, double[]> seconds = new LinkedHashMap<>();
  private final int rounds;

  private SparkMeasurement(int rounds) {
    this.rounds = rounds;
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "localhost")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.catalog.bloomery", BloomeryCatalog.class.getName())
            // Without these, Spark's own filter is cut to 8 MB and errs ten times too often.
            .config("spark.sql.optimizer.runtime.bloomFilter.maxNumItems", "100000000")
            .config("spark.sql.optimizer.runtime.bloomFilter.maxNumBits", "1000000000")
            .getOrCreate();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                taskNanos.addAndGet(end.taskMetrics().executorCpuTime());
              }
            });
  }

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
    new SparkMeasurement(rounds).run();
  }

  private void run() throws Exception {
    Dataset<Row> keys = spark.range(0, KEYS, 1, 4).toDF("id");
    Dataset<Row> queries = spark.range(0, QUERIES, 1, 4).toDF("id");
    Storable ours = BloomeryFilters.build(keys, "id", KEYS, RATE);
    BloomeryFilters.register(spark, "ours", ours);
    BloomFilter theirs = keys.stat().bloomFilter("id", KEYS, RATE);
    Column mightContain = mightContain(theirs);
    Broadcast<SharedFilter> shared =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(SharedFilter.of(ours));
    Column byUdf =
        udf(
                (UDF1<Long, Boolean>) id -> shared.value().filter().mightContain(id),
                DataTypes.BooleanType)
            .apply(col("id"));
    for (int round = 0; round < rounds; round++) {
      time(
          round,
          "build: stat.bloomFilter, caps raised",
          () -> keys.stat().bloomFilter("id", KEYS, RATE));
      time(
          round,
          "build: BloomeryFilters.build",
          () -> BloomeryFilters.build(keys, "id", KEYS, RATE));
      time(
          round,
          "build: bloomery.bloom_agg",
          () -> keys.selectExpr("bloomery.bloom_agg(id, 10000000L, 0.01D)").head());
      Path files = Files.createTempDirectory("shards");
      time(
          round,
          "build: writeSharded, fuse",
          () ->
              BloomeryFilters.of(keys, "id")
                  .variant("fuse")
                  .expectedKeys(KEYS)
                  .writeSharded(files.resolve("fuse").toString(), 1 << 20));
      deleteAll(files);
      time(round, "nothing: count of the rows", () -> queries.where("id % 7 = 8").count());
      time(round, "lookup: might_contain", () -> queries.where(mightContain).count());
      time(
          round,
          "lookup: bloomery.contains",
          () -> queries.where("bloomery.contains('ours', id)").count());
      time(round, "lookup: UDF", () -> queries.where(byUdf).count());
      System.err.printf("round %d of %d%n", round + 1, rounds);
    }
    print();
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static Column mightContain(BloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return ExpressionUtils.column(
        new BloomFilterMightContain(
            Literal.create(out.toByteArray(), DataTypes.BinaryType),
            UnresolvedAttribute.quoted("id")));
  }

  /** What is measured. */
  @FunctionalInterface
  private interface Job {
    Object run() throws Exception;
  }

  private void time(int round, String name, Job job) throws Exception {
    taskNanos.set(0);
    job.run();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    seconds.computeIfAbsent(name, key -> new double[rounds])[round] = taskNanos.get() / 1e9;
  }

  private void print() {
    System.out.printf(
        "| CPU-s of tasks, median of %d | least | median | most |%n|---|---|---|---|%n", rounds);
    seconds.forEach(
        (name, times) -> {
          double[] sorted = times.clone();
          Arrays.sort(sorted);
          System.out.printf(
              Locale.ROOT,
              "| %s | %.2f | %.2f | %.2f |%n",
              name,
              sorted[0],
              sorted[rounds / 2],
              sorted[rounds - 1]);
        });
  }
}
