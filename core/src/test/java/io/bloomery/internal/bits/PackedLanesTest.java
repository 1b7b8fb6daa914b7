package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.bloomery.testkit.Seeds;
import java.nio.LongBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PackedLanesTest {

  /** 41 numbers of each width, written 500 times at random, the first and the last among them. */
  @Test
  void bytesAreTheWordsOfPacked() {
    SplittableRandom random = Seeds.random(1);
    int count = 41;
    for (int width = 1; width <= 57; width++) {
      long length = Packed.wordsFor(count, width) + 1;
      Words packed = Words.allocate(length, false);
      PackedLanes bytes = PackedLanes.allocate(length, true);
      PackedLanes words = PackedLanes.allocate(length, false);
      assertThat(bytes.bytes()).hasSize((int) length * Long.BYTES);
      assertThat(words.bytes()).isNull();
      for (int step = 0; step < 500; step++) {
        int i = step == 0 ? 0 : step == 1 ? count - 1 : random.nextInt(count);
        long value = random.nextLong();
        Packed.set(packed, width, i, value);
        bytes.set(width, i, value);
        words.set(width, i, value);
      }
      for (int i = 0; i < count; i++) {
        assertThat(bytes.get(width, i))
            .isEqualTo(words.get(width, i))
            .isEqualTo(Packed.get(packed, width, i));
      }
      assertThat(bytes.words().sameBits(packed)).isTrue();
      assertThat(bytes.sameBits(words) && words.sameBits(bytes)).isTrue();
      assertThat(PackedLanes.of(packed, true).sameBits(bytes)).isTrue();
      PackedLanes copy = words.copy(true);
      copy.set(width, 3, ~copy.get(width, 3));
      assertThat(copy.sameBits(bytes)).isFalse();
      assertThat(bytes.copy(true).sameBits(words)).isTrue();
      bytes.clear();
      words.clear();
      assertThat(bytes.words().bitCount()).isZero();
      assertThat(words.sameBits(bytes)).isTrue();
    }
  }

  @Test
  void mappedWordsStayWhereTheyAreAndAreNotWritten() {
    long[] values = {0x123456789ABCDEFL, 7, 0};
    Words file = Words.view(LongBuffer.wrap(values));
    PackedLanes mapped = PackedLanes.of(file, true);
    assertThat(mapped.bytes()).isNull();
    assertThat(mapped.words()).isSameAs(file);
    assertThat(mapped.isReadOnly()).isTrue();
    assertThatThrownBy(mapped::requireWritable).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> mapped.set(12, 0, 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(mapped::clear).isInstanceOf(IllegalStateException.class);
    PackedLanes copy = mapped.copy(true);
    assertThat(copy.isReadOnly()).isFalse();
    copy.requireWritable();
    assertThat(copy.bytes()).isNotNull();
    assertThat(copy.sameBits(mapped)).isTrue();
    copy.set(12, 0, 1);
    assertThat(copy.get(12, 0)).isEqualTo(1);
    assertThat(mapped.get(12, 0)).isEqualTo(0xDEF);
    assertThatThrownBy(() -> copy.words().writable()).isInstanceOf(IllegalStateException.class);
  }
}
