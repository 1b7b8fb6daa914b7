package io.bloomery.spark;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;

/** The filters that have a name, on the driver; by application. */
final class NamedFilters {

  private static final Map<String, Map<String, Broadcast<SharedFilter>>> APPLICATIONS =
      new ConcurrentHashMap<>();

  /** The prefix of the number of an unnamed filter. */
  private static final String NUMBERED = "filter-";

  private NamedFilters() {}

  /** A name for a filter that has none, the same for the same bytes. */
  static String ofBytes(byte[] bytes) {
    return NUMBERED + UUID.nameUUIDFromBytes(bytes);
  }

  /** The explicitly given names, in order. */
  static List<String> given(Collection<String> names) {
    return names.stream().filter(name -> !name.startsWith(NUMBERED)).sorted().toList();
  }

  /** A name that no filter has. */
  static String unused() {
    return NUMBERED + UUID.randomUUID();
  }

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

  /** Removes a name. The filter stays as long as a plan that references it. */
  static void forget(SparkSession spark, String name) {
    of(spark).remove(name);
  }

  /** The filters that a plan references. */
  static Map<String, Broadcast<SharedFilter>> snapshot(SparkSession spark) {
    return Map.copyOf(of(spark));
  }
}
