package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.testkit.Property;
import io.bloomery.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    // 625 words of layer 0, and 3 pages: lengths of 16 chunks of 1,024 counters, header, reference.
    assertThat(empty).isEqualTo(625 * 64 + 3 * (8 * 64 + 160));
    SplittableRandom random = Seeds.random(7);
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

  /**
   * Counters around and above 256, several of a chunk: stored as the layers that the format says.
   */
  @Test
  void highCountersAreStoredInLayers() {
    int size = 2_500;
    Words base = Words.forBits(size, false);
    UnaryLayers layers = new UnaryLayers(base);
    int[] model = new int[size];
    SplittableRandom random = Seeds.random(5);
    int[] high = {255, 256, 257, 300, 1_000, 1_000, 4_000};
    for (int i = 0; i < 400; i++) {
      model[random.nextInt(size)]++;
    }
    for (int i = 0; i < high.length; i++) {
      model[i * 97] = high[i];
      model[2_000 + i * 13] = high[high.length - 1 - i];
    }
    for (int step = 0; step < 4_000; step++) {
      for (int i = 0; i < size; i++) {
        if (step < model[i]) {
          assertThat(layers.increment(i)).isEqualTo(step == 0);
        }
      }
    }
    assertCounts(layers, model);
    assertThat(layers.total()).isEqualTo(Arrays.stream(model).sum());
    assertThat(layers.longest()).isEqualTo(Arrays.stream(model, 0, 1_024).sum());
    assertThat(strings(layers, 3)).isEqualTo(naive(model));
    for (UnaryLayers copy :
        new UnaryLayers[] {
          stored(base, layers),
          layers.copy(base.copy()),
          UnaryLayers.mapped(base, layers.directory(), layers.strings(), layers.total())
              .copy(base.copy())
        }) {
      assertCounts(copy, model);
      assertThat(strings(copy, 3)).isEqualTo(naive(model));
      assertThat(copy.total()).isEqualTo(layers.total());
      assertThat(copy.longest()).isEqualTo(layers.longest());
      assertThat(copy.heldBits()).isCloseTo(layers.heldBits(), within(64L * 8));
    }
    for (int i = 0; i < size; i++) {
      for (int count = model[i]; count > 0; count--) {
        assertThat(layers.get(i)).isEqualTo(count);
        assertThat(layers.decrement(i)).isTrue();
      }
      assertThat(layers.decrement(i)).isFalse();
    }
    assertThat(layers.total()).isZero();
    assertThat(layers.strings().length()).isZero();
  }

  /** The strings as bits, by the directory. */
  private static List<String> strings(UnaryLayers layers, int chunks) {
    List<String> strings = new ArrayList<>();
    Words words = layers.strings();
    for (int chunk = 0; chunk < chunks; chunk++) {
      long entry = layers.directory().get(chunk);
      long first = (entry & 0xFFFFFFFFL) * Long.SIZE;
      StringBuilder bits = new StringBuilder();
      for (long i = 0; i < entry >>> 32; i++) {
        bits.append(words.getBit(first + i) ? '1' : '0');
      }
      strings.add(bits.toString());
    }
    return strings;
  }

  /** The same from an array of counters, layer by layer. */
  private static List<String> naive(int[] model) {
    List<String> strings = new ArrayList<>();
    for (int first = 0; first < model.length; first += 1_024) {
      int[] chunk = Arrays.copyOfRange(model, first, Math.min(model.length, first + 1_024));
      StringBuilder bits = new StringBuilder();
      int most = Arrays.stream(chunk).max().orElseThrow();
      for (int layer = 1; layer <= most; layer++) {
        for (int count : chunk) {
          bits.append(count < layer ? "" : count > layer ? "1" : "0");
        }
      }
      strings.add(bits.toString());
    }
    return strings;
  }

  @Test
  void layersThatContradictEachOtherAreRefused() {
    Words base = Words.forBits(3_000, false);
    UnaryLayers layers = new UnaryLayers(base);
    SplittableRandom random = Seeds.random(1);
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
