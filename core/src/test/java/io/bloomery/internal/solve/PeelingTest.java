package io.bloomery.internal.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The solver by its promises: every key owns a cell, and what is filled in is read back. */
final class PeelingTest {

  private static long[] keys(int count, long seed) {
    long[] keys = Keys.members(count);
    Arrays.setAll(keys, i -> CellLayout.remix(keys[i], seed));
    return keys;
  }

  /**
   * Keys by the first seed with which they can be peeled. With two cells per key in neighbouring
   * segments some pair has the same two for all but 5 % of seeds.
   */
  private static long[] solvable(CellLayout layout, int count) {
    for (long seed = 0; seed < 600; seed++) {
      long[] keys = keys(count, seed);
      if (Peeling.peel(layout, keys, count) != null) {
        return keys;
      }
    }
    throw new AssertionError("600 seeds failed");
  }

  private static void checkOwners(CellLayout layout, Peeling peeling, long[] keys) {
    BitSet owned = new BitSet();
    BitSet seen = new BitSet();
    BitSet filled = new BitSet();
    for (int rank = 0; rank < peeling.size(); rank++) {
      int key = peeling.key(rank);
      int cell = peeling.cell(rank);
      assertThat(seen.get(key)).isFalse();
      seen.set(key);
      assertThat(owned.get(cell)).isFalse();
      owned.set(cell);
      assertThat(layout.at(keys[key], peeling.choice(rank))).isEqualTo(cell);
      // No earlier key read this cell.
      assertThat(filled.get(cell)).isFalse();
      for (int i = 0; i < layout.arity(); i++) {
        filled.set(layout.at(keys[key], i));
      }
    }
    assertThat(seen.cardinality()).isEqualTo(peeling.size());
  }

  @ParameterizedTest
  @CsvSource({
    "2, 4.0", "3, 1.3", "4, 1.4", "5, 1.5", "6, 1.7", "7, 1.8",
  })
  void partsOfEveryArity(int arity, double factor) {
    int count = 5_000;
    CellLayout layout = CellLayout.parts(arity, (int) (count * factor / arity) + 10);
    long[] keys = solvable(layout, count);
    checkOwners(layout, Peeling.peel(layout, keys, count), keys);
  }

  /** Long enough to be peeled from both ends, and with one end. */
  @ParameterizedTest
  @CsvSource({"2, 9, 130", "3, 9, 130", "4, 9, 130", "3, 9, 20", "3, 5, 70"})
  void segmentsOfEveryArity(int arity, int segmentLog, int starts) {
    CellLayout layout = CellLayout.segments(arity, segmentLog, starts);
    int count = (int) (layout.cells() / (arity == 2 ? 5.0 : 1.4));
    long[] keys = solvable(layout, count);
    checkOwners(layout, Peeling.peel(layout, keys, count), keys);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 16, 31, 32, 64})
  void valuesOfEveryWidthAreReadBack(int width) {
    int count = 3_000;
    CellLayout layout = CellLayout.parts(3, 1_300);
    long[] keys = solvable(layout, count);
    Peeling peeling = Peeling.peel(layout, keys, count);
    Words values = Words.allocate(Packed.wordsFor(count, width), false);
    long[] random = Keys.outsiders(count);
    for (int i = 0; i < count; i++) {
      Packed.set(values, width, i, random[i]);
    }
    Words table = Words.allocate(Packed.wordsFor(layout.cells(), width), false);
    peeling.fill(values, table, width);
    for (int i = 0; i < count; i++) {
      long found = 0;
      for (int j = 0; j < 3; j++) {
        found ^= Packed.get(table, width, layout.at(keys[i], j));
      }
      assertThat(found).isEqualTo(random[i] & (-1L >>> -width));
    }
  }

  /** The order of the keys and the number of threads change nothing that is filled in. */
  @Test
  void dependsOnTheSetOfKeysOnly() {
    CellLayout layout = CellLayout.segments(3, 9, 130);
    int count = layout.cells() * 4 / 5;
    long[] keys = solvable(layout, count);
    long[] reversed = new long[count];
    Arrays.setAll(reversed, i -> keys[count - 1 - i]);
    Words one = fingerprints(layout, Peeling.peel(layout, keys, count), 1);
    Words two = fingerprints(layout, Peeling.peel(layout, reversed, count, null, 2), 2);
    assertThat(one.sameBits(two)).isTrue();
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    int negative = (int) Arrays.stream(sorted).filter(key -> key < 0).count();
    long[] unsigned = new long[count];
    System.arraycopy(sorted, negative, unsigned, 0, count - negative);
    System.arraycopy(sorted, 0, unsigned, count - negative, negative);
    int[] starts = new int[layout.groups() + 1];
    for (long key : unsigned) {
      starts[CellLayout.group(key, layout.groups()) + 1]++;
    }
    Arrays.parallelPrefix(starts, Integer::sum);
    Peeling three = Peeling.peel(layout, unsigned, count, starts, 2);
    assertThat(one.sameBits(fingerprints(layout, three, 2))).isTrue();
    checkOwners(layout, three, unsigned);
  }

  private static Words fingerprints(CellLayout layout, Peeling peeling, int threads) {
    FingerprintTable table = FingerprintTable.allocate(layout.cells(), 11);
    peeling.fill(table, threads);
    return table.words();
  }

  @Test
  void listedCellsOfTheWorkedExample() {
    // Bloomier slides: A {1,3,6,7}, B {1,3,8,9}, C {1,6,8,9}, D {2,3,8,7}, owners D=2, A=7, B=3,
    // C=6.
    int[] cells = {1, 3, 6, 7, 1, 3, 8, 9, 1, 6, 8, 9, 2, 3, 8, 7};
    CellLayout layout = CellLayout.listed(4, 10, cells);
    Peeling peeling = Peeling.peel(layout, new long[] {0, 1, 2, 3}, 4);
    int[] owned = new int[4];
    for (int rank = 0; rank < 4; rank++) {
      owned[peeling.key(rank)] = peeling.cell(rank);
    }
    assertThat(owned).containsExactly(7, 3, 6, 2);
    Words values = Words.allocate(Packed.wordsFor(4, 8), false);
    int[] masked = {0x11 ^ 0x54, 0x22 ^ 0xeb, 0x44 ^ 0x07, 0x88 ^ 0x2c};
    for (int i = 0; i < 4; i++) {
      Packed.set(values, 8, i, masked[i]);
    }
    Words table = Words.allocate(Packed.wordsFor(10, 8), false);
    peeling.fill(values, table, 8);
    int[] bytes = new int[10];
    Arrays.setAll(bytes, i -> (int) Packed.get(table, 8, i));
    assertThat(bytes).containsExactly(0, 0, 0xa2, 0xc9, 0, 0, 0x43, 0xcf, 0, 0);
  }

  @Test
  void equalKeysAreNeverPeeled() {
    CellLayout layout = CellLayout.parts(3, 100);
    assertThat(Peeling.peel(layout, new long[] {5, 9L << 50, 5}, 3)).isNull();
    assertThat(Peeling.peel(layout, new long[100], 100)).isNull();
    assertThat(Peeling.peel(layout, new long[0], 0).size()).isZero();
    assertThat(Peeling.peel(layout, new long[] {5}, 1).size()).isOne();
  }

  @Test
  void remixIsABijection() {
    for (long hash : Keys.members(1_000)) {
      assertThat(CellLayout.unmix(CellLayout.remix(hash, 77), 77)).isEqualTo(hash);
    }
  }

  @Test
  void refusesImpossibleLayouts() {
    assertThatThrownBy(() -> CellLayout.parts(8, 10)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CellLayout.parts(3, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CellLayout.segments(5, 3, 10))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CellLayout.segments(3, 18, 1 << 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CellLayout.parts(2, Integer.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
