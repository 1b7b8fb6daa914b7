package io.bloomery.internal.probe;

import io.bloomery.internal.bits.SlicedCounters;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.numeric.LaneCover;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bits of a hash inside one block of a blocked filter, and the loops that test and set them.
 *
 * <p>Design. A key touches 1, 2, 4 or 8 words of a block, one in each of as many sectors, and sets
 * the same number of bits in each. So a query loads a few words of one cache line, and a mask costs
 * one load and one rotation for any number of bits. Spreading the words over a wide block is free
 * and evens out the load: 512-bit blocks with 2 words per key reach 1 % with 10.2 bits per key,
 * 128-bit blocks with 10.8.
 *
 * <p>The arithmetic is chosen for few instructions, so that the processor can start more of the
 * following queries while it waits for a cache line (decision 002):
 *
 * <ul>
 *   <li>Word 0 is any word of the filter, chosen by the high product of the hash and the number of
 *       words: {@code q = ((hash >>> 1) · words) >>> 63}. Its block is the key's block.
 *   <li>Word j is {@code q ^ (j | (pick & high))}: in a block of {@code 2^b} words of which a key
 *       touches {@code 2^t}, the lowest t bits of a word's number are its sector, and {@code j}
 *       visits all sectors; {@code high} are the other bits.
 *   <li>All masks of a key are rotations of one pattern of {@link Patterns}.
 *   <li>Everything but q comes from the low bits of the hash, on which that product does not depend
 *       in filters of up to 2^27 words: the pattern from bits 0–9, picks from bits 10–12, the
 *       rotations of words 0–3 from bits 13–18, 19–24, 25–30 and 31–36. Words 4–7 of a key that
 *       touches 8 take the same four fields from {@code (hash · MULTIPLIER) >>> 24}.
 * </ul>
 */
public final class BlockProbes {

  /** Output 1 of SplitMix64 from 0, which is odd. */
  private static final long MULTIPLIER = 0xE220A8397B1DCDAFL;

  private static final int MULTIPLIED_SHIFT = 24;

  /** In filters of up to 2 MB, cache misses are so short that a separate pass costs time. */
  static final int CACHED_WORDS = 1 << 18;

  private final long twiceWords;
  private final int wordsPerKey;
  private final int blockWords;
  private final int high;
  private final int bitsPerWord;
  private final long[] patterns;

  /**
   * Probes of {@code blocks} blocks of {@code blockWords} words (1, 2, 4 or 8), of which a key
   * touches {@code wordsPerKey} and sets {@code bitsPerWord} bits in each.
   */
  public BlockProbes(long blocks, int blockWords, int wordsPerKey, int bitsPerWord) {
    this.twiceWords = 2 * blocks * blockWords;
    this.wordsPerKey = wordsPerKey;
    this.blockWords = blockWords;
    this.high = blockWords - wordsPerKey;
    this.bitsPerWord = bitsPerWord;
    this.patterns = Patterns.complements(bitsPerWord);
  }

  /** Whether all bits of a hash are set. */
  public boolean allSet(long hash, Words words) {
    long[] heap = words.heap();
    return heap == null ? mappedAllSet(hash, words) : allSet(hash, heap);
  }

  /** Whether all bits of a hash are set in an array that is laid out as {@link Words#heap}. */
  public boolean allSet(long hash, long[] heap) {
    int q = firstWord(hash);
    if (wordsPerKey == 1) {
      return coverOne(hash, heap, q) == -1;
    }
    if (wordsPerKey == 2) {
      return coverTwo(hash, heap, q) == -1;
    }
    return allSetWide(hash, heap, q);
  }

  /**
   * Whether all bits of a hash are set in one of several arrays of blocks like these, any number of
   * blocks each, laid out as {@link Words#heap}; the last one is tested first. The first mask is
   * the same in all of them, so that an array costs a multiplication and a word; one in ten absent
   * keys of a full array has to read another word of the same cache line.
   */
  public boolean anySet(long hash, long[][] heaps) {
    long first = Long.rotateLeft(pattern(hash), (int) (hash >>> 13));
    for (int i = heaps.length - 1; i >= 0; i--) {
      long[] heap = heaps[i];
      int q = firstWord(hash, heap);
      if ((heap[Words.BASE + q] | first) == -1 && othersSet(hash, heap, q)) {
        return true;
      }
    }
    return false;
  }

  private static int firstWord(long hash, long[] heap) {
    return (int) Math.multiplyHigh(hash >>> 1, 2L * (heap.length - Words.BASE));
  }

  /**
   * Whether the bits of a hash are set in all its words, of which the first is known to have them.
   */
  private boolean othersSet(long hash, long[] heap, int q) {
    if (wordsPerKey == 1) {
      return true;
    }
    return wordsPerKey == 2 ? coverTwo(hash, heap, q) == -1 : allSetWide(hash, heap, q);
  }

  /**
   * The batch form of {@link #anySet(long, long[][])}: array by array for 64 hashes at a time, so
   * that the cache misses in one array overlap. Two words are tested before the branch, which one
   * absent key in a hundred takes: a wrong guess would end the overlap.
   */
  public int anySet(long[] hashes, int from, int to, long[] hits, long[][] heaps) {
    Masks masks = new Masks();
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      int count = Math.min(Long.SIZE, to - start);
      for (int i = 0; i < count; i++) {
        prepare(hashes[start + i], i, masks);
      }
      long found = 0;
      for (int array = heaps.length - 1; array >= 0; array--) {
        found |= answers(hashes, start, count, heaps[array], masks);
      }
      hits[at] = found;
      total += Long.bitCount(found);
    }
    return total;
  }

  /** The masks of the first two words of up to 64 hashes, for any array. */
  private static final class Masks {
    private final long[] first = new long[Long.SIZE];
    private final long[] second = new long[Long.SIZE];
    private final int[] partner = new int[Long.SIZE];
  }

  private void prepare(long hash, int i, Masks masks) {
    long pattern = pattern(hash);
    boolean one = wordsPerKey == 1;
    masks.first[i] = Long.rotateLeft(pattern, (int) (hash >>> 13));
    masks.second[i] = one ? -1 : Long.rotateLeft(pattern, (int) (hash >>> 19));
    masks.partner[i] = one ? 0 : 1 | ((int) (hash >>> (wordsPerKey == 2 ? 9 : 8)) & high);
  }

  private long answers(long[] hashes, int start, int count, long[] heap, Masks masks) {
    long found = 0;
    for (int i = 0; i < count; i++) {
      long hash = hashes[start + i];
      int q = firstWord(hash, heap);
      long cover =
          (heap[Words.BASE + q] | masks.first[i])
              & (heap[Words.BASE + (q ^ masks.partner[i])] | masks.second[i]);
      if (cover == -1 && (wordsPerKey <= 2 || allSetWide(hash, heap, q))) {
        found |= 1L << i;
      }
    }
    return found;
  }

  /**
   * The answers for hashes {@code from…to-1}, at most 64 of them, without a branch on an answer.
   */
  private long answers(long[] hashes, int from, int to, Words words, long[] unused) {
    long[] heap = words.heap();
    if (heap == null) {
      return mappedAnswers(hashes, from, to, words);
    }
    load(hashes, from, to, heap, unused);
    long answers = 0;
    if (wordsPerKey == 1) {
      for (int i = from; i < to; i++) {
        answers |= allOnes(coverOne(hashes[i], heap, firstWord(hashes[i]))) << i;
      }
    } else if (wordsPerKey == 2) {
      for (int i = from; i < to; i++) {
        answers |= allOnes(coverTwo(hashes[i], heap, firstWord(hashes[i]))) << i;
      }
    } else {
      for (int i = from; i < to; i++) {
        answers |= allOnes(coverFour(hashes[i], heap, firstWord(hashes[i]))) << i;
      }
    }
    answers = Long.rotateRight(answers, from);
    if (wordsPerKey == 8) {
      for (long left = answers; left != 0; left &= left - 1) {
        int i = Long.numberOfTrailingZeros(left);
        long hash = hashes[from + i];
        if (coverMore(hash, pattern(hash), heap, firstWord(hash)) != -1) {
          answers &= ~(1L << i);
        }
      }
    }
    return answers;
  }

  /**
   * Reads a word of each hash if the filter is larger than the cache. The loop is so short that
   * many cache misses overlap; later code finds every line in the cache.
   *
   * @param unused receives the words read, otherwise the reads would be dead code
   */
  private void load(long[] hashes, int from, int to, long[] heap, long[] unused) {
    if (heap.length > CACHED_WORDS) {
      long read = 0;
      for (int i = from; i < to; i++) {
        read |= heap[Words.BASE + firstWord(hashes[i])];
      }
      unused[Long.SIZE] = read;
    }
  }

  /** An array too long for HotSpot to see that it is never read. */
  private static long[] unused() {
    return new long[Long.SIZE + 1];
  }

  private long mappedAnswers(long[] hashes, int from, int to, Words words) {
    long answers = 0;
    for (int i = from; i < to; i++) {
      answers |= (mappedAllSet(hashes[i], words) ? 1L : 0L) << (i - from);
    }
    return answers;
  }

  /** Batch query as {@code HashedFilter.mightContainHashes}. */
  public int allSet(long[] hashes, int from, int to, long[] hits, Words words) {
    long[] unused = unused();
    int total = 0;
    for (int start = from, at = 0; start < to; start += Long.SIZE, at++) {
      long answers = answers(hashes, start, Math.min(start + Long.SIZE, to), words, unused);
      hits[at] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /**
   * Sets all bits of a hash; true if one of them was 0. Atomic if the words are shared. All words
   * are written out, so that the method is too long to be inlined beside {@link #setAlone}.
   */
  public boolean setAll(long hash, Words words) {
    int q = firstWord(hash);
    long pattern = ~pattern(hash);
    boolean changed = words.or(q, Long.rotateLeft(pattern, (int) (hash >>> 13)));
    if (wordsPerKey == 1) {
      return changed;
    }
    if (wordsPerKey == 2) {
      changed |= words.or(partner(hash, q), Long.rotateLeft(pattern, (int) (hash >>> 19)));
      return changed;
    }
    int one = q ^ (1 | ((int) (hash >>> 8) & high));
    int two = q ^ (2 | ((int) (hash >>> 9) & high));
    int three = q ^ (3 | ((int) (hash >>> 10) & high));
    changed |= words.or(one, Long.rotateLeft(pattern, (int) (hash >>> 19)));
    changed |= words.or(two, Long.rotateLeft(pattern, (int) (hash >>> 25)));
    changed |= words.or(three, Long.rotateLeft(pattern, (int) (hash >>> 31)));
    if (wordsPerKey == 8) {
      long more = (hash * MULTIPLIER) >>> MULTIPLIED_SHIFT;
      changed |= words.or(q ^ 4, Long.rotateLeft(pattern, (int) (more >>> 13)));
      changed |= words.or(q ^ 5, Long.rotateLeft(pattern, (int) (more >>> 19)));
      changed |= words.or(q ^ 6, Long.rotateLeft(pattern, (int) (more >>> 25)));
      changed |= words.or(q ^ 7, Long.rotateLeft(pattern, (int) (more >>> 31)));
    }
    return changed;
  }

  /** The array in which {@link #setAlone} sets bits; null if it must not. */
  public long @Nullable [] unsharedWords(Words words) {
    return words.isShared() || wordsPerKey > 2 ? null : words.heap();
  }

  /**
   * Sets all bits of a hash for one writer and keys of one or two words; true if one of them was 0.
   * Plain stores, also of words that do not change, because a branch on a value read would stall
   * the next add.
   */
  public boolean setAlone(long hash, long[] heap) {
    int q = firstWord(hash);
    long pattern = ~pattern(hash);
    long changed = setWord(heap, q, Long.rotateLeft(pattern, (int) (hash >>> 13)));
    if (wordsPerKey == 2) {
      changed |= setWord(heap, partner(hash, q), Long.rotateLeft(pattern, (int) (hash >>> 19)));
    }
    return changed != 0;
  }

  private void setWideAlone(long hash, long[] heap) {
    int q = firstWord(hash);
    long pattern = ~pattern(hash);
    for (int j = 0; j < wordsPerKey; j++) {
      setWord(heap, word(hash, q, j), rotated(pattern, hash, j));
    }
  }

  /** Sets the bits of a mask; those that were 0. */
  private static long setWord(long[] heap, int word, long mask) {
    long old = heap[Words.BASE + word];
    long next = old | mask;
    heap[Words.BASE + word] = next;
    return old ^ next;
  }

  /** Sets the bits of many hashes. */
  public void setAll(long[] hashes, int from, int to, Words words) {
    if (from == to) {
      return; // also where nothing can be written
    }
    long[] heap = words.writable();
    if (words.isShared()) {
      setEachShared(hashes, from, to, words);
    } else if (HashParts.pay(to - from, heap.length)) {
      HashParts.set(hashes, from, to, this, heap);
    } else {
      setEach(hashes, from, to, heap);
    }
  }

  /** Sets the bits of many hashes for one writer. */
  void setEach(long[] hashes, int from, int to, long[] heap) {
    long[] unused = unused();
    for (int start = from; start < to; start += Long.SIZE) {
      int end = Math.min(start + Long.SIZE, to);
      load(hashes, start, end, heap, unused);
      setAlone(hashes, start, end, heap);
    }
  }

  private void setAlone(long[] hashes, int from, int to, long[] heap) {
    if (wordsPerKey <= 2) {
      for (int i = from; i < to; i++) {
        setAlone(hashes[i], heap);
      }
    } else {
      for (int i = from; i < to; i++) {
        setWideAlone(hashes[i], heap);
      }
    }
  }

  /**
   * Queries 64 hashes at a time first: that loads their cache lines together, which atomic
   * operations do not, and skips keys already present.
   */
  private void setEachShared(long[] hashes, int from, int to, Words words) {
    long[] unused = unused();
    for (int start = from; start < to; start += Long.SIZE) {
      int end = Math.min(start + Long.SIZE, to);
      long absent = ~answers(hashes, start, end, words, unused) & (-1L >>> (start - end));
      for (; absent != 0; absent &= absent - 1) {
        setAll(hashes[start + Long.numberOfTrailingZeros(absent)], words);
      }
    }
  }

  /** Adds 1 to the counter of every bit of a hash; true if one of them was 0. */
  public boolean raiseAll(long hash, SlicedCounters counters) {
    int q = firstWord(hash);
    long pattern = pattern(hash);
    boolean wasZero = false;
    for (int j = 0; j < wordsPerKey; j++) {
      wasZero |= counters.raise(word(hash, q, j), ~rotated(pattern, hash, j));
    }
    return wasZero;
  }

  /** Subtracts 1 from the counter of every bit of a hash. */
  public void lowerAll(long hash, SlicedCounters counters) {
    int q = firstWord(hash);
    long pattern = pattern(hash);
    for (int j = 0; j < wordsPerKey; j++) {
      counters.lower(word(hash, q, j), ~rotated(pattern, hash, j));
    }
  }

  /**
   * The probability that a uniform hash finds all its bits set in {@code words} as they are: that
   * the bits of other keys cover its masks, or that one of those keys has the same masks. The
   * number of keys is estimated from the number of bits.
   */
  public double coveredShare(Words words) {
    double[] keys = new double[Long.SIZE + 1];
    Arrays.setAll(keys, ones -> LaneCover.keysByOnes(bitsPerWord, ones, Long.SIZE));
    double[] covered = coveredByBitCount(keys);
    int sectorWords = blockWords / wordsPerKey;
    // That one key has the words and masks of another; those of one word are covered already.
    double same =
        wordsPerKey == 1
            ? 0
            : Math.pow(1.0 / Long.SIZE / sectorWords, wordsPerKey) / Patterns.COUNT;
    double sum = 0;
    double[] sector = new double[wordsPerKey];
    long[] piece = new long[Words.PIECE_WORDS]; // of whole blocks
    for (long block = 0; block < words.length(); block += blockWords) {
      int at = (int) (block & (piece.length - 1));
      if (at == 0) {
        int count = (int) Math.min(piece.length, words.length() - block);
        words.copyTo(block, LongBuffer.wrap(piece, 0, count));
      }
      Arrays.fill(sector, 0);
      double inWords = 0;
      for (int i = 0; i < blockWords; i++) {
        int ones = Long.bitCount(piece[at + i]);
        sector[i & (wordsPerKey - 1)] += covered[ones];
        inWords += keys[ones];
      }
      double share = 1;
      for (double s : sector) {
        share *= s / sectorWords;
      }
      double anySame = Math.min(1, inWords / wordsPerKey * same);
      sum += anySame + (1 - anySame) * share;
    }
    return sum * blockWords / words.length();
  }

  /** For each number of ones of a word: the share of masks that they cover. */
  private double[] coveredByBitCount(double[] keys) {
    double[] share = new double[Long.SIZE + 1];
    for (int ones = 1; ones <= Long.SIZE; ones++) {
      double product = 1;
      for (int i = 0; i < bitsPerWord; i++) {
        product *= (double) Math.max(0, ones - i) / (Long.SIZE - i);
      }
      double same = LaneCover.same(bitsPerWord, keys[ones]);
      share[ones] = same + (1 - same) * product;
    }
    return share;
  }

  private int firstWord(long hash) {
    return (int) Math.multiplyHigh(hash >>> 1, twiceWords);
  }

  /** Word j of a key; picks are bits 10 and 11 for two words, bits 10, 11 and 12 for four. */
  private int word(long hash, int q, int j) {
    return q ^ (j | ((int) (hash >>> (wordsPerKey == 2 ? 9 : 7 + j)) & (j == 0 ? 0 : high)));
  }

  private long pattern(long hash) {
    return patterns[(int) hash & (Patterns.COUNT - 1)];
  }

  private static long rotated(long pattern, long hash, int j) {
    long fields = j < 4 ? hash : (hash * MULTIPLIER) >>> MULTIPLIED_SHIFT;
    return Long.rotateLeft(pattern, (int) (fields >>> (13 + 6 * (j & 3))));
  }

  private long coverOne(long hash, long[] heap, int q) {
    return covered(heap, q, pattern(hash), (int) (hash >>> 13));
  }

  private long coverTwo(long hash, long[] heap, int q) {
    return coverTwo(hash, pattern(hash), heap, q);
  }

  private long coverTwo(long hash, long pattern, long[] heap, int q) {
    return covered(heap, q, pattern, (int) (hash >>> 13))
        & covered(heap, partner(hash, q), pattern, (int) (hash >>> 19));
  }

  /** The second of two words. */
  private int partner(long hash, int q) {
    return q ^ (1 | ((int) (hash >>> 9) & high));
  }

  private static long covered(long[] heap, int word, long pattern, int rotation) {
    return heap[Words.BASE + word] | Long.rotateLeft(pattern, rotation);
  }

  /**
   * Keys of four or eight words: two words, then a branch that 15 of 16 absent keys or more take,
   * then the others. Short enough to be inlined (294 bytes of bytecode): where it is not, queries
   * of two words took 6.5 instead of 5.7 ns, and of four 12.0 instead of 10.4 (200,000 keys,
   * HotSpot 17).
   */
  private boolean allSetWide(long hash, long[] heap, int q) {
    long pattern = pattern(hash);
    int one = q ^ (1 | ((int) (hash >>> 8) & high));
    long cover =
        (heap[Words.BASE + q] | Long.rotateLeft(pattern, (int) (hash >>> 13)))
            & (heap[Words.BASE + one] | Long.rotateLeft(pattern, (int) (hash >>> 19)));
    if (cover != -1) {
      return false;
    }
    int two = q ^ (2 | ((int) (hash >>> 9) & high));
    int three = q ^ (3 | ((int) (hash >>> 10) & high));
    cover =
        (heap[Words.BASE + two] | Long.rotateLeft(pattern, (int) (hash >>> 25)))
            & (heap[Words.BASE + three] | Long.rotateLeft(pattern, (int) (hash >>> 31)));
    if (wordsPerKey == 4 || cover != -1) {
      return cover == -1;
    }
    return coverMore(hash, pattern, heap, q) == -1;
  }

  /** Words 4 to 7. */
  private static long coverMore(long hash, long pattern, long[] heap, int q) {
    long more = (hash * MULTIPLIER) >>> MULTIPLIED_SHIFT;
    return (heap[Words.BASE + (q ^ 4)] | Long.rotateLeft(pattern, (int) (more >>> 13)))
        & (heap[Words.BASE + (q ^ 5)] | Long.rotateLeft(pattern, (int) (more >>> 19)))
        & (heap[Words.BASE + (q ^ 6)] | Long.rotateLeft(pattern, (int) (more >>> 25)))
        & (heap[Words.BASE + (q ^ 7)] | Long.rotateLeft(pattern, (int) (more >>> 31)));
  }

  /** Words 0 to 3. */
  private long coverFour(long hash, long[] heap, int q) {
    long pattern = pattern(hash);
    int two = q ^ (2 | ((int) (hash >>> 9) & high));
    int three = q ^ (3 | ((int) (hash >>> 10) & high));
    int one = q ^ (1 | ((int) (hash >>> 8) & high));
    return (heap[Words.BASE + q] | Long.rotateLeft(pattern, (int) (hash >>> 13)))
        & (heap[Words.BASE + one] | Long.rotateLeft(pattern, (int) (hash >>> 19)))
        & (heap[Words.BASE + two] | Long.rotateLeft(pattern, (int) (hash >>> 25)))
        & (heap[Words.BASE + three] | Long.rotateLeft(pattern, (int) (hash >>> 31)));
  }

  /**
   * Whether all bits of a hash are set in mapped words. All words are written out, so that the
   * method is too long to be inlined (325 bytes of bytecode): where it is, queries of the heap
   * become too long to be inlined themselves.
   */
  public boolean mappedAllSet(long hash, Words words) {
    int q = firstWord(hash);
    long pattern = pattern(hash);
    if ((words.get(q) | Long.rotateLeft(pattern, (int) (hash >>> 13))) != -1) {
      return false;
    }
    if (wordsPerKey == 1) {
      return true;
    }
    int one = q ^ (1 | ((int) (hash >>> (wordsPerKey == 2 ? 9 : 8)) & high));
    if ((words.get(one) | Long.rotateLeft(pattern, (int) (hash >>> 19))) != -1) {
      return false;
    }
    if (wordsPerKey == 2) {
      return true;
    }
    int two = q ^ (2 | ((int) (hash >>> 9) & high));
    int three = q ^ (3 | ((int) (hash >>> 10) & high));
    if ((words.get(two) | Long.rotateLeft(pattern, (int) (hash >>> 25))) != -1
        || (words.get(three) | Long.rotateLeft(pattern, (int) (hash >>> 31))) != -1) {
      return false;
    }
    if (wordsPerKey == 4) {
      return true;
    }
    long more = (hash * MULTIPLIER) >>> MULTIPLIED_SHIFT;
    return (words.get(q ^ 4) | Long.rotateLeft(pattern, (int) (more >>> 13))) == -1
        && (words.get(q ^ 5) | Long.rotateLeft(pattern, (int) (more >>> 19))) == -1
        && (words.get(q ^ 6) | Long.rotateLeft(pattern, (int) (more >>> 25))) == -1
        && (words.get(q ^ 7) | Long.rotateLeft(pattern, (int) (more >>> 31))) == -1;
  }

  /** 1 if all bits of {@code cover} are set, otherwise 0, without a branch. */
  private static long allOnes(long cover) {
    return (long) Long.bitCount(cover) >>> 6;
  }
}
