package io.bloomery.internal.bits;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.testkit.Race;
import org.junit.jupiter.api.Test;

/** Two threads set interleaved bits of the same words. */
final class WordsStressTest {

  private static final int WORDS = 512;

  /** 200 rounds of 32 768 bits; every bit is there and was new to exactly one thread. */
  @Test
  void sharedWordsLoseNoBit() {
    for (int round = 0; round < 200; round++) {
      assertThat(setAllBits(Words.allocate(WORDS, true))).isEqualTo(WORDS * 64L);
    }
  }

  /**
   * The same race over words that are not shared loses bits, so the test above would notice if
   * atomic operations were missing. Usually the first rounds show it; the bound is for a busy
   * machine.
   */
  @Test
  void unsharedWordsLoseBits() {
    long lost = 0;
    for (int round = 0; round < 20_000 && lost == 0; round++) {
      lost = WORDS * 64L - setAllBits(Words.allocate(WORDS, false));
    }
    assertThat(lost).as("bits lost without the atomic").isPositive();
  }

  /** Both threads walk the words in the same order, one sets even bits, the other odd ones. */
  private static long setAllBits(Words words) {
    Race.run(
        2,
        thread -> {
          for (int bit = thread; bit < 64; bit += 2) {
            for (int word = 0; word < WORDS; word++) {
              words.or(word, 1L << bit);
            }
          }
        });
    return words.bitCount();
  }

  /** Where both set the same bit, exactly one learns that it was new. 200 rounds of 4 096 bits. */
  @Test
  void aNewBitIsNewForOneThreadOnly() {
    for (int round = 0; round < 200; round++) {
      Words words = Words.allocate(64, true);
      long[] fresh = new long[2];
      Race.run(
          2,
          thread -> {
            long count = 0;
            for (int bit = 0; bit < 64 * 64; bit++) {
              count += words.setBit(bit) ? 1 : 0;
            }
            fresh[thread] = count;
          });
      assertThat(fresh[0] + fresh[1]).isEqualTo(64 * 64);
    }
  }

  /** One thread sets even bits while the other clears odd ones. 200 rounds. */
  @Test
  void clearingBesideAWriterDisturbsNoBit() {
    for (int round = 0; round < 200; round++) {
      Words words = Words.allocate(WORDS, true);
      for (int word = 0; word < WORDS; word++) {
        words.or(word, 0xAAAA_AAAA_AAAA_AAAAL);
      }
      Race.run(
          2,
          thread -> {
            for (int bit = thread; bit < 64; bit += 2) {
              for (int word = 0; word < WORDS; word++) {
                boolean changed =
                    thread == 0 ? words.setBit(word * 64L + bit) : words.clearBit(word * 64L + bit);
                if (!changed) {
                  throw new AssertionError("bit " + bit + " of word " + word);
                }
              }
            }
          });
      for (int word = 0; word < WORDS; word++) {
        assertThat(words.get(word)).isEqualTo(0x5555_5555_5555_5555L);
      }
    }
  }

  /** Merging into words while another thread sets bits loses nothing. 200 rounds. */
  @Test
  void mergingBesideAWriterLosesNoBit() {
    Words evenBits = Words.allocate(WORDS, false);
    for (int word = 0; word < WORDS; word++) {
      evenBits.or(word, 0x5555_5555_5555_5555L);
    }
    for (int round = 0; round < 200; round++) {
      Words words = Words.allocate(WORDS, true);
      Race.run(
          2,
          thread -> {
            if (thread == 0) {
              words.orAll(evenBits);
            } else {
              for (int word = 0; word < WORDS; word++) {
                for (int bit = 1; bit < 64; bit += 2) {
                  words.or(word, 1L << bit);
                }
              }
            }
          });
      assertThat(words.bitCount()).isEqualTo(WORDS * 64L);
    }
  }
}
