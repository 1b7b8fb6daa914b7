package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testing.Property;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class UnaryLayersTest {

  /** 200 histories over stores of every size, with counters that are read after each change. */
  @Test
  void countsLikeAnArray() {
    Property.check(
        3,
        200,
        draw -> {
          int size = draw.between(1, 5_000);
          int hot = draw.between(1, size);
          Words base = Words.forBits(size, false);
          UnaryLayers layers = new UnaryLayers(base);
          int[] model = new int[size];
          for (int step = 0; step < 600; step++) {
            int i = draw.between(0, hot - 1);
            if (draw.between(0, 2) == 0) {
              assertThat(layers.decrement(i)).isEqualTo(model[i] > 0);
              model[i] = Math.max(0, model[i] - 1);
            } else {
              assertThat(layers.increment(i)).isEqualTo(model[i] == 0);
              model[i]++;
            }
            assertThat(layers.get(i)).isEqualTo(model[i]);
          }
          assertCounts(layers, model);
          assertThat(layers.total()).isEqualTo(Arrays.stream(model).sum());
          UnaryLayers stored = stored(base, layers);
          assertCounts(stored, model);
          assertCounts(layers.copy(base), model);
          assertCounts(
              UnaryLayers.mapped(base, layers.directory(), layers.strings(), layers.total())
                  .copy(base),
              model);
        });
  }

  private static UnaryLayers stored(Words base, UnaryLayers layers) {
    return UnaryLayers.checked(base, layers.directory(), layers.strings(), layers.total());
  }

  private static void assertCounts(UnaryLayers layers, int[] model) {
    for (int i = 0; i < model.length; i++) {
      if (layers.get(i) != model[i]) {
        throw new AssertionError("counter " + i + ": " + layers.get(i) + ", not " + model[i]);
      }
    }
  }

  /** Up and down again many times: memory comes back. */
  @Test
  void whatIsEmptyHoldsNothing() {
    Words base = Words.forBits(40_000, false);
    UnaryLayers layers = new UnaryLayers(base);
    long empty = layers.heldBits();
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 3; round++) {
      int[] raised = random.ints(100_000, 0, 40_000).toArray();
      for (int i : raised) {
        layers.increment(i);
      }
      assertThat(layers.total()).isEqualTo(100_000);
      for (int i : raised) {
        assertThat(layers.decrement(i)).isTrue();
      }
      assertThat(layers.total()).isZero();
      assertThat(base.bitCount()).isZero();
      assertThat(layers.strings().length()).isZero();
      assertThat(layers.heldBits()).isLessThanOrEqualTo(empty + 3 * 17 * 64);
    }
  }

  /** One counter of 3 001 beside others. */
  @Test
  void aCounterMayBeLarge() {
    Words base = Words.forBits(2_000, false);
    UnaryLayers layers = new UnaryLayers(base);
    for (int i = 0; i < 2_000; i += 3) {
      layers.increment(i);
    }
    for (int i = 0; i < 3_000; i++) {
      layers.increment(777);
    }
    assertThat(layers.get(777)).isEqualTo(3_001);
    assertThat(layers.get(780)).isEqualTo(1);
    assertThat(layers.longest()).isGreaterThan(3_000);
    assertThat(stored(base, layers).get(777)).isEqualTo(3_001);
    for (int i = 0; i < 3_000; i++) {
      layers.decrement(777);
    }
    assertThat(layers.get(777)).isEqualTo(1);
  }

  @Test
  void layersThatContradictEachOtherAreRefused() {
    Words base = Words.forBits(3_000, false);
    UnaryLayers layers = new UnaryLayers(base);
    SplittableRandom random = new SplittableRandom(1);
    random.ints(2_000, 0, 3_000).forEach(layers::increment);
    Words directory = layers.directory();
    Words strings = layers.strings();
    long total = layers.total();
    assertThat(UnaryLayers.checked(base, directory, strings, total).total()).isEqualTo(total);
    assertRefused(base, directory, strings, total + 1);
    assertRefused(Words.forBits(3_000, false), directory, strings, total);
    int refused = 0;
    for (long bit = 0; bit < strings.length() * 64; bit++) {
      Words changed = strings.copy();
      if (!changed.clearBit(bit)) {
        changed.setBit(bit);
      }
      refused += isRefused(base, directory, changed, total) ? 1 : 0;
    }
    assertThat(refused)
        .as("a bit more or less changes a layer's size")
        .isEqualTo(strings.length() * 64);
    for (long bit = 0; bit < directory.length() * 64; bit++) {
      Words changed = directory.copy();
      if (!changed.clearBit(bit)) {
        changed.setBit(bit);
      }
      assertRefused(base, changed, strings, total);
      // A mapped store is not checked, but every answer is some number.
      UnaryLayers mapped = UnaryLayers.mapped(base, changed, strings, total);
      for (int i = 0; i < 3_000; i += 41) {
        assertThat(mapped.get(i)).isNotNegative();
      }
    }
  }

  private static void assertRefused(Words base, Words directory, Words strings, long total) {
    assertThatThrownBy(() -> UnaryLayers.checked(base, directory, strings, total))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean isRefused(Words base, Words directory, Words strings, long total) {
    try {
      UnaryLayers.checked(base, directory, strings, total);
      return false;
    } catch (IllegalArgumentException e) {
      return true;
    }
  }
}
