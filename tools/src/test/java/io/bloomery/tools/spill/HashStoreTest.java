package io.bloomery.tools.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import io.bloomery.tools.problem.Problem;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.TreeMap;
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

  /**
   * 300,000 hashes with equal highest bits, as prepared keys have them, and few keys many times, in
   * room for 3,000: the merge of runs needs half a megabyte and no more.
   */
  @ParameterizedTest
  @CsvSource({"20, false", "20, true", "48, false", "48, true", "63, true"})
  void memoryIsBoundedWhateverTheHashesAre(int shift, boolean repeated) {
    try (HashStore store = new HashStore(3000, directory, repeated)) {
      TreeMap<Long, Integer> expected = new TreeMap<>();
      for (int i = 0; i < 300_000; i++) {
        long hash = 0x7FFL << 52 | (i * 0x9E3779B97F4A7C15L) >>> shift;
        expected.merge(hash, 1, (a, b) -> repeated ? a + b : 1);
        store.add(new long[] {hash}, 0, 1);
      }
      assertThat(store.distinct()).isEqualTo(expected.size());
      TreeMap<Long, Integer> found = new TreeMap<>();
      store.forEach(
          (hashes, from, to) -> {
            assertThat(hashes.length).isLessThan(1 << 17);
            for (int i = from; i < to; i++) {
              found.merge(hashes[i], 1, Integer::sum);
            }
          });
      assertThat(found).isEqualTo(expected);
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
