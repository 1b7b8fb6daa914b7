package io.bloomery.spark;

import io.bloomery.hash.Hasher;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * The keys of rows: one column, or several as the struct of them. A row with a NULL among them has
 * no key.
 */
final class Rows implements Serializable {

  private static final long serialVersionUID = 1;
  private static final int BATCH = 4096;

  /** Enough that a filter larger than the caches is filled part by part. */
  private static final int LARGE_BATCH = 1 << 18;

  /** Receives hashes. */
  @FunctionalInterface
  interface Sink {
    /** The hashes {@code 0…count-1}; the array is used again. */
    void add(long[] hashes, int count);
  }

  private final SparkKeys keys;
  private final int columns;

  /** Of rows that have these columns and no others. */
  Rows(StructType schema, Hasher hasher) {
    this.columns = schema.length();
    this.keys = SparkKeys.of(columns == 1 ? schema.fields()[0].dataType() : schema, hasher);
  }

  /** The type of the keys. */
  SparkKeys keys() {
    return keys;
  }

  private boolean hasKey(InternalRow row) {
    for (int i = 0; i < columns; i++) {
      if (row.isNullAt(i)) {
        return false;
      }
    }
    return true;
  }

  private long hash(InternalRow row) {
    return columns == 1 ? keys.hash(row, 0) : keys.hash(row);
  }

  /** Hashes keys until the batch is full or there are no more rows; returns how many. */
  int fill(Iterator<InternalRow> rows, long[] batch) {
    int count = 0;
    while (count < batch.length && rows.hasNext()) {
      InternalRow row = rows.next();
      if (hasKey(row)) {
        batch[count++] = hash(row);
      }
    }
    return count;
  }

  /** Hashes all keys. */
  void hashAll(Iterator<InternalRow> rows, Sink sink) {
    long[] batch = new long[LARGE_BATCH];
    for (int count = fill(rows, batch); count > 0; count = fill(rows, batch)) {
      sink.add(batch, count);
    }
  }

  /** All hashes in their order, in batches that are numbered from the first. */
  Iterator<Tuple2<Long, long[]>> batches(long first, Iterator<InternalRow> rows) {
    return new Iterator<>() {
      private final long[] batch = new long[BATCH];
      private int count = fill(rows, batch);
      private long number = first;

      @Override
      public boolean hasNext() {
        return count > 0;
      }

      @Override
      public Tuple2<Long, long[]> next() {
        Tuple2<Long, long[]> full = new Tuple2<>(number++, Arrays.copyOf(batch, count));
        count = fill(rows, batch);
        return full;
      }
    };
  }
}
