package io.bloomery.sync;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.Filters;
import io.bloomery.IncompatibleFiltersException;
import io.bloomery.ReadOptions;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import io.bloomery.sync.InvertibleTable.Lookup.Answer;
import io.bloomery.testkit.Effort;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measured here, of N4 (invertible Bloom lookup table): 1.5 cells per key: 1,000 of 1,000
 * differences of 1,000 keys listed; the catalogue's shares of complete lists (d = 100 and 2,000, k
 * = 3 and 4) within 5 σ to either side; thresholds 1.222 and 1.295 by {@code
 * PeelingMath.cellsPerKey}, from both sides at 4,000 keys. 2·d + 20 cells for few keys: 1000, 1000,
 * 997, 995, 997, 999 of 1,000 for d = 1, 2, 5, 10, 50, 100. Two sets of 10⁵ keys with 200
 * differences: exact, also of consecutive keys. 13 bytes per cell on the wire. Strata estimator: 60
 * cells per stratum, 7 bytes each; exact up to 16 keys, then a standard deviation of 12 % and a
 * bias below 3 % ({@code StrataEstimatorTest}); 7.3 kB for a set of a million keys.
 */
final class InvertibleTableTest {

  private static final byte[] NONE = {};

  @TempDir Path directory;

  private static InvertibleTable table(int difference) {
    return InvertibleTable.create(InvertibleShape.forDifference(difference));
  }

  private static Set<Long> set(long... keys) {
    return Arrays.stream(keys).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> texts(List<byte[]> keys) {
    return keys.stream().map(key -> new String(key, UTF_8)).sorted().toList();
  }

  /** The catalogue's case: two sets of 10⁵ keys with 200 differences, also of ordered keys. */
  @Test
  void theDifferenceOfLargeSetsIsExact() {
    long[] random = Keys.members(100_200, 3);
    long[] ordered = new long[random.length];
    Arrays.setAll(ordered, i -> i);
    for (long[] keys : List.of(random, ordered)) {
      InvertibleTable here = table(200);
      InvertibleTable there = table(200);
      for (int i = 0; i < 100_000; i++) {
        here.add(keys[i]);
        there.add(keys[i + 100]);
      }
      assertThat(here.decode().isComplete()).as("far too many keys").isFalse();
      here.subtract(there);
      Difference difference = here.decode();
      assertThat(difference.isComplete()).isTrue();
      assertThat(set(difference.longsOnlyHere())).isEqualTo(set(Arrays.copyOf(keys, 100)));
      assertThat(set(difference.longsOnlyThere()))
          .isEqualTo(set(Arrays.copyOfRange(keys, 100_000, 100_100)));
      assertThat(difference).hasToString("Difference[100 only here, 100 only there, complete]");
    }
  }

  @Test
  void aLookupHasThreeAnswers() {
    InvertibleTable table =
        InvertibleTable.create(
            new InvertibleShape(40, 4, InvertibleShape.KeyFormat.upTo(20), 2, 32));
    assertThat(table.get("one").answer()).isEqualTo(Answer.ABSENT);
    table.add("one".getBytes(UTF_8), new byte[] {1, 2});
    assertThat(table.get("one").answer()).isEqualTo(Answer.PRESENT);
    assertThat(table.get("one").value().orElseThrow()).containsExactly(1, 2);
    assertThat(table.get("two").value()).isEmpty();
    for (int i = 0; i < 200; i++) {
      table.add(("k" + i).getBytes(UTF_8), new byte[] {3, 4});
    }
    assertThat(table.get("one").answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(table.get("never").answer()).isEqualTo(Answer.UNKNOWN);
    assertThat(table.get("one").value()).isEmpty();
    for (int i = 0; i < 200; i++) {
      table.remove(("k" + i).getBytes(UTF_8), new byte[] {3, 4});
    }
    assertThat(table.get("one")).hasToString("PRESENT");
    table.remove("one".getBytes(UTF_8), new byte[] {1, 2});
    table.remove("two".getBytes(UTF_8), new byte[] {5, 6});
    assertThat(table.get("one").answer()).isEqualTo(Answer.ABSENT);
    assertThat(table.get("two").answer()).as("only deleted").isEqualTo(Answer.ABSENT);
    assertThat(table.get("x".repeat(21)).answer()).isEqualTo(Answer.ABSENT);
    Difference left = table.decode();
    assertThat(texts(left.onlyThere())).containsExactly("two");
    assertThat(left.valuesOnlyThere().get(0)).containsExactly(5, 6);
    assertThat(left.onlyHere()).isEmpty();
    assertThat(left.valuesOnlyHere()).isEmpty();
  }

  /** No key that is in the set is called absent, and no other one present, at any fill. */
  @Test
  void certainAnswersAreRight() {
    InvertibleTable table = table(100);
    long[] keys = Keys.members(400);
    for (int i = 0; i < keys.length; i++) {
      table.add(keys[i]);
      for (int j = 0; j < keys.length; j += 7) {
        Answer answer = table.get(keys[j]).answer();
        if (answer == (j <= i ? Answer.ABSENT : Answer.PRESENT)) {
          throw new AssertionError(i + " " + j + " " + answer);
        }
      }
    }
  }

  /** Keys of every length up to 64 bytes, those that end in zeros and the empty one included. */
  @Test
  void keysOfAllLengthsAreListed() {
    InvertibleTable table =
        InvertibleTable.create(
            InvertibleShape.forDifference(140, InvertibleShape.KeyFormat.upTo(64), 0));
    Set<String> expected = new TreeSet<>();
    for (int length = 0; length <= 64; length++) {
      for (int last = 0; last < 2 && last <= length; last++) {
        byte[] key = new byte[length];
        Arrays.fill(key, 0, length * last, (byte) (length + 1));
        table.add(key);
        expected.add(HexFormat.of().formatHex(key));
      }
    }
    table.add(-2L);
    table.add("ζ");
    expected.add("feffffffffffffff");
    expected.add("ceb6");
    Difference all = table.decode();
    assertThat(all.isComplete()).isTrue();
    assertThat(all.onlyHere().stream().map(HexFormat.of()::formatHex))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(table.get(-2L).answer()).isEqualTo(table.get(KeyCodec.bytesOf(-2L)).answer());
    assertThatThrownBy(all::longsOnlyHere)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not numbers");
    for (int bytes = 1; bytes <= 64; bytes++) {
      InvertibleTable fixed =
          InvertibleTable.create(
              InvertibleShape.forDifference(2, InvertibleShape.KeyFormat.fixed(bytes), 64));
      byte[] key = new byte[bytes];
      key[bytes - 1] = (byte) bytes;
      byte[] value = new byte[64];
      value[63] = (byte) bytes;
      fixed.add(key, value);
      Difference one = fixed.decode();
      assertThat(one.onlyHere()).singleElement().isEqualTo(key);
      assertThat(one.valuesOnlyHere()).singleElement().isEqualTo(value);
    }
  }

  @Test
  void numbersAreTheirBytes() {
    InvertibleTable numbers = table(5);
    InvertibleTable bytes = table(5);
    for (long key : new long[] {0, -1, 42}) {
      numbers.add(key);
      bytes.add(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array());
    }
    numbers.subtract(bytes);
    assertThat(numbers.decode().keyCount()).isZero();
    assertThat(numbers.decode().isComplete()).isTrue();
    bytes.remove(KeyCodec.bytesOf(42L));
    assertThat(bytes.decode().longsOnlyHere()).containsExactlyInAnyOrder(0, -1);
    bytes.remove("12345678");
    assertThat(texts(bytes.decode().onlyThere())).containsExactly("12345678");
  }

  /** A key that is inserted twice is neither listed nor known, and hides its neighbours. */
  @Test
  void duplicatesCancel() {
    InvertibleTable table = table(10);
    table.add(5);
    table.add(5);
    Difference twice = table.decode();
    assertThat(twice.isComplete()).isFalse();
    assertThat(twice.keyCount()).isZero();
    assertThat(twice.unresolvedCells()).isEqualTo(4);
    assertThat(twice)
        .hasToString("Difference[0 only here, 0 only there, partial, 4 cells unresolved]");
    assertThat(table.get(5).answer()).isEqualTo(Answer.UNKNOWN);
    table.add(6);
    assertThat(table.decode().longsOnlyHere()).containsExactly(6);
    table.remove(5);
    assertThat(table.decode().isComplete()).isTrue();
    assertThat(table.decode().longsOnlyHere()).containsExactlyInAnyOrder(5, 6);
  }

  @Test
  void differentValuesOfAKeyDoNotCancel() {
    InvertibleShape shape = InvertibleShape.forDifference(10, InvertibleShape.KeyFormat.LONGS, 1);
    InvertibleTable here = InvertibleTable.create(shape);
    InvertibleTable there = InvertibleTable.create(shape);
    here.add(KeyCodec.bytesOf(1L), new byte[] {1});
    there.add(KeyCodec.bytesOf(1L), new byte[] {2});
    here.subtract(there);
    assertThat(here.decode().isComplete())
        .as("no key can be told, but the values differ")
        .isFalse();
  }

  @Test
  void tablesOfOtherShapesOrHashersAreRefused() {
    InvertibleTable table = table(10);
    table.add(1);
    InvertibleTable larger = table(12);
    InvertibleTable seeded = InvertibleTable.create(table.shape(), Hasher.xxh3(1));
    InvertibleTable copy = table.copy();
    assertThat(table.isCompatible(copy)).isTrue();
    assertThat(table.isCompatible(larger)).isFalse();
    assertThat(table.isCompatible(seeded)).isFalse();
    assertThatThrownBy(() -> table.subtract(larger))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContainingAll("shape", "cells=40", "cells=44");
    assertThatThrownBy(() -> table.subtract(seeded))
        .isInstanceOf(IncompatibleFiltersException.class)
        .hasMessageContainingAll("hasher", "seed 1");
    copy.add(2);
    assertThat(table.decode().longsOnlyHere()).containsExactly(1);
    table.subtract(table);
    assertThat(table.decode().isComplete()).isTrue();
    assertThat(table).hasToString("InvertibleTable[" + table.shape() + ", XXH3-64, seed 0]");
  }

  /** An adversary who knows the seed makes two keys with the same cells; a secret undoes it. */
  @Test
  void chosenKeysBreakAPublicHashButNotAKeyedOne() {
    InvertibleShape shape = new InvertibleShape(16, 4, InvertibleShape.KeyFormat.LONGS, 0, 32);
    SplittableRandom random = Seeds.random(5);
    int broken = 0;
    int keyedBroken = 0;
    int trials = 30;
    for (int trial = 0; trial < trials; trial++) {
      byte[] secret = new byte[16];
      random.nextBytes(secret);
      InvertibleTable open = InvertibleTable.create(shape);
      InvertibleTable keyed = InvertibleTable.create(shape, Hasher.keyed(secret));
      CellHash cells = new CellHash(shape);
      long first = random.nextLong();
      long second = first + 1;
      while (!sameCells(cells, first, second)) {
        second++;
      }
      for (long key : new long[] {first, second}) {
        open.add(key);
        keyed.add(key);
      }
      broken += open.decode().isComplete() ? 0 : 1;
      keyedBroken += keyed.decode().isComplete() ? 0 : 1;
    }
    assertThat(broken).isEqualTo(trials);
    assertThat(keyedBroken).as("chance is 1 / 256 each").isLessThanOrEqualTo(5);
  }

  private static boolean sameCells(CellHash cells, long first, long second) {
    long a = Hasher.xxh3().hash(first);
    long b = Hasher.xxh3().hash(second);
    for (int i = 0; i < 4; i++) {
      if (cells.at(a, i) != cells.at(b, i)) {
        return false;
      }
    }
    return true;
  }

  /** Cells that no set has: every decode ends, and none of them is called complete. */
  @Test
  void hostileCellsAreDecodedInBoundedTime() {
    InvertibleShape shape = new InvertibleShape(64, 4, InvertibleShape.KeyFormat.LONGS, 0, 32);
    KeyCodec codec = new KeyCodec(shape.keys(), Hasher.xxh3());
    CellHash cells = new CellHash(shape);
    SplittableRandom random = Seeds.random(6);
    for (int trial = 0; trial < Effort.of(2_000); trial++) {
      long[] words = new long[(int) shape.words()];
      // Single keys in some of their cells only, which a careless loop takes out forever.
      for (int i = 0; i < 40; i++) {
        long key = random.nextLong();
        long hash = codec.hash(key);
        for (int j = 0; j < 4; j++) {
          if (random.nextInt(3) != 0) {
            long[] sum = {0, cells.checksum(hash), key};
            CellHash.add(words, cells.at(hash, j), random.nextBoolean() ? 1 : -1, sum, 0, 3);
          }
        }
      }
      Difference difference = new CellPeeling(shape, codec, cells, words).run();
      if (difference.isComplete() || difference.keyCount() > shape.cells()) {
        throw new AssertionError(difference.toString());
      }
    }
    long[] one = new long[(int) shape.words()];
    long hash = codec.hash(9L);
    CellHash.add(one, cells.at(hash, 0), 1, new long[] {0, cells.checksum(hash), 9}, 0, 3);
    Difference cycle = new CellPeeling(shape, codec, cells, one).run();
    assertThat(cycle.isComplete()).isFalse();
    assertThat(cycle.keyCount()).as("found once, not put back and forth").isEqualTo(1);
  }

  @Test
  void aMappedTableIsReadOnly() throws IOException {
    Path file = directory.resolve("table.bloom");
    InvertibleTable table = table(10);
    table.add(1);
    table.writeTo(file);
    InvertibleTable mapped = Filters.map(file, ReadOptions.as(InvertibleTable.class));
    assertThat(mapped.decode().longsOnlyHere()).containsExactly(1);
    assertThat(mapped.get(1).answer()).isEqualTo(Answer.PRESENT);
    assertThat(mapped.falsePositiveRate()).isZero();
    assertThatThrownBy(() -> mapped.add(2)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.subtract(table)).isInstanceOf(IllegalStateException.class);
    InvertibleTable copy = mapped.copy();
    copy.add(2);
    copy.subtract(mapped);
    assertThat(copy.decode().longsOnlyHere()).containsExactly(2);
  }

  @Test
  void argumentsAreChecked() {
    InvertibleTable table = table(10);
    InvertibleTable values =
        InvertibleTable.create(new InvertibleShape(8, 4, InvertibleShape.KeyFormat.upTo(3), 1, 32));
    Funnel<String> funnel = (text, into) -> into.put(text);
    assertThatThrownBy(() -> table.add(new byte[7])).hasMessage("key has 7 bytes; it must have 8");
    assertThatThrownBy(() -> values.add("abcd".getBytes(UTF_8), new byte[1]))
        .hasMessage("key has 4 bytes; it must have at most 3");
    assertThatThrownBy(() -> values.add("abc".getBytes(UTF_8), NONE))
        .hasMessage("value has 0 bytes; it must have 1");
    assertThatThrownBy(() -> values.add("abc")).hasMessageContaining("value of 1 bytes");
    assertThatThrownBy(() -> values.remove(7)).hasMessageContaining("value of 1 bytes");
    assertThatThrownBy(() -> table.add((byte[]) null)).hasMessage("key");
    assertThatThrownBy(() -> table.add((CharSequence) null)).hasMessage("key");
    assertThatThrownBy(() -> values.add(NONE, null)).hasMessage("value");
    assertThatThrownBy(() -> table.get((byte[]) null)).hasMessage("key");
    assertThatThrownBy(() -> table.isCompatible(null)).hasMessage("other");
    assertThatThrownBy(() -> table.subtract(null)).hasMessage("other");
    assertThatThrownBy(() -> table.writeCells(null)).hasMessage("out");
    assertThatThrownBy(() -> InvertibleTable.create(null)).hasMessage("shape");
    assertThatThrownBy(() -> InvertibleTable.create(table.shape(), null)).hasMessage("hasher");
    assertThatThrownBy(() -> table.mightContain(null, 0, 0)).hasMessage("bytes");
    assertThatThrownBy(() -> table.mightContain(new byte[8], 1, 8))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(table.mightContain("x", funnel)).isFalse();
    assertThat(table.mightContain(new byte[9], 1, 8)).isFalse();
    assertThat(table.sizeInBits()).isEqualTo(table.shape().sizeInBits());
  }
}
