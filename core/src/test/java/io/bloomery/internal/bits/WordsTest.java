package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Draw;
import io.bloomery.testkit.Property;
import io.bloomery.testkit.Seeds;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WordsTest {

  @Test
  void enoughWordsForSoManyBits() {
    assertThat(Words.wordsFor(0)).isZero();
    assertThat(Words.wordsFor(1)).isEqualTo(1);
    assertThat(Words.wordsFor(64)).isEqualTo(1);
    assertThat(Words.wordsFor(65)).isEqualTo(2);
    assertThat(Words.wordsFor((1L << 37) - 1)).isEqualTo(1L << 31);
    assertThat(Words.forBits(65, true).length()).isEqualTo(2);
  }

  @Test
  void impossibleSizesAreRefused() {
    for (long words : new long[] {-1, Words.MAX_WORDS + 1, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> Words.allocate(words, false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("words = " + words)
          .hasMessageContaining("0 … " + Words.MAX_WORDS);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyBitHasItsPlace(boolean shared) {
    for (int bit = 0; bit < 200; bit++) {
      Words words = Words.forBits(200, shared);
      assertThat(words.setBit(bit)).isTrue();
      assertThat(words.setBit(bit)).isFalse();
      for (int i = 0; i < 4; i++) {
        assertThat(words.get(i)).isEqualTo(i == bit / 64 ? 1L << bit % 64 : 0);
      }
      for (int other = 0; other < 200; other++) {
        assertThat(words.getBit(other)).isEqualTo(other == bit);
      }
    }
  }

  /** Mapped words are counted in pieces, so these end within one and with one. */
  @Test
  void bitsAreCountedAlikeOnTheHeapAndMapped() {
    long[] random = Seeds.random(12).longs(2 * Words.PIECE_WORDS + 100).toArray();
    Words heap = Words.copyOf(random, false);
    Words mapped = Words.view(LongBuffer.wrap(random));
    long count = Arrays.stream(random).map(Long::bitCount).sum();
    assertThat(mapped.bitCount()).isEqualTo(heap.bitCount()).isEqualTo(count);
    int[] ends = {0, 1, 63, 64, 65, Words.PIECE_WORDS, Words.PIECE_WORDS + 1, random.length};
    for (int from : ends) {
      for (int to : ends) {
        assertThat(mapped.bitCount(from, to)).isEqualTo(heap.bitCount(from, to));
      }
    }
    assertThat(mapped.bitCountOfBits(3, 64L * random.length - 5))
        .isEqualTo(heap.bitCountOfBits(3, 64L * random.length - 5));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void orSaysWhetherABitWasNew(boolean shared) {
    Words words = Words.allocate(3, shared);
    assertThat(words.isShared()).isEqualTo(shared);
    assertThat(words.or(1, 0)).isFalse();
    assertThat(words.or(1, 0b0110)).isTrue();
    assertThat(words.or(1, 0b0010)).isFalse();
    assertThat(words.or(1, 0b0110)).isFalse();
    assertThat(words.or(1, 0b1010)).isTrue();
    assertThat(words.or(1, Long.MIN_VALUE)).isTrue();
    assertThat(words.get(1)).isEqualTo(Long.MIN_VALUE | 0b1110);
    assertThat(words.get(0)).isZero();
    assertThat(words.get(2)).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clearBitSaysWhetherTheBitWasSet(boolean shared) {
    for (int bit = 0; bit < 200; bit++) {
      Words words = Words.copyOf(new long[] {-1, -1, -1, -1}, shared);
      assertThat(words.clearBit(bit)).isTrue();
      assertThat(words.clearBit(bit)).isFalse();
      assertThat(words.getBit(bit)).isFalse();
      assertThat(words.bitCount()).isEqualTo(255);
    }
  }

  /** 300 histories of 200 operations beside a {@link BitSet}. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void behavesLikeABitSet(boolean shared) {
    Property.check(
        30,
        300,
        draw -> {
          int bits = 64 * draw.between(1, 10);
          Words words = Words.forBits(bits, shared);
          BitSet model = new BitSet(bits);
          for (int step = 0; step < 200; step++) {
            mutate(draw, bits, words, model);
          }
          assertThat(BitSet.valueOf(values(words))).isEqualTo(model);
          assertThat(words.bitCount()).isEqualTo(model.cardinality());
          int from = draw.between(0, (int) words.length());
          int to = draw.between(from, (int) words.length());
          assertThat(words.bitCount(from, to))
              .isEqualTo(model.get(from * 64, to * 64).cardinality());
          int first = draw.between(0, bits);
          int end = draw.between(0, bits);
          assertThat(words.bitCountOfBits(first, end))
              .as("bits %d…%d", first, end)
              .isEqualTo(first < end ? model.get(first, end).cardinality() : 0);
        });
  }

  /** Every range of 200 bits that are all ones. */
  @Test
  void countsTheBitsOfEveryRange() {
    Words words = Words.copyOf(new long[] {-1, -1, -1, -1}, false);
    for (int from = 0; from <= 200; from++) {
      for (int to = from; to <= 200; to++) {
        assertThat(words.bitCountOfBits(from, to)).isEqualTo(to - from);
      }
    }
  }

  /** From any word on, as much as the target takes, from the heap and from mapped words. */
  @Test
  void copiesAnyRangeToABuffer() {
    long[] values = {10, 11, 12, 13, 14};
    for (Words words : List.of(Words.copyOf(values, true), mapped(values))) {
      for (int from = 0; from <= 5; from++) {
        for (int count = 0; count <= 5 - from; count++) {
          long[] target = new long[count + 2];
          LongBuffer buffer = LongBuffer.wrap(target, 1, count);
          words.copyTo(from, buffer);
          assertThat(buffer.hasRemaining()).isFalse();
          for (int i = 0; i < target.length; i++) {
            boolean inside = i >= 1 && i <= count;
            assertThat(target[i]).isEqualTo(inside ? values[from + i - 1] : 0);
          }
        }
      }
    }
  }

  private static void mutate(Draw draw, int bits, Words words, BitSet model) {
    int choice = draw.between(0, 99);
    Words other = random(draw, bits);
    BitSet otherModel = BitSet.valueOf(values(other));
    if (choice == 0) {
      words.clear();
      model.clear();
    } else if (choice < 5) {
      words.orAll(other);
      model.or(otherModel);
    } else if (choice < 20) {
      words.andAll(other);
      model.and(otherModel);
    } else {
      int bit = draw.between(0, bits - 1);
      assertThat(words.getBit(bit)).isEqualTo(model.get(bit));
      assertThat(words.setBit(bit)).isEqualTo(!model.get(bit));
      model.set(bit);
    }
  }

  private static Words random(Draw draw, int bits) {
    Words words = Words.forBits(bits, false);
    for (int i = 0; i < words.length(); i++) {
      words.or(i, draw.anyLong());
    }
    return words;
  }

  @Test
  void combiningNeedsEqualLengthsAndChangesNothingOtherwise() {
    Words words = Words.copyOf(new long[] {5, 6}, false);
    Words longer = Words.copyOf(new long[] {-1, -1, -1}, false);
    for (ThrowingCallable call :
        new ThrowingCallable[] {() -> words.orAll(longer), () -> words.andAll(longer)}) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("3 words")
          .hasMessageContaining("2");
    }
    assertThat(values(words)).containsExactly(5, 6);
  }

  @Test
  void combiningWithItselfChangesNothing() {
    Words words = Words.copyOf(new long[] {5, -6}, true);
    words.orAll(words);
    words.andAll(words);
    assertThat(values(words)).containsExactly(5, -6);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyIsIndependent(boolean shared) {
    Words words = Words.copyOf(new long[] {1, 2}, shared);
    Words copy = words.copy();
    assertThat(copy.sameBits(words)).isTrue();
    assertThat(copy.isShared()).isEqualTo(shared);
    words.setBit(70);
    copy.setBit(5);
    assertThat(values(words)).containsExactly(1, 66);
    assertThat(values(copy)).containsExactly(33, 2);
    assertThat(copy.sameBits(words)).isFalse();
  }

  @Test
  void sameBitsLooksAtEveryWordAndTheLength() {
    Words words = Words.copyOf(new long[] {1, 2, 3}, false);
    assertThat(words.sameBits(Words.copyOf(new long[] {1, 2, 3}, true))).isTrue();
    assertThat(words.sameBits(mapped(1, 2, 3))).isTrue();
    assertThat(words.sameBits(Words.copyOf(new long[] {1, 2}, false))).isFalse();
    assertThat(words.sameBits(Words.copyOf(new long[] {1, 2, 3, 0}, false))).isFalse();
    assertThat(words.sameBits(Words.copyOf(new long[] {0, 2, 3}, false))).isFalse();
    assertThat(words.sameBits(Words.copyOf(new long[] {1, 2, 7}, false))).isFalse();
  }

  @Test
  void wordsBeginAtTheBaseOfTheHeapArray() {
    long[] values = {1, 2};
    Words words = Words.copyOf(values, false);
    words.setBit(64);
    assertThat(values).containsExactly(1, 2);
    assertThat(values(words)).containsExactly(1, 3);
    assertThat(words.heap()[Words.BASE]).isEqualTo(1);
    assertThat(words.heap()[Words.BASE + 1]).isEqualTo(3);
    assertThat(words.writable()).isSameAs(words.heap());
    assertThat(words.isReadOnly()).isFalse();
  }

  private static long[] values(Words words) {
    long[] values = new long[(int) words.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = words.get(i);
    }
    return values;
  }

  private static Words mapped(long... words) {
    return Words.view(LongBuffer.wrap(words));
  }

  @Test
  void mappedWordsAnswerAndRefuseChanges() {
    Words words = mapped(0b1010, -1, 0);
    assertThat(words.isReadOnly()).isTrue();
    assertThat(words.heap()).isNull();
    assertThat(words.length()).isEqualTo(3);
    assertThat(words.get(1)).isEqualTo(-1);
    assertThat(words.getBit(1)).isTrue();
    assertThat(words.getBit(2)).isFalse();
    assertThat(words.bitCount()).isEqualTo(66);
    assertThat(words.bitCount(1, 3)).isEqualTo(64);
    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> words.setBit(0),
          () -> words.setBit(1), // already set: refused all the same
          () -> words.clearBit(1),
          () -> words.or(0, 1),
          () -> words.or(0, 0),
          () -> words.orAll(mapped(0, 0, 0)),
          () -> words.andAll(mapped(-1, -1, -1)),
          words::clear,
          words::writable
        }) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("read-only");
    }
    assertThat(words.sameBits(Words.copyOf(new long[] {0b1010, -1, 0}, false))).isTrue();
  }

  @Test
  void aCopyOfMappedWordsIsWritableAndShared() {
    Words copy = mapped(1, 2).copy();
    assertThat(copy.isReadOnly()).isFalse();
    assertThat(copy.isShared()).isTrue();
    assertThat(copy.setBit(64)).isTrue();
    assertThat(values(copy)).containsExactly(1, 3);
  }

  /** 16 GiB and more: beyond the heap of the tests. */
  @Test
  void whatDoesNotFitIntoTheHeapIsNamed() {
    long bytes = Words.MAX_WORDS * Long.BYTES;
    assertThat(Runtime.getRuntime().maxMemory()).isLessThan(bytes);
    assertThatThrownBy(() -> Words.allocate(Words.MAX_WORDS, true))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining(bytes + " bytes")
        .hasMessageContaining("maximum is " + Runtime.getRuntime().maxMemory());
  }
}
