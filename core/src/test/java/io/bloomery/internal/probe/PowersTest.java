package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The written-out code of {@link Powers}, which whole words take, against the closed form. */
final class PowersTest {

  private static Probes probes(long bits, int count) {
    return new Probes(IndexScheme.POWERS, bits, count);
  }

  /** Every number of positions to 40 and some above, at whole words and one bit more or less. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void setsTheClosedFormAndNothingElse(boolean shared) {
    for (int count : counts()) {
      for (int bits : new int[] {256, 1023, 1024, 1025, 64 * 1001}) {
        Probes probes = probes(bits, Math.min(count, bits));
        Words expected = Words.forBits(bits, false);
        Words words = Words.forBits(bits, shared);
        for (long hash : Keys.members(20)) {
          boolean fresh = false;
          for (long i :
              ReferenceIndexes.of(IndexScheme.POWERS, hash, bits, Math.min(count, bits))) {
            fresh |= expected.setBit(i);
          }
          assertThat(probes.allSet(hash, words)).isEqualTo(!fresh);
          assertThat(probes.setAll(hash, words)).isEqualTo(fresh);
          assertThat(probes.setAll(hash, words)).isFalse();
          assertThat(probes.allSet(hash, words)).isTrue();
          assertThat(words.sameBits(expected)).isTrue();
        }
      }
    }
  }

  private static int[] counts() {
    int[] counts = new int[46];
    Arrays.setAll(counts, i -> i < 40 ? i + 1 : 63 + (i - 40));
    counts[45] = 255;
    return counts;
  }

  /** Each position counts, alone and in a batch, wherever the words lie. */
  @Test
  void oneMissingBitIsEnough() {
    int bits = 64 * 40;
    for (int count = 1; count <= 23; count++) {
      Probes probes = probes(bits, count);
      for (long hash : new long[] {-1, 77, 0x123456789ABCDEFL}) {
        for (long missing : ReferenceIndexes.of(IndexScheme.POWERS, hash, bits, count)) {
          long[] all = new long[bits / 64];
          Arrays.fill(all, -1);
          assertFound(probes, hash, all, true);
          all[(int) (missing >>> 6)] &= ~(1L << missing);
          assertFound(probes, hash, all, false);
        }
      }
    }
  }

  /** The short way of seven positions sets those of the definition, and each of them counts. */
  @ParameterizedTest
  @ValueSource(ints = {1, 40, 3_000, 1 << 17})
  void sevenPositionsTheShortWay(int size) {
    long bits = 64L * size;
    Words words = Words.forBits(bits, false);
    long[] heap = probes(bits, 7).heapWords(words);
    for (long hash : Keys.members(100)) {
      words.clear();
      assertThat(Powers.allSet(hash, heap, size, 7)).isFalse();
      assertThat(Powers.setSeven(hash, heap, size)).isTrue();
      assertThat(Powers.setSeven(hash, heap, size)).isFalse();
      long[] expected =
          Arrays.stream(ReferenceIndexes.of(IndexScheme.POWERS, hash, bits, 7))
              .distinct()
              .toArray();
      assertThat(words.bitCount()).isEqualTo(expected.length);
      assertThat(Powers.allSet(hash, heap, size, 7)).isTrue();
      for (long missing : expected) {
        assertThat(words.clearBit(missing)).isTrue();
        assertThat(Powers.allSet(hash, heap, size, 7)).isFalse();
        words.setBit(missing);
      }
    }
  }

  /** One or two positions, parts of words and mapped words take the long way. */
  @Test
  void theShortWayIsForWholeWordsOnTheHeap() {
    Words words = Words.forBits(640, false);
    assertThat(probes(640, 7).heapWords(words)).isSameAs(words.heap());
    assertThat(probes(640, 3).heapWords(words)).isSameAs(words.heap());
    assertThat(probes(640, 2).heapWords(words)).isNull();
    assertThat(probes(639, 7).heapWords(words)).isNull();
    Words mapped = Words.view(LongBuffer.allocate(10));
    assertThat(probes(640, 7).heapWords(mapped)).isNull();
  }

  /** Of the later positions each counts, of the earlier ones none, wherever the words lie. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 9, 10, 70, 255})
  void laterPositionsAlone(int count) {
    for (int bits : new int[] {64 * 400, 64 * 400 - 1}) {
      Powers powers = probes(bits, count).powers();
      for (int first = 0; first <= count; first += Math.max(1, count / 9)) {
        long hash = 0x123456789ABCDEFL + first;
        long[] all = ReferenceIndexes.of(IndexScheme.POWERS, hash, bits, count);
        Words words = Words.forBits(bits, false);
        Arrays.stream(all, first, count).forEach(words::setBit);
        assertLater(powers, first, hash, words, true);
        for (int i = first; i < count; i++) {
          words.clearBit(all[i]);
          assertLater(powers, first, hash, words, false);
          words.setBit(all[i]);
        }
      }
    }
  }

  private static void assertLater(
      Powers powers, int first, long hash, Words words, boolean expected) {
    LongBuffer copy = LongBuffer.allocate((int) words.length());
    words.copyTo(0, copy);
    Words mapped = Words.view(copy.flip());
    assertThat(powers.allSetFrom(first, hash, words)).isEqualTo(expected);
    assertThat(powers.allSetFrom(first, hash, mapped)).isEqualTo(expected);
  }

  private static void assertFound(Probes probes, long hash, long[] all, boolean expected) {
    Words mapped = Words.view(LongBuffer.wrap(all));
    for (Words words : List.of(Words.copyOf(all, true), mapped)) {
      assertThat(probes.allSet(hash, words)).isEqualTo(expected);
      long[] hits = {-1};
      assertThat(probes.allSet(new long[] {hash}, 0, 1, hits, words)).isEqualTo(expected ? 1 : 0);
      assertThat(hits[0]).isEqualTo(expected ? 1 : 0);
    }
  }

  /** Batches of up to 1,200 hashes at any offset, which take several rounds, also read ahead. */
  @Test
  void aBatchAnswersLikeSingleQueries() {
    for (int count : new int[] {1, 2, 3, 4, 6, 7, 10, 11, 20}) {
      int bits = 64 * 5 * count;
      Probes probes = probes(bits, count);
      Words words = Words.forBits(bits, false);
      for (long hash : Keys.members(200)) {
        probes.setAll(hash, words);
      }
      long[] hashes = Keys.outsiders(1_300);
      System.arraycopy(Keys.members(200), 0, hashes, 450, 200);
      for (int size : new int[] {0, 1, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1_200}) {
        long[] expected = new long[20];
        int total = 0;
        for (int i = 0; i < size; i++) {
          if (probes.allSet(hashes[100 + i], words)) {
            expected[i / 64] |= 1L << i;
            total++;
          }
        }
        long[] hits = new long[20];
        assertThat(probes.allSet(hashes, 100, 100 + size, hits, words)).isEqualTo(total);
        assertThat(hits).isEqualTo(expected);
        ReadAhead ahead = new ReadAhead(words.heap(), bits, count, size);
        Arrays.fill(hits, 0);
        assertThat(ahead.allSet(hashes, 100, 100 + size, hits)).isEqualTo(total);
        assertThat(hits).isEqualTo(expected);
      }
    }
  }

  /** In a cached and in a larger filter, of one writer and of many. */
  @ParameterizedTest
  @ValueSource(longs = {640, 64L << 16, (64L << 16) + 64, (64L << 22) + 64})
  void aBatchSetsLikeSingleAdds(long bits) {
    for (int count : new int[] {1, 3, 7, 14, 64, 65}) {
      Probes probes = probes(bits, count);
      for (boolean shared : new boolean[] {false, true}) {
        Words single = Words.forBits(bits, shared);
        Words batch = Words.forBits(bits, shared);
        long[] hashes = Keys.members(100);
        boolean changed = false;
        for (int i = 3; i < 90; i++) {
          changed |= probes.setAll(hashes[i], single);
        }
        assertThat(changed).isTrue();
        assertThat(probes.setAll(hashes, 3, 90, batch)).isTrue();
        assertThat(probes.setAll(hashes, 3, 90, batch)).isFalse();
        assertThat(batch.sameBits(single)).isTrue();
      }
    }
  }

  /**
   * 400,000 hashes of 3 and of 7 positions in filters of 2 MB and more, of whole words and not:
   * parts are emptied when they are full and at the end.
   */
  @ParameterizedTest
  @ValueSource(longs = {1L << 24, (1L << 24) + 1, (1L << 25) - 64, (1L << 28) + 640})
  void partsSetLikeSingleAdds(long bits) {
    long[] hashes = Keys.members(400_000);
    for (int count : new int[] {3, 7}) {
      Probes probes = probes(bits, count);
      Words single = Words.forBits(bits, false);
      Words parts = Words.forBits(bits, false);
      for (int i = 5; i < hashes.length - 5; i++) {
        probes.setAll(hashes[i], single);
      }
      assertThat(probes.setAll(hashes, 5, hashes.length - 5, parts)).isTrue();
      assertThat(parts.sameBits(single)).isTrue();
      assertThat(probes.setAll(hashes, 5, hashes.length - 5, parts)).isFalse();
    }
  }

  /** Sizes whose products take more than 64 bits, one position missing after the other. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 10, 13, 66})
  void largeFilters(int count) {
    long bits = (1L << 28) + 64;
    Probes probes = probes(bits, count);
    Words words = Words.forBits(bits, false);
    for (long hash : Keys.members(20)) {
      long[] all = ReferenceIndexes.of(IndexScheme.POWERS, hash, bits, count);
      assertThat(probes.allSet(hash, words)).isFalse();
      assertThat(probes.setAll(hash, words)).isTrue();
      assertThat(probes.allSet(hash, words)).isTrue();
      for (long missing : all) {
        assertThat(words.clearBit(missing)).isTrue();
        assertThat(probes.allSet(hash, words)).isFalse();
        words.setBit(missing);
      }
      Arrays.stream(all).forEach(words::clearBit);
    }
    assertThat(words.bitCount()).isZero();
  }

  /** Half as many positions: each is half of what it was. */
  @Test
  void halving() {
    for (long bits : new long[] {4, 1000, 1L << 20, (1L << 28) + 64, 1L << 41}) {
      for (long hash : Keys.members(500)) {
        long[] whole = new long[4];
        long[] half = new long[Math.min(4, (int) Math.min(4, bits / 2))];
        probes(bits, 4).indexes(hash, whole);
        probes(bits / 2, half.length).indexes(hash, half);
        for (int i = 0; i < half.length; i++) {
          assertThat(half[i]).isEqualTo(whole[i] / 2);
        }
      }
    }
  }
}
