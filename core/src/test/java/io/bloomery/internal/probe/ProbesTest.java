package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Keys;
import io.bloomery.testkit.Property;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The positions of every scheme against its closed form, and the loops against the positions.
 *
 * <p>Measured here, of A.5 (index schemes: vectors, cost in small filters, worked examples): m =
 * 1024, n = 64, k = 11: INDEPENDENT 0.00047, SLICES of one long hash 0.00047, ENHANCED_DOUBLE
 * 0.00054, TRIPLE 0.00055, QUADRATIC 0.00097, DOUBLE 0.00119; the survey's h1 + i²·h2 0.0032.
 */
final class ProbesTest {

  private static final List<Long> NOTED_SIZES =
      List.of(2L, 3L, 10L, 1000L, 1L << 10, (1L << 32) - 1, 1L << 32, (1L << 32) + 1, 1L << 40);

  /** 1 000 hashes, sizes and counts per scheme; counts up to the largest allowed. */
  @ParameterizedTest
  @EnumSource
  void indexesEqualTheClosedForm(IndexScheme scheme) {
    Property.check(
        20,
        1_000,
        draw -> {
          int count = draw.between(1, draw.oneOf(List.of(2, 12, 40, 255)));
          long bits = size(draw, scheme, count, Probes.MAX_BITS);
          count = (int) Math.min(count, bits);
          long hash = draw.anyLong();
          assertThat(indexes(new Probes(scheme, bits, count), hash))
              .as("%d bits, %d probes, hash %d", bits, count, hash)
              .isEqualTo(ReferenceIndexes.of(scheme, hash, bits, count));
        });
  }

  /** All sizes 2…40 with all counts, which for the walking schemes reach the size itself. */
  @ParameterizedTest
  @EnumSource
  void everySmallShape(IndexScheme scheme) {
    for (int bits = 2; bits <= 40; bits++) {
      for (int count = 1; count <= bits; count++) {
        if (scheme != IndexScheme.PARTITIONED || (bits % count == 0 && bits / count >= 2)) {
          Probes probes = new Probes(scheme, bits, count);
          for (long hash = -2; hash < 2; hash++) {
            assertThat(indexes(probes, hash))
                .isEqualTo(ReferenceIndexes.of(scheme, hash, bits, count));
          }
        }
      }
    }
  }

  private static long size(Draw draw, IndexScheme scheme, int count, long max) {
    long bits =
        draw.between(0, 3) == 0
            ? draw.oneOf(NOTED_SIZES)
            : Math.max(2, draw.between(2, max) >>> draw.between(0, 39));
    bits = Math.min(bits, max);
    if (scheme == IndexScheme.PARTITIONED) {
      return Math.max(2, Math.min(bits, max - count) / count) * count;
    }
    return bits;
  }

  private static long[] indexes(Probes probes, long hash) {
    long[] into = new long[probes.count()];
    probes.indexes(hash, into);
    return into;
  }

  /** Worked by hand: a = 123, b = 457, c = 11, m = 1000, k = 6. */
  @Test
  void workedVectors() {
    long[] into = new long[6];
    Modulus thousand = new Modulus(1000);
    Probes.walk(123, 457, 1, 1, thousand, into, 6);
    assertThat(into).as("enhanced double").containsExactly(123, 580, 38, 498, 961, 428);
    Probes.walk(123, 457, 11, 0, thousand, into, 6);
    assertThat(into).as("triple").containsExactly(123, 580, 48, 527, 17, 518);
    Probes.walk(123, 457, 0, 0, thousand, into, 6);
    assertThat(into).as("double").containsExactly(123, 580, 37, 494, 951, 408);
    Probes.walk(123, 458, 2, 0, thousand, into, 6);
    assertThat(into).as("quadratic").containsExactly(123, 581, 41, 503, 967, 433);
  }

  /** A step of zero would put all probes of a key on one bit. */
  @Test
  void doubleHashingNeverHasStepZero() {
    for (int bits = 2; bits <= 9; bits++) {
      Probes probes = new Probes(IndexScheme.DOUBLE, bits, 2);
      for (long hash = 0; hash < 2000; hash++) {
        long[] pair = indexes(probes, hash);
        assertThat(pair[1]).as("%d bits, hash %d", bits, hash).isNotEqualTo(pair[0]);
      }
    }
  }

  /** With a step prime to the size all probes of a key differ. */
  @Test
  void doubleHashingOverAPowerOfTwoVisitsDistinctBits() {
    Probes probes = new Probes(IndexScheme.DOUBLE, 256, 255);
    for (long hash = 0; hash < 500; hash++) {
      assertThat(Arrays.stream(indexes(probes, hash)).distinct().count()).isEqualTo(255);
    }
  }

  @ParameterizedTest
  @EnumSource
  void setAllSetsTheIndexesAndNothingElse(IndexScheme scheme) {
    Property.check(
        21,
        400,
        draw -> {
          int count = draw.between(1, 20);
          int bits = (int) Math.max(size(draw, scheme, count, 4000), count);
          Probes probes = new Probes(scheme, bits, count);
          Words words = Words.forBits(bits, draw.between(0, 1) == 1);
          boolean[] model = new boolean[bits];
          for (int key = 0; key < 30; key++) {
            long hash = draw.anyLong();
            assertThat(probes.allSet(hash, words)).isEqualTo(modelHas(model, probes, hash));
            assertThat(probes.setAll(hash, words)).isEqualTo(modelAdd(model, probes, hash));
            assertThat(probes.setAll(hash, words)).isFalse();
            assertThat(probes.allSet(hash, words)).isTrue();
          }
          boolean[] actual = new boolean[bits];
          for (int bit = 0; bit < bits; bit++) {
            actual[bit] = words.getBit(bit);
          }
          assertThat(actual).isEqualTo(model);
        });
  }

  private static boolean modelHas(boolean[] model, Probes probes, long hash) {
    return Arrays.stream(indexes(probes, hash)).allMatch(i -> model[(int) i]);
  }

  private static boolean modelAdd(boolean[] model, Probes probes, long hash) {
    boolean changed = false;
    for (long i : indexes(probes, hash)) {
      changed |= !model[(int) i];
      model[(int) i] = true;
    }
    return changed;
  }

  /** Each probe counts: a query fails if any one of its bits is missing, wherever words lie. */
  @ParameterizedTest
  @EnumSource
  void oneMissingBitIsEnough(IndexScheme scheme) {
    for (int count = 1; count <= 23; count++) {
      int bits = 40 * count;
      Probes probes = new Probes(scheme, bits, count);
      for (long hash : new long[] {0, -1, 77, 0x123456789ABCDEFL}) {
        long[] all = new long[(int) Words.wordsFor(bits)];
        for (long missing : indexes(probes, hash)) {
          Arrays.fill(all, -1);
          assertThat(probes.allSet(hash, Words.copyOf(all, false))).isTrue();
          assertThat(probes.allSet(hash, Words.view(LongBuffer.wrap(all)))).isTrue();
          all[(int) (missing >>> 6)] &= ~(1L << missing);
          assertThat(probes.allSet(hash, Words.copyOf(all, false))).isFalse();
          assertThat(probes.allSet(hash, Words.view(LongBuffer.wrap(all)))).isFalse();
        }
      }
    }
  }

  /** Batches of 0…200 hashes at any offset answer like single queries, wherever words lie. */
  @ParameterizedTest
  @EnumSource
  void aBatchAnswersLikeSingleQueries(IndexScheme scheme) {
    for (int count : new int[] {1, 3, 4, 5, 7, 8, 12}) {
      int bits = 300 * count;
      Probes probes = new Probes(scheme, bits, count);
      Words words = Words.forBits(bits, false);
      for (long hash : Keys.members(200)) {
        probes.setAll(hash, words);
      }
      long[] values = new long[(int) words.length()];
      words.copyTo(0, LongBuffer.wrap(values));
      Words mapped = Words.view(LongBuffer.wrap(values));
      long[] hashes = Keys.outsiders(300);
      System.arraycopy(Keys.members(60), 0, hashes, 40, 60);
      for (int size = 0; size <= 200; size++) {
        int from = size % 100;
        long[] expected = new long[4];
        int total = 0;
        for (int i = 0; i < size; i++) {
          if (probes.allSet(hashes[from + i], words)) {
            expected[i / 64] |= 1L << i;
            total++;
          }
        }
        for (Words lying : List.of(words, mapped)) {
          long[] hits = new long[4];
          assertThat(probes.allSet(hashes, from, from + size, hits, lying)).isEqualTo(total);
          assertThat(hits).isEqualTo(expected);
        }
      }
    }
  }

  /** Batches of 0…100 hashes at any offset set what single adds set, and say whether they do. */
  @ParameterizedTest
  @EnumSource
  void aBatchSetsLikeSingleAdds(IndexScheme scheme) {
    for (int count : new int[] {1, 2, 3, 7, 40}) {
      int bits = 300 * count;
      Probes probes = new Probes(scheme, bits, count);
      for (boolean shared : new boolean[] {false, true}) {
        Words single = Words.forBits(bits, shared);
        Words batch = Words.forBits(bits, shared);
        long[] hashes = Keys.members(200);
        for (int size = 0; size <= 100; size += 1 + size / 9) {
          int from = 100 - size;
          boolean changed = false;
          for (int i = from; i < from + size; i++) {
            changed |= probes.setAll(hashes[i], single);
          }
          assertThat(probes.setAll(hashes, from, from + size, batch)).isEqualTo(changed);
          assertThat(probes.setAll(hashes, from, from + size, batch)).isFalse();
          assertThat(batch.sameBits(single)).isTrue();
        }
      }
    }
  }

  @Test
  void shapesOutsideOfTheRangeAreRefused() {
    for (IndexScheme scheme : IndexScheme.values()) {
      for (long bits : new long[] {1, 0, -5, (1L << 41) + 1, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> new Probes(scheme, bits, 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("bits = " + bits + " is outside the allowed range 2 … ");
      }
      for (int count : new int[] {0, -1, 256}) {
        assertThatThrownBy(() -> new Probes(scheme, 1000, count))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("hashesPerKey = " + count)
            .hasMessageContaining("1 … 255");
      }
      assertThatThrownBy(() -> new Probes(scheme, 4, 5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 … 4");
    }
    assertThatThrownBy(() -> new Probes(IndexScheme.PARTITIONED, 1000, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1000 bits are not 3 slices");
    assertThatThrownBy(() -> new Probes(IndexScheme.PARTITIONED, 8, 8))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
