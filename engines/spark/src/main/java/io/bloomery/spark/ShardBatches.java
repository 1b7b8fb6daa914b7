package io.bloomery.spark;

import io.bloomery.frozen.ShardedFilter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Groups the hashes of a partition into batches of one shard each. Takes about 16 MB for any number
 * of rows and shards.
 */
final class ShardBatches implements Iterator<Tuple2<Integer, long[]>> {

  private static final int BUFFERED_LOG = 21;
  private static final int MOST = 512;
  private static final int LEAST = 16;

  private final Rows keys;
  private final Iterator<InternalRow> rows;
  private final int shardLog;
  private final int size;
  private final long[] hashes = new long[MOST];
  private int count;
  private int at;
  private final long[] @Nullable [] open;
  private final int[] used;
  private int rest;

  ShardBatches(Rows keys, Iterator<InternalRow> rows, int shardLog) {
    this.keys = keys;
    this.rows = rows;
    this.shardLog = shardLog;
    this.size = Math.max(LEAST, Math.min(MOST, 1 << Math.max(0, BUFFERED_LOG - shardLog)));
    this.open = new long[1 << shardLog][];
    this.used = new int[1 << shardLog];
  }

  @Override
  public boolean hasNext() {
    return at < count || refill() || hasRest();
  }

  private boolean refill() {
    at = 0;
    count = keys.fill(rows, hashes);
    return count > 0;
  }

  private boolean hasRest() {
    while (rest < used.length && used[rest] == 0) {
      rest++;
    }
    return rest < used.length;
  }

  @Override
  public Tuple2<Integer, long[]> next() {
    while (at < count || refill()) {
      while (at < count) {
        long hash = hashes[at++];
        int shard = ShardedFilter.shard(hash, shardLog);
        long[] batch = open[shard];
        if (batch == null) {
          batch = new long[size];
          open[shard] = batch;
        }
        batch[used[shard]++] = ShardedFilter.inner(hash);
        if (used[shard] == size) {
          open[shard] = null;
          used[shard] = 0;
          return new Tuple2<>(shard, batch);
        }
      }
    }
    if (!hasRest()) {
      throw new NoSuchElementException();
    }
    long[] batch = Arrays.copyOf(Objects.requireNonNull(open[rest]), used[rest]);
    return new Tuple2<>(rest++, batch);
  }
}
