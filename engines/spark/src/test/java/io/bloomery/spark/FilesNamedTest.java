package io.bloomery.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.FilterFormatException;
import io.bloomery.Storable;
import io.bloomery.membership.BlockedBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong with a file, the message names it. */
final class FilesNamedTest {

  private static final SparkSession SPARK = LocalSpark.session();
  private static final Dataset<Row> ROWS = SPARK.range(100).toDF();

  @TempDir private Path directory;

  private static void assertNamed(
      Path file, Class<? extends IOException> type, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(type).hasMessageContaining(file.toString());
  }

  private static void assertUnreadable(Path file, Class<? extends IOException> type) {
    for (String name : new String[] {file.toString(), file.toUri().toString()}) {
      assertNamed(file, type, () -> BloomeryFilters.read(SPARK, name));
      assertNamed(file, type, () -> BloomeryFilters.read(SPARK, name, "spark"));
    }
  }

  @Test
  void filesThatCannotBeRead() throws IOException {
    assertUnreadable(directory.resolve("none.bloom"), IOException.class);
    assertUnreadable(directory, IOException.class);
    byte[] bytes = BlockedBloomFilter.create(1000, 0.01).toBytes();
    for (int length : new int[] {0, 3, 20, 500}) {
      Path part = Files.write(directory.resolve("part" + length), Arrays.copyOf(bytes, length));
      assertUnreadable(part, FilterFormatException.class);
    }
    Path text = Files.writeString(directory.resolve("text.bin"), "no filter at all");
    assertUnreadable(text, FilterFormatException.class);
  }

  @Test
  void filesThatCannotBeWritten() throws IOException {
    Storable filter = BlockedBloomFilter.create(1000, 0.01);
    Path taken = Files.createDirectories(directory.resolve("taken/inner")).getParent();
    assertNamed(
        taken, IOException.class, () -> BloomeryFilters.write(SPARK, filter, taken.toString()));
    Path below = Files.createFile(directory.resolve("file")).resolve("a.bloom");
    assertNamed(
        below, IOException.class, () -> BloomeryFilters.write(SPARK, filter, below.toString()));
  }

  @Test
  void namedFilesOfTheCatalog() {
    Path none = directory.resolve("none.bloom");
    SparkSession other = SPARK.newSession();
    other.conf().set("spark.sql.catalog.missing", BloomeryCatalog.class.getName());
    other.conf().set("spark.sql.catalog.missing.filter.none", none.toString());
    assertThatThrownBy(() -> other.sql("select missing.contains('none', 5L)"))
        .hasMessageContaining(none.toString());
  }

  @Test
  void shards() throws IOException {
    Path shards = directory.resolve("shards");
    assertNamed(
        shards, IOException.class, () -> ShardedFiles.open(SPARK, shards.toUri().toString()));
    ShardedFiles files =
        BloomeryFilters.of(ROWS, "id")
            .variant("fuse")
            .expectedKeys(100)
            .writeSharded(shards.toUri().toString(), 30);
    Path list = shards.resolve("shards.properties");
    String facts = Files.readString(list);
    for (String damage :
        new String[] {
          facts.replace("shardLog=2", "shardLog=40"),
          facts.replace("shardLog=2", "shardLog=x"),
          facts.replace("version=1", "version=9"),
          "version=\\u00",
        }) {
      Files.deleteIfExists(shards.resolve(".shards.properties.crc"));
      Files.writeString(list, damage);
      assertNamed(
          list, IOException.class, () -> ShardedFiles.open(SPARK, shards.toUri().toString()));
    }
    Path shard = shards.resolve("shard-00002.bloom");
    Files.deleteIfExists(shards.resolve(".shard-00002.bloom.crc"));
    Files.write(shard, Arrays.copyOf(Files.readAllBytes(shard), 70));
    assertNamed(shard, FilterFormatException.class, files::load);
    assertThatThrownBy(() -> files.filter(ROWS, "id").count())
        .hasStackTraceContaining(shard.toString());
    Files.delete(shard);
    assertNamed(shard, IOException.class, files::load);
  }
}
