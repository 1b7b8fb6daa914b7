package io.bloomery.spark;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one side of a join: how many, and their hashes while these are few. So one pass both
 * counts the keys and has the filter; only where they are many, a second pass builds it on
 * executors.
 */
final class SideKeys {

  /** The most hashes that are sent to the driver, 32 MB. */
  private static final int MOST_HASHES = 1 << 22;

  private final long count;
  private final long @Nullable [] hashes;

  private SideKeys(long count, long @Nullable [] hashes) {
    this.count = count;
    this.hashes = hashes;
  }

  static SideKeys of(Dataset<Row> side, String... keys) {
    Dataset<Row> columns = columns(side, keys);
    Rows rows = new Rows(columns.schema(), Hasher.xxh3());
    JavaRDD<InternalRow> source = columns.queryExecution().toRdd().toJavaRDD();
    int most = MOST_HASHES / Math.max(1, source.getNumPartitions());
    List<long[]> parts = source.mapPartitions(part -> part(rows, part, most)).collect();
    long keyCount = parts.stream().mapToLong(part -> part[0]).sum();
    if (parts.stream().anyMatch(part -> part[0] > most)) {
      return new SideKeys(keyCount, null);
    }
    long[] all = distinct(parts.stream().flatMapToLong(part -> Arrays.stream(part).skip(1)));
    return new SideKeys(all.length, all);
  }

  private static Dataset<Row> columns(Dataset<Row> side, String... keys) {
    return side.select(KeyTypes.columns(side, keys));
  }

  /** The number of keys of a partition, and their distinct hashes unless there are too many. */
  private static Iterator<long[]> part(Rows rows, Iterator<InternalRow> part, int most) {
    LongStream.Builder few = LongStream.builder();
    long[] count = new long[1];
    rows.hashAll(
        part,
        (batch, size) -> {
          count[0] += size;
          if (count[0] <= most) {
            Arrays.stream(batch, 0, size).forEach(few);
          }
        });
    LongStream hashes = count[0] > most ? LongStream.empty() : Arrays.stream(distinct(few.build()));
    return List.of(LongStream.concat(LongStream.of(count), hashes).toArray()).iterator();
  }

  private static long[] distinct(LongStream hashes) {
    long[] sorted = hashes.sorted().toArray();
    int kept = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[kept++] = sorted[i];
      }
    }
    return Arrays.copyOf(sorted, kept);
  }

  /** The number of distinct keys, or of keys where that is large. */
  long count() {
    return count;
  }

  /** A filter of the keys. */
  BlockedBloomFilter filter(Dataset<Row> side, double rate, String... keys) {
    long[] known = hashes;
    if (known == null) {
      return new FilterJob(side, List.of(KeyTypes.columns(side, keys)))
          .expectedKeys(count)
          .falsePositiveRate(rate)
          .build(BlockedBloomFilter.KIND);
    }
    BlockedBloomFilter filter = BlockedBloomFilter.create(Math.max(1, known.length), rate);
    filter.addHashes(known, 0, known.length);
    return filter;
  }
}
