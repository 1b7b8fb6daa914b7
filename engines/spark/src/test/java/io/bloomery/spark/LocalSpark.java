package io.bloomery.spark;

import org.apache.spark.sql.SparkSession;

/**
 * The session that all tests of a JVM share: two threads, four attempts per task, no user
 * interface.
 */
final class LocalSpark {

  private static final SparkSession SESSION =
      SparkSession.builder()
          .master("local[2,4]")
          .appName("bloomery")
          .config("spark.ui.enabled", "false")
          .config("spark.sql.shuffle.partitions", "4")
          .config("spark.default.parallelism", "4")
          .config("spark.driver.host", "localhost")
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.sql.warehouse.dir", "target/warehouse")
          .config("spark.local.dir", "target/spark")
          .config("spark.sql.session.timeZone", "UTC")
          // Generated code that does not compile is an error, not a slow path.
          .config("spark.sql.codegen.fallback", "false")
          .config("spark.sql.codegen.factoryMode", "CODEGEN_ONLY")
          .getOrCreate();

  private LocalSpark() {}

  static SparkSession session() {
    return SESSION;
  }
}
