package io.bloomery.internal.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Peeling in rounds: the worked example of the Bloomier slides, and a plain model. */
final class PeelingRoundsTest {

  private static final int[] NEIGHBOURHOODS = {1, 3, 6, 7, 1, 3, 8, 9, 1, 6, 8, 9, 2, 3, 8, 7};
  private static final int[] VALUES = {0x11, 0x22, 0x44, 0x88};
  private static final int[] MASKS = {0x54, 0xeb, 0x07, 0x2c};

  private static long[] rows(int count) {
    return IntStream.range(0, count).asLongStream().toArray();
  }

  /** k = 4, m = 10, q = 8, A to D: owners D = 2, A = 7, B = 3, C = 6; order B, C, A, D. */
  @Test
  void theWorkedExampleIsReproduced() {
    CellLayout layout = CellLayout.listed(4, 10, NEIGHBOURHOODS);
    Peeling peeling = Peeling.peelInRounds(layout, rows(4), 4);
    assertThat(IntStream.range(0, 4).map(peeling::key)).containsExactly(1, 2, 0, 3);
    assertThat(IntStream.range(0, 4).map(peeling::cell)).containsExactly(3, 6, 7, 2);
    Words wanted = Words.allocate(1, false);
    for (int i = 0; i < 4; i++) {
      Packed.set(wanted, 8, i, VALUES[i] ^ MASKS[i]);
    }
    Words table = Words.allocate(Packed.wordsFor(10, 8), false);
    peeling.fill(wanted, table, 8);
    assertThat(IntStream.range(0, 10).mapToObj(i -> "%02x".formatted(Packed.get(table, 8, i))))
        .containsExactly("00", "00", "a2", "c9", "00", "00", "43", "cf", "00", "00");
    for (int key = 0; key < 4; key++) {
      assertThat(MASKS[key] ^ xor(layout, table, key)).isEqualTo(VALUES[key]);
    }
  }

  private static int xor(CellLayout layout, Words table, int key) {
    return IntStream.range(0, 4)
        .map(i -> (int) Packed.get(table, 8, layout.at(key, i)))
        .reduce(0, (a, b) -> a ^ b);
  }

  /**
   * "Why we need M": 0 is a value and cells that no key owns are 0, so y = {1, 4, 5, 9} has one.
   */
  @Test
  void withoutAMaskUntouchedCellsAreAValue() {
    Words table = Words.allocate(Packed.wordsFor(10, 8), false);
    int[] cells = {0, 0, 1, 2, 0, 0, 3, 4, 0, 0};
    for (int i = 0; i < 10; i++) {
      Packed.set(table, 8, i, cells[i]);
    }
    CellLayout outsider = CellLayout.listed(4, 10, new int[] {1, 4, 5, 9});
    int values = 5;
    assertThat(xor(outsider, table, 0)).isZero().isLessThan(values);
    // With a mask the chance is |R|/2^q: 5 of 256 masks give a value.
    assertThat(
            IntStream.range(0, 256)
                .filter(mask -> (mask ^ xor(outsider, table, 0)) < values)
                .count())
        .isEqualTo(values);
  }

  /** 2 000 systems of up to 40 keys, each beside a search for single keys from the start. */
  @Test
  void everySystemIsPeeledLikeTheModel() {
    Property.check(
        481,
        2_000,
        draw -> {
          int k = draw.between(2, 5);
          int count = draw.between(0, 40);
          int cells = Math.max(k, (int) (count * 1.4));
          int[] list = lists(draw, k, count, cells);
          CellLayout layout = CellLayout.listed(k, cells, list);
          Peeling peeling = Peeling.peelInRounds(layout, rows(count), count);
          List<int[]> expected = model(k, count, list);
          assertThat(peeling == null).isEqualTo(expected.size() < count);
          for (int rank = 0; peeling != null && rank < count; rank++) {
            assertThat(peeling.key(rank)).isEqualTo(expected.get(rank)[0]);
            assertThat(peeling.cell(rank)).isEqualTo(expected.get(rank)[1]);
          }
        });
  }

  private static int[] lists(Draw draw, int k, int count, int cells) {
    int[] list = new int[k * count];
    for (int key = 0; key < count; key++) {
      TreeSet<Integer> own = new TreeSet<>();
      while (own.size() < k) {
        own.add((int) Long.remainderUnsigned(Keys.hash(draw.anyLong()), cells));
      }
      int at = key * k;
      for (int cell : draw.between(0, 1) == 0 ? own : own.descendingSet()) {
        list[at++] = cell;
      }
    }
    return list;
  }

  /** Pairs of key and owned cell, in the order of filling. */
  private static List<int[]> model(int k, int count, int[] list) {
    List<Integer> left = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    List<int[]> order = new ArrayList<>();
    while (true) {
      List<int[]> round = new ArrayList<>();
      for (int key : left) {
        IntStream.range(0, k)
            .map(i -> list[key * k + i])
            .filter(cell -> left.stream().filter(other -> has(list, k, other, cell)).count() == 1)
            .min()
            .ifPresent(cell -> round.add(new int[] {key, cell}));
      }
      if (round.isEmpty()) {
        return order;
      }
      round.forEach(entry -> left.remove((Integer) entry[0]));
      order.addAll(0, round);
    }
  }

  private static boolean has(int[] list, int k, int key, int cell) {
    return IntStream.range(key * k, key * k + k).anyMatch(i -> list[i] == cell);
  }
}
