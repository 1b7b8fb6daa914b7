package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;

import io.bloomery.Storable;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** A driver with two executors in processes of their own, one of which is killed at work. */
final class KilledExecutor {

  private static final int KEYS = 100_000;

  private KilledExecutor() {}

  public static void main(String[] arguments) {
    String marker = Path.of(arguments[0], "killed").toString();
    SparkSession spark = LocalCluster.session(arguments[0]);
    AtomicInteger lost = new AtomicInteger();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
                lost.incrementAndGet();
              }
            });
    UDF1<Long, Long> killsOnce =
        id -> {
          if (id == KEYS / 2 && created(marker)) {
            Runtime.getRuntime().halt(137); // as by SIGKILL
          }
          return id;
        };
    Storable built =
        BloomeryFilters.build(
            spark
                .range(0, KEYS, 1, 20)
                .select(udf(killsOnce, DataTypes.LongType).apply(col("id")).as("id")),
            "id",
            KEYS,
            0.01);
    BlockedBloomFilter local = BlockedBloomFilter.create(KEYS, 0.01);
    LongStream.range(0, KEYS).forEach(local::add);
    System.out.printf(
        "%s bytes; executors lost: %d%n",
        built.sameContent(local) ? "the same" : "other", lost.get());
    spark.stop();
  }

  /** Whether this call made the file. */
  private static boolean created(String file) throws IOException {
    try {
      Files.createFile(Path.of(file));
      return true;
    } catch (java.nio.file.FileAlreadyExistsException e) {
      return false;
    }
  }
}
