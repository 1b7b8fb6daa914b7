package io.bloomery.internal.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.internal.bits.Words;
import io.bloomery.testkit.Keys;
import java.nio.LongBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All ways to query and to set use the same bits, for every number of words per key. */
final class BlockProbesTest {

  private static Words mapped(Words words) {
    LongBuffer copy = LongBuffer.allocate((int) words.length());
    words.copyTo(0, copy);
    return Words.view(copy.flip());
  }

  private static boolean found(BlockProbes probes, long hash, Words words) {
    boolean single = probes.allSet(hash, words);
    for (Words each : new Words[] {words, mapped(words)}) {
      long[] hits = new long[1];
      assertThat(probes.allSet(hash, each)).isEqualTo(single);
      assertThat(probes.allSet(new long[] {hash}, 0, 1, hits, each)).isEqualTo(single ? 1 : 0);
      assertThat(hits[0]).isEqualTo(single ? 1 : 0);
    }
    return single;
  }

  /** Each bit of a key counts, in single queries and in batches, on the heap and mapped. */
  @ParameterizedTest
  @CsvSource({
    "1, 1", "2, 1", "2, 2", "4, 1", "4, 2", "4, 4", "8, 1", "8, 2", "8, 4", "8, 8",
  })
  void oneMissingBitIsEnough(int blockWords, int wordsPerKey) {
    BlockProbes probes = new BlockProbes(10, blockWords, wordsPerKey, 3);
    for (long hash : Keys.members(100)) {
      Words words = Words.allocate(10L * blockWords, false);
      assertThat(found(probes, hash, words)).isFalse();
      assertThat(probes.setAll(hash, words)).isTrue();
      assertThat(probes.setAll(hash, words)).isFalse();
      assertThat(words.bitCount()).isEqualTo(3L * wordsPerKey);
      assertThat(found(probes, hash, words)).isTrue();
      for (long bit = 0; bit < 640L * blockWords; bit++) {
        if (words.clearBit(bit)) {
          assertThat(found(probes, hash, words)).isFalse();
          words.setBit(bit);
        }
      }
    }
  }

  /** Parts of a filter, filled when they are full and at the end, and hashes in their order. */
  @Test
  void partsSetLikeSingleAdds() {
    long[] hashes = Keys.members(700_000);
    BlockProbes probes = new BlockProbes(100_000, 8, 2, 3);
    Words single = Words.allocate(800_000, false);
    for (int i = 5; i < hashes.length - 5; i++) {
      probes.setAll(hashes[i], single);
    }
    Words parts = Words.allocate(800_000, false);
    HashParts.set(hashes, 5, hashes.length - 5, probes, parts.writable());
    assertThat(parts.sameBits(single)).isTrue();
  }
}
