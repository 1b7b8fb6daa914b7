package io.bloomery.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * A side of a join that is computed once and read several times, with the same rows each time. Rows
 * that were lost with their executors are not computed again, since they might be others: the query
 * fails instead.
 */
final class KeptSide {

  private final Dataset<Row> rows;
  private final String way;
  private final @Nullable RDD<?> stored; // null: nothing is stored

  private KeptSide(Dataset<Row> rows, String way, @Nullable RDD<?> stored) {
    this.rows = rows;
    this.way = way;
    this.stored = stored;
  }

  /** Computes a side and keeps its rows, unless they are certainly the same each time. */
  static KeptSide of(Dataset<Row> side) {
    if (Repeatable.isCertain(side)) {
      return new KeptSide(side, "is computed twice, as its rows cannot change", null);
    }
    SparkContext context = side.sparkSession().sparkContext();
    if (context.getCheckpointDir().isDefined()) {
      return stored(
          side.checkpoint(true), "was computed once and kept in the checkpoint directory");
    }
    // A second copy, so that one executor may be lost.
    StorageLevel level =
        context.isLocal() ? StorageLevel.MEMORY_AND_DISK() : StorageLevel.MEMORY_AND_DISK_2();
    return stored(
        side.localCheckpoint(true, level),
        "was computed once and kept on the executors, in memory and on disk");
  }

  private static KeptSide stored(Dataset<Row> rows, String way) {
    return new KeptSide(rows, way, ((LogicalRDD) rows.queryExecution().analyzed()).rdd());
  }

  /** The rows of the side, with its columns. */
  Dataset<Row> rows() {
    return rows;
  }

  /** How it is the same each time, as the end of a sentence about the side. */
  String way() {
    return way;
  }

  /** Frees what is stored; plans that read the rows fail from then on. */
  void release() {
    if (stored == null) {
      return;
    }
    scala.Option<String> file = stored.getCheckpointFile();
    if (file.isEmpty()) {
      stored.unpersist(false);
      return;
    }
    Path path = new Path(file.get());
    try {
      path.getFileSystem(rows.sparkSession().sparkContext().hadoopConfiguration())
          .delete(path, true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
