package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * The split words of Bloom-α (Qiao, Li and Chen, section 4): the last bit of a word is its flag,
 * and the words that hold the most keys get it until a given share of the keys is in such words.
 *
 * <p>Design. The paper keeps a list of keys per word and moves bits. Since only its own keys, not
 * the halves that move in, decide whether a word is split, counting the keys per word suffices:
 * flags are set first, and bits are then written once to their final place.
 */
public final class WordSplit {

  private WordSplit() {}

  /** 1 if a word is split, otherwise 0. */
  public static long flag(long word, int wordBits, Words store) {
    long bit = (word + 1) * wordBits - 1;
    return store.get(bit >>> 6) >>> bit & 1;
  }

  /** The number of words with a given flag by their set bits besides the flag. */
  public static long[] histogram(int flag, WordProbes probes, Words store) {
    int wordBits = probes.wordBits();
    long[] counts = new long[wordBits];
    for (long word = 0; word < probes.words(); word++) {
      if (flag(word, wordBits, store) == flag) {
        long first = word * wordBits;
        counts[(int) store.bitCountOfBits(first, first + wordBits - 1)]++;
      }
    }
    return counts;
  }

  /**
   * Sets the flags of the words with the most keys, ties going to the lower index, until words with
   * at least {@code share} of the keys are flagged.
   */
  public static void splitHeaviest(long[] hashes, double share, WordProbes probes, Words store) {
    int[] loads = new int[(int) probes.words()];
    int heaviest = 0;
    for (long hash : hashes) {
      heaviest = Math.max(heaviest, ++loads[(int) probes.word(hash, 0)]);
    }
    long wanted = (long) Math.ceil(share * hashes.length);
    if (wanted == 0) {
      return;
    }
    int least = leastLoad(loads, heaviest, wanted);
    long missing = wanted - keysInWords(loads, least + 1);
    long equals = (missing + least - 1) / least;
    int wordBits = probes.wordBits();
    for (int word = 0; word < loads.length; word++) {
      if (loads[word] > least || (loads[word] == least && equals-- > 0)) {
        store.setBit((word + 1L) * wordBits - 1);
      }
    }
  }

  /**
   * The largest load such that the words with at least that load have the required share of keys.
   */
  private static int leastLoad(int[] loads, int heaviest, long wanted) {
    int low = 1;
    int high = heaviest;
    while (low < high) {
      int middle = low + (high - low + 1) / 2;
      if (keysInWords(loads, middle) >= wanted) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static long keysInWords(int[] loads, int least) {
    long keys = 0;
    for (int load : loads) {
      keys += load >= least ? load : 0;
    }
    return keys;
  }
}
