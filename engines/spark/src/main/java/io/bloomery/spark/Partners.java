package io.bloomery.spark;

import io.bloomery.HashedFilter;
import io.bloomery.hash.Hasher;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;

/** How many rows of a side have a partner, by the first rows of some of its partitions. */
final class Partners {

  private static final int PARTITIONS = 8;
  private static final int ROWS = 500;

  private Partners() {}

  /**
   * The share of rows whose key a filter finds, or -1 if no sample is taken: there are no rows, or
   * the first of them would be had by computing them all.
   */
  static double share(Dataset<Row> side, HashedFilter filter, String... keys) {
    if (!isCheap(side.queryExecution().optimizedPlan())) {
      return -1;
    }
    Dataset<Row> columns = side.select(KeyTypes.columns(side, keys));
    Rows rows = new Rows(columns.schema(), Hasher.xxh3());
    JavaRDD<InternalRow> source = columns.queryExecution().toRdd().toJavaRDD();
    int partitions = source.getNumPartitions();
    int[] some =
        IntStream.range(0, PARTITIONS)
            .map(i -> (int) ((long) i * partitions / PARTITIONS))
            .distinct()
            .limit(partitions)
            .toArray();
    Broadcast<SharedFilter> shared =
        JavaSparkContext.fromSparkContext(side.sparkSession().sparkContext())
            .broadcast(SharedFilter.of(filter));
    List<long[]>[] counts =
        source.mapPartitions(part -> count(rows, part, shared.value())).collectPartitions(some);
    shared.destroy();
    long found = 0;
    long total = 0;
    for (List<long[]> each : counts) {
      found += each.get(0)[0];
      total += each.get(0)[1];
    }
    return total == 0 ? -1 : (double) found / total;
  }

  /** Whether rows are produced one at a time from stored data. */
  private static boolean isCheap(LogicalPlan plan) {
    if (plan.children().isEmpty()) {
      return true;
    }
    return (plan instanceof Project || plan instanceof Filter) && isCheap(plan.children().head());
  }

  private static Iterator<long[]> count(
      Rows rows, Iterator<InternalRow> part, SharedFilter shared) {
    HashedFilter filter = (HashedFilter) shared.filter();
    long[] foundAndAll = new long[2];
    Iterator<InternalRow> first =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return foundAndAll[1] < ROWS && part.hasNext();
          }

          @Override
          public InternalRow next() {
            foundAndAll[1]++;
            return part.next();
          }
        };
    rows.hashAll(
        first,
        (hashes, size) ->
            foundAndAll[0] +=
                Arrays.stream(hashes, 0, size).filter(filter::mightContainHash).count());
    return List.of(foundAndAll).iterator();
  }
}
