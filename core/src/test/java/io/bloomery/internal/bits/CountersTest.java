package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Race;
import io.bloomery.testkit.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Packed counters against an array of {@code long}. */
final class CountersTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 21, 32, 33, 63, 64})
  void behaveLikeAnArray(int width) {
    for (boolean sticky : new boolean[] {true, false}) {
      SplittableRandom random = Seeds.random(width);
      int count = 137;
      Counters counters = Counters.allocate(count, width, sticky, false);
      long[] model = new long[count];
      long max = counters.max();
      assertThat(max).isEqualTo(width == 64 ? Long.MAX_VALUE : (1L << width) - 1);
      for (int step = 0; step < 20_000; step++) {
        int i = random.nextInt(count);
        long by = random.nextInt(4) == 0 ? random.nextLong(max) : random.nextInt(3);
        switch (random.nextInt(4)) {
          case 0, 1 -> {
            model[i] = by >= max - model[i] ? max : model[i] + by;
            assertThat(counters.add(i, by)).isEqualTo(model[i]);
          }
          case 2 -> {
            model[i] = sticky && model[i] == max ? max : Math.max(0, model[i] - by);
            assertThat(counters.subtract(i, by)).isEqualTo(model[i]);
          }
          default -> {
            long value = Math.min(by, max);
            if (step % 2 == 0) {
              model[i] = Math.max(model[i], value);
              counters.raise(i, value);
            } else {
              model[i] = value;
              counters.set(i, value);
            }
          }
        }
        assertThat(counters.get(i)).isEqualTo(model[i]);
      }
      for (int i = 0; i < count; i++) {
        assertThat(counters.get(i)).isEqualTo(model[i]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 16, 33, 64})
  void aRangeDecreasesLikeItsCounters(int width) {
    SplittableRandom random = Seeds.random(width);
    for (boolean sticky : new boolean[] {true, false}) {
      Counters counters = Counters.allocate(137, width, sticky, true);
      Counters model = counters.copy();
      for (int step = 0; step < 2_000; step++) {
        int i = random.nextInt(137);
        counters.add(i, step % 5 == 0 ? counters.max() : 2);
        model.add(i, step % 5 == 0 ? model.max() : 2);
        int from = random.nextInt(138);
        int to = from + random.nextInt(138 - from);
        counters.decrease(from, to);
        for (int j = from; j < to; j++) {
          model.subtract(j, 1);
        }
        assertThat(counters.words().sameBits(model.words())).isTrue();
      }
    }
  }

  @Test
  void wordNumbersAreExact() {
    for (int width = 1; width <= 64; width++) {
      int perWord = 64 / width;
      for (long i : new long[] {0, 1, perWord, (1L << 36) - 1, (1L << 37) + 5}) {
        assertThat(Math.multiplyHigh(i << 2, (1L << 62) / perWord + 1)).isEqualTo(i / perWord);
      }
      assertThat(Counters.wordsFor(0, width)).isZero();
      assertThat(Counters.wordsFor(perWord, width)).isEqualTo(1);
      assertThat(Counters.wordsFor(perWord + 1, width)).isEqualTo(2);
    }
    assertThatThrownBy(() -> Counters.wordsFor(5, 0)).hasMessageContaining("1 … 64");
    assertThatThrownBy(() -> Counters.wordsFor(5, 65)).hasMessageContaining("1 … 64");
  }

  @Test
  void censusAndSum() {
    Counters counters = Counters.allocate(10, 2, true, false);
    counters.add(3, 1);
    counters.add(4, 2);
    counters.add(5, 9);
    assertThat(counters.histogram(2)).containsExactly(7, 1, 2);
    assertThat(counters.nonZero()).isEqualTo(3);
    assertThat(counters.saturated()).isEqualTo(1);
    Counters twice = counters.copy();
    twice.addAll(counters);
    assertThat(twice.get(3)).isEqualTo(2);
    assertThat(twice.get(4)).isEqualTo(3);
    assertThat(twice.get(5)).isEqualTo(3);
    counters.clear();
    assertThat(counters.nonZero()).isZero();
    assertThat(twice.nonZero()).isEqualTo(3);
  }

  /** 50 rounds: two threads count up the same counters, and one down again. */
  @Test
  void sharedCountersLoseNoAddition() {
    for (int round = 0; round < 50; round++) {
      Counters counters = Counters.allocate(64, 16, true, true);
      Race.run(
          2,
          thread -> {
            for (int i = 0; i < 64 * 200; i++) {
              counters.add(i & 63, 2);
              counters.subtract(i & 63, 1);
            }
          });
      for (int i = 0; i < 64; i++) {
        assertThat(counters.get(i)).isEqualTo(400);
      }
    }
  }

  /** A counter is replaced only if it is what it was; its neighbours stay. */
  @Test
  void replace() {
    for (int width : new int[] {1, 3, 9, 32, 64}) {
      Counters counters = Counters.allocate(100, width, true, true);
      counters.set(41, 1);
      counters.set(43, 1);
      assertThat(counters.replace(42, 1, 0)).isFalse();
      assertThat(counters.replace(42, 0, counters.max())).isTrue();
      assertThat(counters.get(42)).isEqualTo(counters.max());
      assertThat(counters.replace(42, counters.max(), 1)).isTrue();
      assertThat(counters.histogram(2)).containsExactly(97, 3, 0);
    }
  }
}
