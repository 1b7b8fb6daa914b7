package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.AddableFilter;
import io.bloomery.Filters;
import io.bloomery.FrequencyFilter;
import io.bloomery.HashedFilter;
import io.bloomery.Storable;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.frozen.ShardedFilter;
import io.bloomery.hash.Hasher;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.plan.Planner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters of datasets are the filters of their keys. */
final class FilterJobTest {

  private static final int KEYS = 20_000;

  private static Dataset<Row> ids(long keys, int partitions) {
    return LocalSpark.session().range(0, keys, 1, partitions).toDF("id");
  }

  /** Many partitions: three levels of merges. */
  @Test
  void theBytesAreThoseOfALocalFilter() {
    BlockedBloomFilter local = BlockedBloomFilter.create(KEYS, 0.01);
    LongStream.range(0, KEYS).forEach(local::add);
    for (int partitions : List.of(1, 3, 40)) {
      Storable built = BloomeryFilters.build(ids(KEYS, partitions), "id", KEYS, 0.01);
      assertThat(built.sameContent(local)).as("%d partitions", partitions).isTrue();
    }
  }

  /** Parts of the keys, in any order: otherwise the partitions would show, or cost a worse rate. */
  @Test
  void whatIsMergedIsTheFilterOfAllKeys() {
    List<String> merged = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String name : Planner.standard().names()) {
      FilterSpec spec;
      try {
        spec = FilterSpec.of(name, 1_000, 0.01, Hasher.xxh3());
      } catch (IllegalArgumentException e) {
        continue; // needs more than keys
      }
      if (spec.isMerged()) {
        merged.add(name);
        Storable whole = spec.create();
        Storable[] parts = {spec.createForTask(), spec.createForTask(), spec.createForTask()};
        for (long key = 0; key < 1_000; key++) {
          ((AddableFilter) whole).add(key);
          ((AddableFilter) parts[(int) (key % 3)]).add(key);
        }
        Parcel.merge(parts[2], parts[0]);
        Parcel.merge(parts[2], parts[1]);
        if (!parts[2].sameContent(whole)) {
          others.add(name);
        }
      }
    }
    assertThat(others).isEmpty();
    assertThat(merged)
        .contains("bloom", "blocked", "counting", "count-min")
        .doesNotContain("two-choice", "memory-optimized");
  }

  /** Merged, gathered in order, sorted, or static: the partitions do not show. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bloom",
        "blocked-64",
        "counting",
        "count-min",
        "two-choice",
        "cuckoo",
        "quotient",
        "scalable",
        "recent",
        "fuse",
        "ribbon"
      })
  void partitionsDoNotShow(String variant) {
    // Each key twice.
    Dataset<Row> rows = ids(2_000, 1).select(col("id").divide(2).cast("long").as("id"));
    Storable one = job(rows, variant).build();
    Storable seven =
        job(rows.repartitionByRange(7, col("id")).sortWithinPartitions("id"), variant).build();
    assertThat(seven.sameContent(one)).isTrue();
    HashedFilter filter = (HashedFilter) one;
    assertThat(LongStream.range(0, 1_000).allMatch(filter::mightContain)).isTrue();
    long hits = LongStream.range(1_000, 11_000).filter(filter::mightContain).count();
    assertThat(hits).isLessThan(200);
    if (one instanceof FrequencyFilter counts) {
      assertThat(counts.count(7L)).isGreaterThanOrEqualTo(2);
    }
  }

  private static FilterJob job(Dataset<Row> rows, String variant) {
    // A window counts every row.
    return BloomeryFilters.of(rows, "id")
        .variant(variant)
        .expectedKeys(variant.equals("recent") ? 2_000 : 1_000);
  }

  @Test
  void kindsGiveTheirOwnClass() {
    CountingBloomFilter counting =
        BloomeryFilters.of(ids(100, 2), "id").expectedKeys(100).build(CountingBloomFilter.KIND);
    assertThat(counting.remove(5L)).isTrue();
  }

  @Test
  void nullsAreNotKeys(@TempDir Path directory) throws IOException {
    Dataset<Row> rows =
        ids(100, 2)
            .withColumn("odd", when(col("id").mod(2).equalTo(1), col("id")))
            .withColumn("name", when(col("id").mod(3).equalTo(0), lit("x")));
    AddableFilter one = (AddableFilter) BloomeryFilters.build(rows, "odd", 1_000, 1e-6);
    assertThat(LongStream.range(0, 100).filter(one::mightContain).count()).isEqualTo(50);
    AddableFilter two =
        (AddableFilter) BloomeryFilters.build(rows, List.of("odd", "name"), 1_000, 1e-6);
    long found =
        LongStream.range(0, 100)
            .filter(i -> two.mightContain(i, (key, into) -> into.put(key).put("x")))
            .count();
    assertThat(found).isEqualTo(17); // 3, 9, … 99
    Storable none = BloomeryFilters.build(rows.where("false"), "odd", 1_000, 1e-6);
    assertThat(none.mightContain(1L)).isFalse();
    // The second partition has NULLs only.
    ShardedFilter shards =
        BloomeryFilters.of(rows.withColumn("early", when(col("id").lt(50), col("id"))), "early")
            .variant("fuse")
            .expectedKeys(50)
            .falsePositiveRate(1e-6)
            .writeSharded(directory.resolve("shards").toString(), 20)
            .load();
    assertThat(shards.shardCount()).isEqualTo(4);
    assertThat(LongStream.range(0, 100).filter(shards::mightContain).count()).isEqualTo(50);
  }

  /** The estimate of distinct keys is within 4 % but for luck of one in 15,000. */
  @Test
  void theNumberOfKeysMayBeUnknown() {
    Dataset<Row> rows = ids(3 * KEYS, 3).select(col("id").mod(KEYS).as("id"));
    BlockedBloomFilter filter = BloomeryFilters.of(rows, "id").build(BlockedBloomFilter.KIND);
    assertThat(filter.falsePositiveRate()).isBetween(0.007, 0.0101);
  }

  @Test
  void whatTheDriverRefusesIsSaidBefore() {
    assertThatThrownBy(() -> BloomeryFilters.build(ids(10, 2), "id", 2_000_000_000L, 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("the filter has 2,\\d{3} MB, but the driver accepts 1,024 MB .*")
        .hasMessageContaining("spark.driver.maxResultSize")
        .hasMessageContaining("writeSharded");
    assertThatThrownBy(() -> BloomeryFilters.of(ids(1, 1), "id").variant("nonsense"))
        .hasMessageContaining("is not one of");
    assertThatThrownBy(
            () -> BloomeryFilters.of(ids(1, 1), "id").variant("bloomier").expectedKeys(1).build())
        .hasMessageContaining("value");
  }

  @Test
  void partsOfFewKeysTravelCompressed() {
    AddableFilter few = (AddableFilter) new FilterSpec("bloom", 1_000_000, 0.01, 0).create();
    few.add("a");
    byte[] small = Parcel.pack((Storable) few);
    assertThat(small.length).isLessThan(20_000);
    assertThat(Parcel.unpack(small).sameContent((Storable) few)).isTrue();
    for (long i = 0; i < 1_000_000; i++) {
      few.add(i);
    }
    byte[] large = Parcel.pack((Storable) few);
    assertThat((long) large.length).isEqualTo(1 + ((Storable) few).storedBytes());
    assertThat(Parcel.unpack(large).sameContent((Storable) few)).isTrue();
  }

  @Test
  void shardsAreFiles(@TempDir Path directory) throws IOException {
    for (String variant : List.of("fuse", "blocked", "cuckoo")) {
      Path first = directory.resolve(variant);
      FilterJob job = BloomeryFilters.of(ids(KEYS, 5), "id").variant(variant).expectedKeys(KEYS);
      ShardedFiles files = job.writeSharded(first.toUri().toString(), 3_000);
      assertThat(files.shardCount()).isEqualTo(8);
      // The same keys in other partitions, in shards of the same size: the same bytes.
      Path second = directory.resolve(variant + "-again");
      BloomeryFilters.of(ids(KEYS, 2).orderBy(col("id").desc()), "id")
          .variant(variant)
          .expectedKeys(KEYS)
          .writeSharded(second.toUri().toString(), 3_000);
      try (var shards = Files.list(first)) {
        for (Path shard : shards.toList()) {
          if (!shard.getFileName().toString().startsWith(".")) {
            assertThat(second.resolve(shard.getFileName())).hasSameBinaryContentAs(shard);
          }
        }
      }
      ShardedFiles again = ShardedFiles.open(LocalSpark.session(), first.toUri().toString());
      Dataset<Row> found = again.filter(ids(2 * KEYS, 3), "id");
      assertThat(found.columns()).containsExactly("id");
      assertThat(found.where("id < " + KEYS).count()).isEqualTo(KEYS);
      assertThat(found.where("id >= " + KEYS).count()).isLessThan(KEYS / 50);
      assertThatThrownBy(() -> again.filter(ids(5, 1).selectExpr("id * 0.5D as id"), "id"))
          .hasMessageContaining("the filter's keys are of type bigint, not double");
      assertThatThrownBy(() -> job.writeSharded(first.toUri().toString(), 3_000))
          .hasMessageContaining("exists");
      if (variant.equals("fuse")) {
        ShardedFilter whole = again.load();
        assertThat(LongStream.range(0, KEYS).allMatch(whole::mightContain)).isTrue();
        assertThat(Filters.read(whole.toBytes())).isInstanceOf(ShardedFilter.class);
      }
    }
    assertThatThrownBy(
            () ->
                BloomeryFilters.of(ids(10, 1), "id")
                    .variant("recent")
                    .expectedKeys(10)
                    .writeSharded(directory.resolve("recent").toString(), 5))
        .hasMessageContaining("order");
  }

  @Test
  void seedsAreKept() {
    Storable filter =
        BloomeryFilters.of(ids(100, 2), "id").expectedKeys(100).hasher(Hasher.xxh3(7)).build();
    assertThat(((HashedFilter) filter).hasher()).isEqualTo(Hasher.xxh3(7));
    assertThat(LongStream.range(0, 100).allMatch(filter::mightContain)).isTrue();
  }
}
