package io.bloomery.spark;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/** The filters that have a name, on the driver; by application. */
final class NamedFilters {

  private static final Map<String, Map<String, Broadcast<SharedFilter>>> APPLICATIONS =
      new ConcurrentHashMap<>();

  private NamedFilters() {}

  private static Map<String, Broadcast<SharedFilter>> of(SparkSession spark) {
    return APPLICATIONS.computeIfAbsent(
        spark.sparkContext().applicationId(), id -> new ConcurrentHashMap<>());
  }

  static boolean has(SparkSession spark, String name) {
    return of(spark).containsKey(name);
  }

  static void put(SparkSession spark, String name, SharedFilter filter) {
    of(spark).put(name, JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(filter));
  }

  static void remove(SparkSession spark, String name) {
    Broadcast<SharedFilter> old = of(spark).remove(name);
    if (old != null) {
      old.unpersist();
    }
  }

  /** What a plan takes along. */
  static Map<String, Broadcast<SharedFilter>> snapshot(SparkSession spark) {
    return Map.copyOf(of(spark));
  }
}
