package io.bloomery.internal.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.file.TemporaryFile;
import io.bloomery.testkit.Keys;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything that is added is read back, in its shard, and no file remains. */
final class HashSpillTest {

  private static long[] shard(HashSpill spill, int shard, int shardLog) throws IOException {
    LongStream.Builder found = LongStream.builder();
    spill.read(
        shard, shardLog, (hashes, from, to) -> Arrays.stream(hashes, from, to).forEach(found::add));
    return found.build().toArray();
  }

  private static long filesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 3",
    "1000, 8",
    "1000, 12",
    "300000, 0",
    "300000, 1",
    "300000, 7",
    "600000, 8",
    "600000, 9",
    "600000, 12"
  })
  void everyShardHasItsHashes(int count, int shardLog, @TempDir Path directory) throws IOException {
    long[] hashes = Keys.members(count);
    long[] expected = hashes.clone();
    Arrays.sort(expected);
    try (HashSpill spill = new HashSpill(directory)) {
      spill.add(hashes, 0, count / 2);
      for (int i = count / 2; i < count; i++) {
        spill.add(hashes[i]);
      }
      assertThat(spill.size()).isEqualTo(count);
      for (int round = 0; round < 2; round++) {
        LongStream.Builder all = LongStream.builder();
        for (int shard = 0; shard < 1 << shardLog; shard++) {
          for (long hash : shard(spill, shard, shardLog)) {
            assertThat(HashSpill.shardOf(hash, shardLog)).isEqualTo(shard);
            all.add(hash);
          }
        }
        assertThat(all.build().sorted().toArray()).isEqualTo(expected);
      }
    }
    assertThat(filesIn(directory)).isZero();
  }

  @Test
  void aHashThatComesTwiceIsKeptTwiceAndMoreCanBeAddedAfterReading(@TempDir Path directory)
      throws IOException {
    try (HashSpill spill = new HashSpill(directory)) {
      for (int i = 0; i < 3000; i++) {
        spill.add(5);
      }
      assertThat(shard(spill, 0, 0)).hasSize(3000).containsOnly(5);
      spill.add(-1);
      assertThat(shard(spill, 0, 1)).hasSize(3000);
      assertThat(shard(spill, 1, 1)).containsExactly(-1);
    }
  }

  @Test
  void noFileStaysBehind(@TempDir Path directory) throws IOException {
    assertThatThrownBy(() -> new HashSpill(directory.resolve("missing")))
        .isInstanceOf(IOException.class);
    HashSpill spill = new HashSpill(directory);
    spill.add(Keys.members(500_000), 0, 500_000);
    spill.close();
    assertThat(filesIn(directory)).isZero();
    assertThatThrownBy(() -> shard(spill, 0, 0)).isInstanceOf(IOException.class);
    try (FileChannel file = TemporaryFile.open(directory)) {
      assertThat(file.size()).isZero();
    }
    assertThat(filesIn(directory)).isZero();
  }
}
