package io.bloomery.internal.layer;

import static io.bloomery.testkit.Rates.assertRate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.bloomery.hash.IndexScheme;
import io.bloomery.membership.BlockShape;
import io.bloomery.membership.BloomShape;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Race;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LayerListTest {

  private static Layer blocked(int number, long blocks) {
    return Layer.empty(new BlockShape(blocks, 512, 2, 6), number, 100);
  }

  private static Layer scattered(int number, boolean partitioned) {
    return Layer.empty(
        BloomShape.of(
            7_000, 7, partitioned ? IndexScheme.PARTITIONED : IndexScheme.ENHANCED_DOUBLE),
        number,
        100);
  }

  private static void put(Layer layer, long[] hashes) {
    for (long hash : hashes) {
      if (layer.setAll(hash)) {
        layer.count(1);
      }
    }
  }

  private static Layers three() {
    Layer one = blocked(0, 20);
    Layer two = scattered(1, true);
    Layer three = scattered(2, false);
    put(one, Keys.members(1_000, 1));
    put(two, Keys.members(700, 2));
    put(three, Keys.members(900, 3));
    return new Layers(one, two, three);
  }

  /** 300,000 outsiders against 1 - ∏(1 - rate), and every member of every layer. */
  @Test
  void aHashIsInTheListIfItIsInALayer() {
    Layers layers = three();
    int members = 0;
    for (int set = 1; set <= 3; set++) {
      for (long hash : Keys.members(700, set)) {
        members += layers.anySet(hash) ? 1 : 0;
      }
    }
    assertThat(members).isEqualTo(2_100);
    long hits = 0;
    for (long hash : Keys.outsiders(300_000)) {
      hits += layers.anySet(hash) ? 1 : 0;
    }
    double none = 1;
    for (Layer layer : layers.list()) {
      none *= 1 - layer.rate();
    }
    assertThat(layers.rate()).isCloseTo(1 - none, within(1e-12));
    assertRate(hits, 300_000, layers.rate(), 5);
    assertThat(layers.sizeInBits()).isEqualTo(512 * 20 + 2 * 7_000);
  }

  /** Batches of 0 … 2,500, of which some are in each layer and some in none. */
  @Test
  void aBatchAnswersLikeSingleQueries() {
    Layers layers = three();
    long[] hashes = new long[2_600];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = i % 4 == 0 ? Keys.outsiders(1, i)[0] : Keys.members(700, i % 4)[i % 700];
    }
    for (int to = 50; to <= hashes.length; to += 51) {
      long[] hits = new long[(to - 50 + 63) / 64];
      int count = layers.anySet(hashes, 50, to, hits);
      int expected = 0;
      for (int i = 50; i < to; i++) {
        boolean hit = layers.anySet(hashes[i]);
        expected += hit ? 1 : 0;
        assertThat((hits[(i - 50) >>> 6] >>> (i - 50) & 1) != 0).isEqualTo(hit);
      }
      assertThat(count).isEqualTo(expected);
    }
  }

  /** Blocks of every kind in arrays of several sizes: asked together as one by one. */
  @ParameterizedTest
  @CsvSource({"64, 1, 5", "128, 2, 6", "512, 2, 6", "512, 4, 12", "512, 8, 16"})
  void blocksOfOneKindAreQueriedTogether(int blockBits, int words, int probes) {
    Layer[] list = new Layer[4];
    for (int i = 0; i < list.length; i++) {
      list[i] = Layer.empty(new BlockShape((i + 1) * 20L, blockBits, words, probes), i, 100);
      put(list[i], Keys.members((i + 1) * 20 * blockBits / 10, i));
    }
    Layers layers = new Layers(list);
    long[] hashes = Keys.outsiders(20_000);
    System.arraycopy(Keys.members(300, 0), 0, hashes, 100, 300);
    System.arraycopy(Keys.members(300, 3), 0, hashes, 700, 300);
    long[] hits = new long[20_000 / 64 + 1];
    int count = layers.anySet(hashes, 1, 20_000, hits);
    int expected = 0;
    for (int i = 1; i < 20_000; i++) {
      boolean any = false;
      for (Layer layer : list) {
        any |= layer.allSet(hashes[i]);
      }
      expected += any ? 1 : 0;
      assertThat(layers.anySet(hashes[i])).isEqualTo(any);
      assertThat((hits[(i - 1) >>> 6] >>> (i - 1) & 1) != 0).isEqualTo(any);
    }
    assertThat(count).isEqualTo(expected).isBetween(600, 10_000);
  }

  @Test
  void anEmptyListHoldsNothing() {
    Layers layers = new Layers(blocked(0, 4), scattered(1, true));
    assertThat(layers.rate()).isEqualTo(0.0);
    assertThat(layers.anySet(5)).isFalse();
  }

  @Test
  void layersCountCopyAndMerge() {
    Layer one = blocked(7, 20);
    Layer two = blocked(7, 20);
    put(one, Keys.members(60, 1));
    put(two, Keys.members(50, 2));
    assertThat(one.keys()).isEqualTo(60);
    assertThat(one.isFull()).isFalse();
    assertThat(one.covers(two)).isFalse();
    Layer copy = one.copy();
    copy.merge(two);
    assertThat(copy.covers(one) && copy.covers(two)).isTrue();
    assertThat(one.covers(copy)).isFalse();
    assertThat(copy.keys()).isEqualTo(110);
    assertThat(copy.isFull()).isTrue();
    assertThat(copy.number()).isEqualTo(7);
  }

  /** 200 rounds: of threads that find the same layer full only one appends. */
  @Test
  void oneThreadAppends() {
    for (int round = 0; round < 200; round++) {
      Layer first = blocked(0, 1);
      Layers layers = new Layers(first);
      Race.run(2, thread -> layers.append(first, newest -> blocked(newest.number() + 1, 1)));
      assertThat(layers.list()).hasSize(2);
      assertThat(layers.newest().number()).isEqualTo(1);
    }
  }

  @Test
  void aFailedChangeChangesNothing() {
    Layers layers = new Layers(blocked(0, 1));
    Layer[] before = layers.list();
    assertThatThrownBy(
            () ->
                layers.change(
                    list -> {
                      list[0] = null;
                      throw new IllegalStateException("no");
                    }))
        .hasMessage("no");
    assertThat(layers.list()).isSameAs(before);
    assertThat(layers.newest()).isNotNull();
  }

  /** One bit in any word that is missing, and a layer does not cover another. */
  @Test
  void everyWordDecidesWhatIsCovered() {
    Layer full = blocked(0, 3);
    put(full, Keys.members(200, 1));
    for (long word = 0; word < full.words().length(); word++) {
      long bits = full.words().get(word);
      Layer less = full.copy();
      assertThat(less.words().replace(word, bits, bits & (bits - 1))).isTrue();
      assertThat(full.covers(less)).isTrue();
      assertThat(less.covers(full)).as("word %d", word).isFalse();
    }
  }
}
