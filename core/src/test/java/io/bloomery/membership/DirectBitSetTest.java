package io.bloomery.membership;

import static io.bloomery.testkit.Rates.assertRate;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.IncompatibleFiltersException;
import io.bloomery.hash.Funnel;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Race;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Catalogue M3: the exact bit array, and the Bloom filter of one hash function beside it. */
final class DirectBitSetTest {

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  @Test
  void isExactOnTheWholeUniverse() {
    int universe = 100_003;
    DirectBitSet set = DirectBitSet.create(new DirectShape(universe));
    BitSet model = new BitSet();
    for (long hash : Keys.members(30_000)) {
      int key = (int) Long.remainderUnsigned(hash, universe);
      assertThat(set.add(key)).isEqualTo(!model.get(key));
      model.set(key);
    }
    for (long hash : Keys.members(10_000, 1)) {
      int key = (int) Long.remainderUnsigned(hash, universe);
      assertThat(set.remove(key)).isEqualTo(model.get(key));
      model.clear(key);
    }
    long errors = 0;
    for (int key = 0; key < universe; key++) {
      errors += set.contains(key) != model.get(key) ? 1 : 0;
    }
    assertThat(errors).isZero();
    assertThat(set.cardinality()).isEqualTo(model.cardinality());
    assertThat(set.falsePositiveRate()).isZero();
    assertThat(set.sizeInBits()).isEqualTo(universe);
  }

  @Test
  void aKeyIsItsEightBytes() {
    DirectBitSet set = DirectBitSet.create(new DirectShape(1000));
    set.add(258);
    byte[] padded = new byte[10];
    padded[1] = 2;
    padded[2] = 1;
    assertThat(set.mightContain(258L)).isTrue();
    assertThat(set.mightContain(bytes(258))).isTrue();
    assertThat(set.mightContain(padded, 1, 8)).isTrue();
    assertThat(set.mightContain(padded, 1, 7)).isFalse();
    assertThat(set.mightContain(padded)).isFalse();
    assertThat(set.mightContain(new byte[0])).isFalse();
    assertThat(set.mightContain(new String(bytes(258), UTF_8))).isTrue();
    assertThat(set.mightContain("258")).isFalse();
    assertThat(set.mightContain("é258")).isFalse();
  }

  @Test
  void aCompositeKeyOfEightBytesIsANumber() {
    DirectBitSet set = DirectBitSet.create(new DirectShape(10));
    set.add(0);
    // Two empty fields are two lengths of 0: eight zero bytes, as is the number 0.
    assertThat(Funnel.Fields.bytesOf("", (key, into) -> into.put(key).put(key)))
        .isEqualTo(bytes(0));
    assertThat(set.mightContain("", (key, into) -> into.put(key).put(key))).isTrue();
    assertThat(set.mightContain("", (key, into) -> into.put(key))).isFalse();
    assertThat(set.mightContain("ab", (key, into) -> into.put(key).put(key))).isFalse();
  }

  @Test
  void numbersOutsideOfTheUniverseAreAbsent() {
    DirectBitSet set = DirectBitSet.create(new DirectShape(100));
    for (long key = 0; key < 100; key++) {
      set.add(key);
    }
    Property.check(
        3,
        2000,
        draw -> {
          long key = draw.anyLong();
          boolean inside = key >= 0 && key < 100;
          assertThat(set.contains(key)).isEqualTo(inside);
          if (!inside) {
            assertThat(set.remove(key)).isFalse();
            assertThatThrownBy(() -> set.add(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key = " + key)
                .hasMessageContaining("0 … 99");
          }
        });
    assertThat(set.cardinality()).isEqualTo(100);
  }

  @Test
  void mergeIsTheUnion() {
    DirectBitSet low = DirectBitSet.create(new DirectShape(200));
    DirectBitSet high = DirectBitSet.create(new DirectShape(200));
    low.add(3);
    high.add(199);
    DirectBitSet before = low.copy();
    low.merge(high);
    assertThat(low.contains(3) && low.contains(199)).isTrue();
    assertThat(before.cardinality()).isEqualTo(1);
    assertThatThrownBy(() -> low.merge(DirectBitSet.create(new DirectShape(201))))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessage("shape DirectShape[universe=200] != DirectShape[universe=201]");
  }

  @Test
  void roundTripsThroughItsFrame(@TempDir Path directory) throws IOException {
    DirectBitSet set = DirectBitSet.create(new DirectShape(130));
    set.add(0);
    set.add(129);
    DirectBitSet heap = Reloaded.heap(DirectBitSet.KIND, set);
    DirectBitSet mapped = Reloaded.mapped(DirectBitSet.KIND, set, directory);
    assertThat(Reloaded.bytes(heap)).isEqualTo(Reloaded.bytes(set));
    assertThat(Reloaded.bytes(mapped)).isEqualTo(Reloaded.bytes(set));
    assertThat(mapped.contains(129)).isTrue();
    assertThat(mapped.cardinality()).isEqualTo(2);
    assertThatThrownBy(() -> mapped.remove(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
  }

  @Test
  void oneHashFunctionIsHashing() {
    // R3 with k = 1: n = 10 000, m = 65 536, Q = 1 000 000.
    BloomFilter filter = BloomFilter.create(BloomShape.of(1 << 16, 1));
    long[] members = Keys.members(10_000);
    filter.addHashes(members, 0, members.length);
    double f = filter.falsePositiveRate();
    // R2: λ = 0.1526, sd of the fill = 0.00039.
    assertThat(f).isCloseTo(-Math.expm1(-10_000 / 65_536.0), within(5 * 0.00039));
    assertThat(Hits.count(filter, members)).isEqualTo(members.length);
    assertRate(Hits.count(filter, Keys.outsiders(1_000_000)), 1_000_000, f, 5);
  }

  @Test
  void threadsShareWords() {
    race(50);
  }

  @Test
  @Tag("long")
  void threadsShareWordsForLong() {
    race(20_000);
  }

  /** Four threads add numbers of the same words and remove every second one of theirs. */
  private static void race(int rounds) {
    int threads = 4;
    int universe = 2_000;
    for (int round = 0; round < rounds; round++) {
      DirectBitSet set = DirectBitSet.create(new DirectShape(universe));
      Race.run(
          threads,
          thread -> {
            for (int i = thread; i < universe; i += threads) {
              boolean isNew = set.add(i);
              boolean kept = i / threads % 2 == 0 || set.remove(i);
              if (!isNew || !kept || set.contains(i) != (i / threads % 2 == 0)) {
                throw new AssertionError("number " + i);
              }
            }
          });
      for (int i = 0; i < universe; i++) {
        assertThat(set.contains(i)).isEqualTo(i / threads % 2 == 0);
      }
    }
  }
}
