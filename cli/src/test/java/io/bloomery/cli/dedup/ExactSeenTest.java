package io.bloomery.cli.dedup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Seeds;
import io.bloomery.tools.input.Block;
import io.bloomery.tools.problem.Problem;
import io.bloomery.tools.spill.KeySpill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exact set behind {@code dedup --exact}, with colliding hashes. */
class ExactSeenTest {

  @TempDir private Path directory;

  private static Block block(byte[] key, long hash) {
    Block block = new Block(8, true, Block.LONGEST);
    block.append(key, 0, key.length);
    block.add(0, key.length, 0, key.length);
    block.hashes()[0] = hash;
    return block;
  }

  @ParameterizedTest
  @CsvSource({"0, 64, 128", "8, 64, 1024", "64, 4096, 256", "64, 64, 64"})
  void isAnExactSetDespiteCollisions(int hashBits, int tail, int segment) {
    long mask = hashBits == 64 ? -1 : (1L << hashBits) - 1;
    SplittableRandom random = Seeds.random(hashBits);
    Set<String> model = new HashSet<>();
    KeySpill spill = new KeySpill(directory, tail, segment);
    try (ExactSeen seen = new ExactSeen(1, 0.5, Hasher.xxh3(), spill)) {
      for (int i = 0; i < 6000; i++) {
        String key = "k".repeat(random.nextInt(3) == 0 ? 90 : 1) + random.nextInt(2500);
        byte[] bytes = key.getBytes(ISO_8859_1);
        Block block = block(bytes, Hasher.xxh3().hash(bytes) & mask);
        seen.prepare(block);
        assertThat(seen.add(block, 0)).as(key).isEqualTo(model.add(key));
      }
      assertThat(seen.suspected()).isGreaterThan(seen.rescued());
      assertThat(seen.memoryBytes()).isPositive();
    }
  }

  @Test
  void theTableGrowsFromTheSpill() {
    try (ExactSeen seen = new ExactSeen(1, 0.01, Hasher.xxh3(), directory)) {
      long before = seen.memoryBytes();
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 50_000; i++) {
          byte[] key = Integer.toString(i).getBytes(ISO_8859_1);
          assertThat(seen.add(block(key, Hasher.xxh3().hash(key)), 0)).isEqualTo(round == 0);
        }
      }
      assertThat(seen.memoryBytes()).isGreaterThan(before);
      assertThat(seen.suspected()).isBetween(50_000L, 50_612L); // 1 % and 5σ
    }
  }

  @Test
  void spilledKeysAreFoundAndTheFileIsUnlinkedAtOnce() throws IOException {
    List<Long> places = new ArrayList<>();
    List<byte[]> keys = new ArrayList<>();
    SplittableRandom random = Seeds.random(1);
    try (KeySpill spill = new KeySpill(directory, 256, 512)) {
      for (int i = 0; i < 300; i++) {
        byte[] key = new byte[random.nextInt(i % 20 == 0 ? 2000 : 60)];
        random.nextBytes(key);
        keys.add(key);
        places.add(spill.append(i, key, 0, key.length));
      }
      int[] next = new int[1];
      spill.forEach(
          (hash, place) -> {
            assertThat(hash).isEqualTo(next[0]);
            assertThat(place).isEqualTo(places.get(next[0]++));
          });
      assertThat(next[0]).isEqualTo(300);
      for (int i = 0; i < 300; i++) {
        byte[] key = keys.get(i);
        assertThat(spill.isAt(places.get(i), key, 0, key.length)).isTrue();
        if (key.length > 0) {
          key[random.nextInt(key.length)]++;
          assertThat(spill.isAt(places.get(i), key, 0, key.length)).isFalse();
          assertThat(spill.isAt(places.get(i), key, 0, key.length - 1)).isFalse();
        }
      }
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files).isEmpty();
      }
    }
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsNamed() {
    Path no = directory.resolve("no");
    try (KeySpill spill = new KeySpill(no, 64, 64)) {
      spill.append(1, new byte[30], 0, 30);
      assertThatThrownBy(() -> spill.append(2, new byte[30], 0, 30))
          .isInstanceOf(Problem.class)
          .hasMessageContaining("temporary file in " + no);
    }
  }
}
