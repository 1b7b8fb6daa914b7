package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.udf;
import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.Storable;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is lost is computed again, to the same bytes. */
final class LostTasksTest {

  private static final int KEYS = 10_000;

  /** Every first attempt fails in the middle of its partition. */
  private static Dataset<Row> failing() {
    UDF1<Long, Long> failsOnce =
        id -> {
          if (id % 2_500 == 2_000 && TaskContext.get().attemptNumber() == 0) {
            throw new IllegalStateException("this attempt is lost, as the test wants");
          }
          return id;
        };
    return LocalSpark.session()
        .range(0, KEYS, 1, 4)
        .select(udf(failsOnce, DataTypes.LongType).apply(col("id")).as("id"));
  }

  @Test
  void failedTasksLeaveNoTrace(@TempDir Path directory) throws IOException {
    BlockedBloomFilter local = BlockedBloomFilter.create(KEYS, 0.01);
    LongStream.range(0, KEYS).forEach(local::add);
    assertThat(BloomeryFilters.build(failing(), "id", KEYS, 0.01).sameContent(local)).isTrue();
    Dataset<Row> sound = LocalSpark.session().range(0, KEYS, 1, 4).toDF("id");
    for (String variant : List.of("counting", "cuckoo")) {
      Storable failed = job(failing(), variant).build();
      assertThat(failed.sameContent(job(sound, variant).build())).as(variant).isTrue();
    }
    Path lost = directory.resolve("lost");
    Path kept = directory.resolve("kept");
    job(failing(), "fuse").writeSharded(lost.toString(), 3_000);
    job(sound, "fuse").writeSharded(kept.toString(), 3_000);
    for (String shard : List.of("shard-00000.bloom", "shard-00003.bloom", "shards.properties")) {
      assertThat(lost.resolve(shard)).hasSameBinaryContentAs(kept.resolve(shard));
    }
  }

  private static FilterJob job(Dataset<Row> rows, String variant) {
    return BloomeryFilters.of(rows, "id").variant(variant).expectedKeys(KEYS);
  }

  /** Two executors, each a process; the first one to run a task ends itself. */
  @Test
  @Tag("long")
  void aKilledExecutorIsReplaced(@TempDir Path home) throws IOException, InterruptedException {
    assertThat(LocalCluster.run(KilledExecutor.class, home))
        .contains("the same bytes; executors lost: 1");
  }
}
