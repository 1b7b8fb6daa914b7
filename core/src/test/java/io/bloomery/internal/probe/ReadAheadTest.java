package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.hash.IndexScheme;
import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of {@link ReadAhead} against single adds and the closed form, in arrays of any size. */
final class ReadAheadTest {

  private static final int[] SIZES = {0, 1, 63, 64, 65, 255, 256, 257, 512, 1_200};

  /** Each position counts, also in an array whose positions are products of more than 64 bits. */
  @ParameterizedTest
  @ValueSource(longs = {2_560, (1L << 28) + 64})
  void oneMissingBitIsEnough(long bits) {
    Words words = Words.forBits(bits, false);
    for (int count : new int[] {1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 66}) {
      ReadAhead ahead = new ReadAhead(words.heap(), bits, count, 1);
      for (long hash : new long[] {-1, 77, 0x123456789ABCDEFL}) {
        long[] positions = ReferenceIndexes.of(IndexScheme.POWERS, hash, bits, count);
        Arrays.stream(positions).forEach(words::setBit);
        assertThat(found(ahead, hash)).isTrue();
        for (long missing : positions) {
          words.clearBit(missing);
          assertThat(found(ahead, hash)).isFalse();
          words.setBit(missing);
        }
        Arrays.stream(positions).forEach(words::clearBit);
      }
    }
  }

  private static boolean found(ReadAhead ahead, long hash) {
    long[] hits = new long[1];
    assertThat(ahead.allSet(new long[] {hash}, 0, 1, hits)).isEqualTo((int) hits[0]);
    return hits[0] == 1;
  }

  /** Groups of hashes that share words, each add seen by the next. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void setsLikeSingleAdds(boolean shared) {
    long[] hashes = Keys.members(1_300);
    for (int count = 1; count <= 20; count++) {
      int bits = 6_400 * count + count % 3;
      Probes probes = new Probes(IndexScheme.POWERS, bits, count);
      for (int size : SIZES) {
        Words single = Words.forBits(bits, shared);
        for (int i = 100; i < 100 + size; i++) {
          probes.setAll(hashes[i], single);
        }
        Words batch = Words.forBits(bits, shared);
        ReadAhead ahead = new ReadAhead(batch.writable(), bits, count, size);
        assertThat(ahead.setAll(hashes, 100, 100 + size, batch)).isEqualTo(size > 0);
        assertThat(ahead.setAll(hashes, 100, 100 + size, batch)).isFalse();
        assertThat(batch.sameBits(single)).isTrue();
      }
    }
  }

  /** One new bit among many old ones is a change, whichever position it is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneNewBitIsAChange(boolean shared) {
    long bits = 64 * 1_001;
    for (int count : new int[] {1, 3, 7, 10}) {
      Words words = Words.forBits(bits, shared);
      ReadAhead ahead = new ReadAhead(words.writable(), bits, count, 300);
      long[] hashes = Keys.members(300);
      ahead.setAll(hashes, 0, 300, words);
      for (long missing : ReferenceIndexes.of(IndexScheme.POWERS, hashes[280], bits, count)) {
        words.clearBit(missing);
        assertThat(ahead.setAll(hashes, 0, 300, words)).isTrue();
        assertThat(words.getBit(missing)).isTrue();
      }
    }
  }
}
