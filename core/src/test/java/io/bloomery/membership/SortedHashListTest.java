package io.bloomery.membership;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Hasher;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue M4.
 *
 * <p>Measured here, of M4 (sorted hash list): n = 2¹², 24-bit hashes: 232 false positives of 10⁶
 * (244 ± 78).
 */
final class SortedHashListTest {

  @Test
  void fourThousandKeysOf24BitsMatchOnceIn4096() {
    // n = 2^12, h = 24, Q = 1 000 000: 244 ± 78 hits.
    long[] members = Keys.members(1 << 12);
    SortedHashList list = SortedHashList.ofHashes(members);
    assertThat(list.shape().hashBits()).isEqualTo(24);
    assertThat(list.sizeInBits()).isEqualTo(24 * list.shape().keyCount());
    assertThat(Hits.count(list, members)).isEqualTo(members.length);
    assertThat(list.falsePositiveRate()).isCloseTo(1.0 / 4096, within(0.001 / 4096));
    assertRate(Hits.count(list, Keys.outsiders(1_000_000)), 1_000_000, 1.0 / 4096, 5);
  }

  @ParameterizedTest
  @CsvSource({"100000, 0.1, 20", "100000, 0.01, 24", "10000, 0.001, 24", "1, 0.5, 1"})
  void aRateDecidesTheBits(int keys, double rate, int hashBits) {
    // R1, R3 with Q = 1 000 000.
    long[] members = Keys.members(keys);
    SortedHashList list = SortedHashList.ofHashes(members, rate);
    assertThat(list.shape().hashBits()).isEqualTo(hashBits);
    assertThat(list.falsePositiveRate()).isLessThanOrEqualTo(rate).isGreaterThan(rate / 2.2);
    assertThat(Hits.count(list, members)).isEqualTo(keys);
    long hits = Hits.count(list, Keys.outsiders(1_000_000));
    assertRate(hits, 1_000_000, list.falsePositiveRate(), 5);
  }

  @Test
  void defaultBitsAreTwiceTheLogarithm() {
    assertThat(SortedHashShape.defaultHashBits(0)).isEqualTo(8);
    assertThat(SortedHashShape.defaultHashBits(16)).isEqualTo(8);
    assertThat(SortedHashShape.defaultHashBits(17)).isEqualTo(10);
    assertThat(SortedHashShape.defaultHashBits(1 << 20)).isEqualTo(40);
    assertThat(SortedHashShape.defaultHashBits(1L << 31)).isEqualTo(62);
    SortedHashShape shape = new SortedHashShape(1 << 12, 24);
    assertThat(shape.falsePositiveRate(1 << 12)).isCloseTo(1.0 / 4096, within(1e-7));
    assertThat(shape.falsePositiveRate(0)).isZero();
  }

  /** Every width against a set of the cut hashes, with clustered values so that guesses miss. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 13, 31, 32, 33, 40, 63, 64})
  void agreesWithASet(int hashBits) {
    Property.check(
        hashBits,
        200,
        draw -> {
          long[] hashes = new long[draw.between(0, 60)];
          Set<Long> model = new HashSet<>();
          for (int i = 0; i < hashes.length; i++) {
            hashes[i] = draw.anyLong();
            model.add(hashes[i] >>> -hashBits);
          }
          SortedHashList list = SortedHashList.ofHashes(hashes, hashBits, Hasher.xxh3());
          assertThat(list.shape().keyCount()).isEqualTo(model.size());
          for (long hash : hashes) {
            assertThat(list.mightContainHash(hash)).isTrue();
          }
          for (int i = 0; i < 50; i++) {
            long hash = draw.anyLong();
            assertThat(list.mightContainHash(hash)).isEqualTo(model.contains(hash >>> -hashBits));
          }
        });
  }

  @Test
  void unionKeepsTheFewerBits() {
    long[] few = Keys.members(500, 1);
    long[] many = Keys.members(5000, 2);
    SortedHashList small = SortedHashList.ofHashes(few);
    SortedHashList large = SortedHashList.ofHashes(many);
    SortedHashList union = small.union(large);
    assertThat(small.shape().hashBits()).isEqualTo(18);
    assertThat(union.shape().hashBits()).isEqualTo(18);
    assertThat(Hits.count(union, few)).isEqualTo(few.length);
    assertThat(Hits.count(union, many)).isEqualTo(many.length);
    long[] all = new long[5500];
    System.arraycopy(few, 0, all, 0, 500);
    System.arraycopy(many, 0, all, 500, 5000);
    SortedHashList direct = SortedHashList.ofHashes(all, 18, Hasher.xxh3());
    assertThat(union.shape()).isEqualTo(direct.shape());
    assertThat(large.union(large).shape()).isEqualTo(large.shape());
    SortedHashList seeded = SortedHashList.ofHashes(few, 18, Hasher.xxh3(5));
    assertThatThrownBy(() -> small.union(seeded))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContaining("seed 5");
  }

  @Test
  void roundTripsThroughItsFrame(@TempDir Path directory) throws IOException {
    SortedHashList list = SortedHashList.ofHashes(Keys.members(1000));
    SortedHashList heap = Reloaded.heap(SortedHashList.KIND, list);
    SortedHashList mapped = Reloaded.mapped(SortedHashList.KIND, list, directory);
    assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(list));
    assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(list));
    assertThat(Hits.count(mapped, Keys.members(1000))).isEqualTo(1000);
    assertThat(Hits.count(mapped, Keys.outsiders(10_000)))
        .isEqualTo(Hits.count(list, Keys.outsiders(10_000)));
  }

  @Test
  void emptyListHoldsNothing() throws IOException {
    SortedHashList empty = SortedHashList.ofHashes(new long[0]);
    assertThat(empty.mightContainHash(0)).isFalse();
    assertThat(empty.falsePositiveRate()).isZero();
    assertThat(Reloaded.heap(SortedHashList.KIND, empty).mightContainHash(0)).isFalse();
  }

  @Test
  void refusesImpossibleBits() {
    assertThatThrownBy(() -> SortedHashShape.forKeys(5, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("falsePositiveRate = 1");
    assertThatThrownBy(() -> SortedHashList.ofHashes(new long[1], 0, Hasher.xxh3()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hashBits = 0");
    assertThatThrownBy(() -> SortedHashList.ofHashes(new long[1], 65, Hasher.xxh3()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 … 64");
    assertThatThrownBy(() -> new SortedHashShape(5, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("keyCount = 5");
  }
}
