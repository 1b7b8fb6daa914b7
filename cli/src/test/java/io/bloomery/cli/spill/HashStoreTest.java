package io.bloomery.cli.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.cli.Seeds;
import io.bloomery.cli.console.Problem;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashStoreTest {

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "0, 1000, 100",
    "1, 1000, 100",
    "1000, 1000, 5000",
    "1001, 1000, 5000",
    "1001, 1000, 1",
    "50000, 1000, 1000000000",
    "50000, 1000, 20000",
    "50000, 1000, 300",
    "50000, 100, 1000000",
  })
  void findsTheDifferentHashesInMemoryAndOnDisk(int count, int capacity, int range) {
    SplittableRandom random = Seeds.random(count);
    TreeSet<Long> expected = new TreeSet<>();
    try (HashStore store = new HashStore(capacity, directory)) {
      for (int i = 0; i < count; i++) {
        long hash = Seeds.random(random.nextInt(range)).nextLong();
        expected.add(hash);
        store.add(new long[] {0, hash, 0}, 1, 2);
      }
      assertThat(store.distinct()).isEqualTo(expected.size());
      for (int again = 0; again < 2; again++) {
        TreeSet<Long> found = new TreeSet<>();
        store.forEach(
            (hashes, from, to) -> {
              for (int i = from; i < to; i++) {
                assertThat(found.add(hashes[i])).isTrue();
              }
            });
        assertThat(found).isEqualTo(expected);
      }
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void keepsTheExtremesApart() {
    try (HashStore store = new HashStore(2, directory)) {
      long[] hashes = {Long.MAX_VALUE, Long.MIN_VALUE, 0, -1, Long.MAX_VALUE, 1, Long.MIN_VALUE};
      store.add(hashes, 0, hashes.length);
      assertThat(store.distinct()).isEqualTo(5);
    }
  }

  @Test
  void saysWhereTheTemporaryFileCouldNotBe() {
    try (HashStore store = new HashStore(2, directory.resolve("nosuch"))) {
      assertThatThrownBy(() -> store.add(new long[] {1, 2, 3}, 0, 3))
          .isInstanceOf(Problem.class)
          .hasMessageStartingWith("temporary file in ");
    }
  }
}
