package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.testkit.Rates;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The requested rate is met at any number of keys. */
final class RateTest {

  private static final long KEYS = 10_000_000;
  private static final int QUERIES = 1_000_000;

  /** With default options, where Spark's own filter is cut to 8 MB and says nothing. */
  @Test
  @Tag("long")
  void tenMillionKeys() {
    Dataset<Row> rows = LocalSpark.session().range(0, KEYS, 1, 4).toDF("id");
    BloomFilter theirs = rows.stat().bloomFilter("id", KEYS, 0.01);
    assertThat(theirs.bitSize()).isEqualTo(8L << 23);
    long wrong = LongStream.range(KEYS, KEYS + QUERIES).filter(theirs::mightContainLong).count();
    // 2^26 bits, and as many hashes as are best for 4 million keys, the other cap: 12.
    double expected = Math.pow(-Math.expm1(-12.0 * KEYS / 0x1p26), 12);
    assertThat(expected).isCloseTo(0.111, within(0.0005));
    Rates.assertRate(wrong, QUERIES, expected, 5);

    BlockedBloomFilter ours =
        BloomeryFilters.of(rows, "id").expectedKeys(KEYS).build(BlockedBloomFilter.KIND);
    assertThat(LongStream.range(0, KEYS).allMatch(ours::mightContain)).isTrue();
    double rate = ours.shape().falsePositiveRate(KEYS);
    long hits = LongStream.range(KEYS, KEYS + QUERIES).filter(ours::mightContain).count();
    assertThat(rate).isBetween(0.0095, 0.01);
    Rates.assertRate(hits, QUERIES, rate, 5);
  }

  /** Ten thousand million keys: sized, though no driver takes it. */
  @Test
  void tenThousandMillionKeysArePlanned() {
    FilterSpec spec = FilterSpec.of("blocked-512", 10_000_000_000L, 0.01, Hasher.xxh3());
    BlockShape shape = BlockShape.forKeys(spec.keys(), spec.rate(), 512);
    assertThat(shape.falsePositiveRate(spec.keys())).isBetween(0.0095, 0.01);
    assertThat(spec.storedBytes()).isBetween(12_000_000_000L, 14_000_000_000L);
    // 2^11 shards, each of which a task builds in memory.
    assertThat(ShardedFiles.shardLog(spec.keys(), 5_000_000)).isEqualTo(11);
    FilterSpec shard = FilterSpec.of("blocked-512", spec.keys() >> 11, 0.01, Hasher.xxh3());
    assertThat(shard.storedBytes()).isLessThan(7_000_000L);
  }
}
