package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Rates;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PocketBinsTest {

  /** Where the only bin of some tests begins. */
  private static final int AT = Words.BASE;

  /**
   * Every operation beside a sorted set: 400 bins, from one quotient only to all of them, filled
   * and then pushed down by lower quotients.
   */
  @ParameterizedTest
  @ValueSource(ints = {8, 16})
  void everyHistoryMatchesASortedSet(int width) {
    int quotients = PocketBins.QUOTIENTS;
    Property.check(
        69 + width,
        400,
        draw -> {
          PocketBins bins = new PocketBins(1, width);
          Words words = Words.allocate(PocketBins.wordsFor(1, width), false);
          long[] heap = words.heap();
          TreeSet<Integer> model = new TreeSet<>();
          int slots = PocketBins.slots(width);
          int from = draw.between(0, quotients - 1);
          int to = draw.between(from, quotients - 1);
          int remainders = draw.between(2, 1 << width);
          boolean overflowed = false;
          for (int step = 0; step < 90; step++) {
            int fingerprint = draw.between(from, to) << width | draw.between(0, remainders - 1);
            boolean full = ofQuotient(model, fingerprint >>> width, width).size() == 3;
            assertThat(bins.isQuotientFull(heap, AT, fingerprint)).isEqualTo(full);
            assertThat(bins.hasRoom(heap, AT, fingerprint))
                .isEqualTo(!full && model.size() < slots);
            assertThat(bins.contains(heap, AT, fingerprint)).isEqualTo(model.contains(fingerprint));
            if (!full && model.size() < slots) {
              assertThat(bins.add(heap, AT, fingerprint)).isEqualTo(model.add(fingerprint));
            } else if (!full && !model.contains(fingerprint)) {
              int last = bins.last(heap, AT);
              assertThat(model).contains(last);
              assertThat(last >>> width).isEqualTo(model.last() >>> width);
              boolean lower = fingerprint >>> width < last >>> width;
              assertThat(bins.isBelowLast(heap, AT, fingerprint)).isEqualTo(lower);
              if (lower) {
                model.remove(last);
                model.add(fingerprint);
                bins.replaceLast(heap, AT, fingerprint);
              } else {
                bins.setOverflowed(heap, AT);
              }
              overflowed = true;
            }
            assertThat(bins.isOverflowed(heap, AT)).isEqualTo(overflowed);
            assertThat(bins.isClean(words)).isTrue();
            int asked = draw.between(from, to) << width | draw.between(0, remainders - 1);
            int expected =
                model.contains(asked)
                    ? PocketBins.PRESENT
                    : isElsewhere(model, asked >>> width, width, overflowed)
                        ? PocketBins.ELSEWHERE
                        : PocketBins.ABSENT;
            assertThat(bins.find(0, asked, words)).isEqualTo(expected);
          }
          for (int each : model) {
            assertThat(bins.find(0, each, words)).isEqualTo(PocketBins.PRESENT);
          }
          assertThat(bins.count(words)).isEqualTo(model.size());
          long elsewhere = 0;
          for (int q = 0; q < quotients; q++) {
            if (isElsewhere(model, q, width, overflowed)) {
              elsewhere += (1L << width) - ofQuotient(model, q, width).size();
            }
          }
          assertThat(bins.countElsewhere(words)).isEqualTo(elsewhere);
        });
  }

  private static SortedSet<Integer> ofQuotient(
      NavigableSet<Integer> model, int quotient, int width) {
    return model.subSet(quotient << width, (quotient + 1) << width);
  }

  private static boolean isElsewhere(
      NavigableSet<Integer> model, int quotient, int width, boolean overflowed) {
    return ofQuotient(model, quotient, width).size() == 3
        || (overflowed && quotient >= model.last() >>> width);
  }

  /** A bin beside others takes nothing from them and leaves nothing there. */
  @ParameterizedTest
  @ValueSource(ints = {8, 16})
  void binsDoNotTouchEachOther(int width) {
    PocketBins bins = new PocketBins(3, width);
    Words words = Words.allocate(PocketBins.wordsFor(3, width), false);
    int size = PocketBins.binWords(width);
    int slots = PocketBins.slots(width);
    for (int i = 0; i < slots; i++) {
      bins.add(words.heap(), AT + size, (slots - 1 - i) << width | i);
    }
    for (int i = 0; i < 3 * size + 2; i++) {
      assertThat(words.get(i) != 0).as("word %d", i).isEqualTo(i >= size && i < 2 * size);
    }
    for (int i = 0; i < slots; i++) {
      int fingerprint = (slots - 1 - i) << width | i;
      assertThat(bins.find(1, fingerprint, words)).isEqualTo(PocketBins.PRESENT);
      assertThat(bins.find(0, fingerprint, words)).isEqualTo(PocketBins.ABSENT);
      assertThat(bins.find(2, fingerprint, words)).isEqualTo(PocketBins.ABSENT);
    }
    assertThat(bins.isClean(words)).isTrue();
    words.heap()[AT + 3 * size] = 1;
    assertThat(bins.isClean(words)).isFalse();
  }

  /** Bins are chosen evenly, and quotients and remainders evenly whatever the bin. */
  @ParameterizedTest
  @ValueSource(ints = {8, 16})
  void binsAndFingerprintsAreUniform(int width) {
    int quotients = PocketBins.QUOTIENTS;
    PocketBins bins = new PocketBins(40, width);
    long[] pairs = new long[40 * quotients];
    long[] remainders = new long[256];
    for (long hash : Keys.members(400_000)) {
      int fingerprint = bins.fingerprint(hash);
      pairs[(int) bins.bin(hash) * quotients + (fingerprint >>> width)]++;
      remainders[fingerprint & 0xFF]++;
      assertThat(bins.at(hash)).isEqualTo(AT + (int) bins.bin(hash) * PocketBins.binWords(width));
    }
    Rates.assertUniform(pairs, 5);
    Rates.assertUniform(remainders, 5);
  }
}
