package io.bloomery.spark;

import static org.apache.spark.sql.functions.expr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * How much a filter saves in a join of 6 million with 1.5 million rows of which a condition selects
 * 2 %: task CPU and shuffled bytes without a filter, with Spark's own runtime filter forced on, and
 * with {@link BloomJoin}. They take turns; the medians of the rounds after the first are printed.
 *
 * <p>{@code bench/spark join} runs it; it is not a test. Arguments: number of rounds (7), rows in
 * thousands (6000). Files lie below the directory for temporary files.
 */
final class JoinMeasurement {

  private static final String RUNTIME = "spark.sql.optimizer.runtime.bloomFilter.";

  private JoinMeasurement() {}

  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 7;
    long rows = 1000L * (arguments.length > 1 ? Integer.parseInt(arguments[1]) : 6000);
    SparkSession spark = session();
    Path files = Files.createTempDirectory("join");
    try {
      measure(spark, files, rows, rounds);
    } finally {
      spark.stop();
    }
  }

  private static SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.driver.host", "localhost")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config(RUNTIME + "creationSideThreshold", "1GB")
        .config(RUNTIME + "applicationSideScanSizeThreshold", "0")
        .getOrCreate();
  }

  private static void measure(SparkSession spark, Path files, long rows, int rounds)
      throws TimeoutException {
    String orders = files.resolve("orders").toString();
    String customers = files.resolve("customers").toString();
    spark
        .range(0, rows, 1, 8)
        .select(
            expr("xxhash64(id) & 4611686018427387903").mod(rows / 4).as("customer"),
            expr("id * 0.01").as("amount"),
            expr("substr(sha2(cast(id as string), 256), 1, 16)").as("note"))
        .write()
        .parquet(orders);
    spark
        .range(0, rows / 4, 1, 4)
        .select(
            expr("id").as("customer"),
            expr("xxhash64(id, 7) & 4611686018427387903").mod(50).as("segment"),
            expr("substr(sha2(cast(id as string), 256), 1, 24)").as("name"))
        .write()
        .parquet(customers);
    Dataset<Row> big = spark.read().parquet(orders);
    Dataset<Row> small = spark.read().parquet(customers).where("segment = 7");
    String[] key = {"customer"};
    Map<String, Supplier<Dataset<Row>>> joins = new LinkedHashMap<>();
    joins.put("no filter", () -> big.join(small, key, "inner"));
    joins.put("Spark's filter", () -> big.join(small, key, "inner"));
    joins.put("BloomJoin", () -> BloomJoin.join(big, small, "inner", key));
    Map<String, double[][]> figures = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<String, Supplier<Dataset<Row>>> join : joins.entrySet()) {
        spark.conf().set(RUNTIME + "enabled", join.getKey().startsWith("Spark"));
        figures.computeIfAbsent(join.getKey(), name -> new double[rounds][])[round] =
            run(spark, join.getValue());
      }
    }
    System.out.println(BloomJoin.plan(big, small, "inner", key).reason());
    print(figures);
  }

  /** CPU seconds of tasks, megabytes shuffled, rows. */
  private static double[] run(SparkSession spark, Supplier<Dataset<Row>> join)
      throws TimeoutException {
    AtomicLong nanos = new AtomicLong();
    AtomicLong bytes = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            nanos.addAndGet(end.taskMetrics().executorCpuTime());
            bytes.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
          }
        };
    spark.sparkContext().listenerBus().waitUntilEmpty();
    spark.sparkContext().addSparkListener(listener);
    long rows =
        join.get().agg(expr("count(*)"), expr("sum(amount)"), expr("max(note)")).head().getLong(0);
    spark.sparkContext().listenerBus().waitUntilEmpty();
    spark.sparkContext().removeSparkListener(listener);
    return new double[] {nanos.get() / 1e9, bytes.get() / 1e6, rows};
  }

  private static void print(Map<String, double[][]> figures) {
    double plain = median(figures.get("no filter"), 0);
    System.out.println("| join | task CPU, s | speed | shuffled, MB | rows |");
    System.out.println("|---|---|---|---|---|");
    figures.forEach(
        (name, rounds) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.1f | %.0f |%n",
                name,
                median(rounds, 0),
                plain / median(rounds, 0),
                median(rounds, 1),
                median(rounds, 2)));
  }

  private static double median(double[][] rounds, int figure) {
    double[] sorted =
        Arrays.stream(rounds).skip(1).mapToDouble(round -> round[figure]).sorted().toArray();
    return sorted[sorted.length / 2];
  }
}
