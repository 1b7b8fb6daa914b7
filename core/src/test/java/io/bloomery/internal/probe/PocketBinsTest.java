package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.bits.Words;
import io.bloomery.testing.Keys;
import io.bloomery.testing.Property;
import io.bloomery.testing.Rates;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PocketBinsTest {

  /** Where the only bin of some tests begins. */
  private static final int AT = Words.BASE;

  /**
   * Every operation beside a sorted set: 400 bins, from one quotient only (long runs) to all of
   * them, filled and then pushed down by lower fingerprints.
   */
  @ParameterizedTest
  @ValueSource(ints = {8, 16})
  void everyHistoryMatchesASortedSet(int width) {
    Property.check(
        69 + width,
        400,
        draw -> {
          PocketBins bins = new PocketBins(1, width);
          Words words = Words.allocate(PocketBins.wordsFor(1, width), false);
          long[] heap = words.heap();
          TreeSet<Integer> model = new TreeSet<>();
          int slots = PocketBins.slots(width);
          int from = draw.between(0, slots - 1);
          int to = draw.between(from, slots - 1);
          int remainders = draw.between(2, 1 << width);
          boolean overflowed = false;
          for (int step = 0; step < 60; step++) {
            int fingerprint = draw.between(from, to) << width | draw.between(0, remainders - 1);
            assertThat(bins.isFull(heap, AT)).isEqualTo(model.size() == slots);
            if (model.size() < slots) {
              assertThat(bins.add(heap, AT, fingerprint)).isEqualTo(model.add(fingerprint));
            } else {
              assertThat(bins.last(heap, AT)).isEqualTo(model.last());
              if (fingerprint < model.last() && model.add(fingerprint)) {
                model.pollLast();
                bins.replaceLast(heap, AT, fingerprint);
              }
              bins.setOverflowed(heap, AT);
              overflowed = true;
            }
            assertThat(bins.isOverflowed(heap, AT)).isEqualTo(overflowed);
            assertThat(bins.isClean(words)).isTrue();
            int asked = draw.between(from, to) << width | draw.between(0, remainders - 1);
            boolean beyond = overflowed && asked > model.last();
            int expected =
                beyond
                    ? PocketBins.BEYOND
                    : model.contains(asked) ? PocketBins.PRESENT : PocketBins.ABSENT;
            assertThat(bins.find(0, asked, words)).isEqualTo(expected);
          }
          for (int each : model) {
            assertThat(bins.find(0, each, words)).isEqualTo(PocketBins.PRESENT);
          }
          assertThat(bins.count(words)).isEqualTo(model.size());
          assertThat(bins.countBeyond(words))
              .isEqualTo(overflowed ? PocketBins.fingerprints(width) - 1 - model.last() : 0);
        });
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
    int slots = PocketBins.slots(width);
    PocketBins bins = new PocketBins(40, width);
    long[] pairs = new long[40 * slots];
    long[] remainders = new long[256];
    for (long hash : Keys.members(400_000)) {
      int fingerprint = bins.fingerprint(hash);
      pairs[(int) bins.bin(hash) * slots + (fingerprint >>> width)]++;
      remainders[fingerprint & 0xFF]++;
      assertThat(bins.at(hash)).isEqualTo(AT + (int) bins.bin(hash) * PocketBins.binWords(width));
    }
    Rates.assertUniform(pairs, 5);
    Rates.assertUniform(remainders, 5);
  }
}
