package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * Pocket dictionaries: bins of 4 or 8 words, each a set of up to {@code slots} fingerprints in
 * little more than 2 bits each above their remainders.
 *
 * <p>Design. A fingerprint is a quotient below 31 and a remainder of {@code width} bits. The first
 * word of a bin is its head: two bits for each quotient, which count up to three fingerprints, and
 * bit 62 if the bin has overflowed. The other words are lanes for the remainders, those of quotient
 * 0 first, then those of quotient 1 and so on, each run in any order; lanes that are not taken are
 * zero.
 *
 * <pre>
 * width 8:  24 slots in 4 words
 * width 16: 28 slots in 8 words
 * </pre>
 *
 * <p>A fingerprint of a quotient that already has three others is stored elsewhere. If a bin is
 * full, fingerprints of its last quotient, the highest that it holds, and of all higher ones are
 * also stored elsewhere: a lower one replaces the one in the last slot. So a fingerprint that is
 * not in its bin can only be elsewhere if its quotient has three, or if the bin has overflowed and
 * its quotient is the last one or higher.
 *
 * <p>Thanks to counts of two bits, no select is needed: the sum of the counts below a quotient,
 * which takes two population counts, is the start of its run. A query first compares all remainders
 * at once, 64 bits at a time; for most absent keys none is equal. A run has at most three
 * remainders and is brought into one word. An add puts its remainder at the beginning of its run.
 * It opens the lane with masks from a table and writes all words of the bin once, because a branch
 * on the position would be mispredicted almost every time. Two zero words after the last bin let
 * any run be read as two words. Parameters that depend on the width are passed as constants to
 * methods that are compiled for either width.
 */
public final class PocketBins {

  /** Result of {@link #find}: the bin does not hold the fingerprint. */
  public static final int ABSENT = 0;

  /** Result of {@link #find}: the bin holds the fingerprint. */
  public static final int PRESENT = 1;

  /** Result of {@link #find}: the fingerprint, if added, was stored elsewhere. */
  public static final int ELSEWHERE = 2;

  /** How many quotients there are. */
  public static final int QUOTIENTS = 31;

  /** How many fingerprints of a quotient a bin holds. */
  public static final int MOST_OF_QUOTIENT = 3;

  private static final int NARROW = 8;
  private static final int WIDE = 16;
  private static final long BYTES = 0x0101010101010101L;
  private static final long SHORTS = 0x0001000100010001L;
  private static final int SPARE_WORDS = 2;
  private static final long COUNTS = (1L << (2 * QUOTIENTS)) - 1;
  private static final long OVERFLOWED = COUNTS + 1;
  private static final long TWOS = COUNTS & 0xAAAAAAAAAAAAAAAAL;

  private final long bins;
  private final int slots;
  private final int width;
  private final int binWords;
  private final int laneShift;
  private final long remainders;
  private final long fingerprints;

  /**
   * Of each slot two rows of a bin's words, the last ones unused: which bits of each word of lanes
   * move up when the slot opens, and which are the slot's.
   */
  private final long[] masks;

  /** Bins for remainders of 8 or 16 bits. */
  public PocketBins(long bins, int width) {
    this.bins = bins;
    this.width = width;
    this.slots = slots(width);
    this.binWords = binWords(width);
    this.laneShift = Integer.numberOfTrailingZeros(width);
    this.remainders = (1L << width) - 1;
    this.fingerprints = fingerprints(width);
    this.masks = new long[slots * 2 * binWords];
    for (int slot = 0; slot < slots; slot++) {
      for (int word = 0; word < binWords - 1; word++) {
        int bit = slot * width - word * Long.SIZE;
        int at = slot * 2 * binWords + word;
        masks[at] = bit <= 0 ? -1L : bit < Long.SIZE ? -1L << bit : 0;
        masks[at + binWords] = bit >= 0 && bit < Long.SIZE ? remainders << bit : 0;
      }
    }
  }

  /** How many fingerprints a bin holds. */
  public static int slots(int width) {
    return width == NARROW ? 24 : 28;
  }

  /** How many words a bin has. */
  public static int binWords(int width) {
    return width == NARROW ? 4 : 8;
  }

  /** How many different fingerprints there are. */
  public static long fingerprints(int width) {
    return (long) QUOTIENTS << width;
  }

  /** How many words hold this many bins, and the spare ones. */
  public static long wordsFor(long bins, int width) {
    return bins * binWords(width) + SPARE_WORDS;
  }

  /** The bin of a hash, by its high bits. */
  public long bin(long hash) {
    return Math.multiplyHigh(hash >>> 1, bins << 1);
  }

  /** The fingerprint of a hash, independent of its bin; all are equally likely. */
  public int fingerprint(long hash) {
    return (int) ((((hash * Mix.GOLDEN) >>> 32) * fingerprints) >>> 32);
  }

  /** Where the bin of a hash begins in the array of the words. */
  public int at(long hash) {
    return Words.BASE + (int) bin(hash) * binWords;
  }

  /**
   * Brings the bins of some hashes into the cache. The words read go to {@code sink[at]}, otherwise
   * the reads would be dead code.
   */
  public void touch(long[] hashes, int from, int to, long[] heap, long[] sink, int at) {
    long touched = 0;
    for (int i = from; i < to; i++) {
      touched |= heap[at(hashes[i])];
    }
    sink[at] = touched;
  }

  /** Whether a fingerprint is in a bin: {@link #ABSENT}, {@link #PRESENT}, {@link #ELSEWHERE}. */
  public int find(long bin, int fingerprint, Words words) {
    long[] heap = words.heap();
    if (heap == null) {
      return findMapped(bin * binWords, fingerprint, words);
    }
    int at = Words.BASE + (int) bin * binWords;
    if (contains(heap, at, fingerprint)) {
      return PRESENT;
    }
    return isElsewhere(heap[at], fingerprint >>> width) ? ELSEWHERE : ABSENT;
  }

  /** Whether fingerprints of a quotient that are not in a bin may be elsewhere. */
  private static boolean isElsewhere(long head, int quotient) {
    // The second: overflowed, and nothing of a higher quotient.
    return count(head, quotient) == MOST_OF_QUOTIENT
        || head >>> (2 * quotient + 2) == OVERFLOWED >>> (2 * quotient + 2);
  }

  /** How many fingerprints of a quotient a bin holds. */
  private static int count(long head, int quotient) {
    return (int) (head >>> (2 * quotient)) & MOST_OF_QUOTIENT;
  }

  /** The sum of some counts. */
  private static int sum(long counts) {
    return Long.bitCount(counts) + Long.bitCount(counts & TWOS);
  }

  /** The slot where the run of a quotient begins. */
  private static int slot(long head, int quotient) {
    return sum(head & ((1L << (2 * quotient)) - 1));
  }

  /** Whether a bin has room for a fingerprint, or has it already. */
  public boolean hasRoom(long[] heap, int at, int fingerprint) {
    return width == NARROW
        ? hasRoom(heap[at], fingerprint >>> NARROW, slots(NARROW))
        : hasRoom(heap[at], fingerprint >>> WIDE, slots(WIDE));
  }

  private static boolean hasRoom(long head, int quotient, int slots) {
    // If it has overflowed, the sum is one more.
    return count(head, quotient) < MOST_OF_QUOTIENT && sum(head) < slots;
  }

  /** Whether a bin holds as many of a fingerprint's quotient as it can. */
  public boolean isQuotientFull(long[] heap, int at, int fingerprint) {
    return count(heap[at], fingerprint >>> width) == MOST_OF_QUOTIENT;
  }

  /** Whether a bin holds a fingerprint. */
  public boolean contains(long[] heap, int at, int fingerprint) {
    return width == NARROW
        ? contains(heap, at, fingerprint, NARROW, BYTES)
        : contains(heap, at, fingerprint, WIDE, SHORTS);
  }

  private static boolean contains(long[] heap, int at, int fingerprint, int bits, long lowest) {
    long pattern = (fingerprint & ((1L << bits) - 1)) * lowest;
    long equal =
        zeros(heap[at + 1] ^ pattern, lowest)
            | zeros(heap[at + 2] ^ pattern, lowest)
            | zeros(heap[at + 3] ^ pattern, lowest);
    for (int word = at + 4; word < at + binWords(bits); word++) {
      equal |= zeros(heap[word] ^ pattern, lowest);
    }
    if ((equal & lowest << (bits - 1)) == 0) {
      return false;
    }
    int quotient = fingerprint >>> bits;
    long head = heap[at];
    return inRun(heap, at, slot(head, quotient), count(head, quotient), pattern, bits, lowest);
  }

  /**
   * The highest bit of each lane that is zero, and of some lanes above the first such lane; other
   * bits are meaningless.
   */
  private static long zeros(long word, long lowest) {
    return (word - lowest) & ~word;
  }

  /** Whether one of the remainders of a run is that of a pattern. */
  private static boolean inRun(
      long[] heap, int at, int slot, int length, long pattern, int bits, long lowest) {
    int bit = slot * bits;
    int word = at + 1 + (bit >>> 6);
    long run = (heap[word] >>> bit) | (heap[word + 1] << 1 << ~bit);
    long equal = zeros(run ^ pattern, lowest) & lowest << (bits - 1);
    return Long.numberOfTrailingZeros(equal) < length * bits;
  }

  /** Adds a fingerprint to a bin that has room; true if it was not there. */
  public boolean add(long[] heap, int at, int fingerprint) {
    return width == NARROW
        ? add(heap, at, fingerprint, NARROW, BYTES, masks)
        : add(heap, at, fingerprint, WIDE, SHORTS, masks);
  }

  private static boolean add(
      long[] heap, int at, int fingerprint, int bits, long lowest, long[] masks) {
    long head = heap[at];
    int quotient = fingerprint >>> bits;
    long pattern = (fingerprint & ((1L << bits) - 1)) * lowest;
    int slot = slot(head, quotient);
    if (inRun(heap, at, slot, count(head, quotient), pattern, bits, lowest)) {
      return false;
    }
    heap[at] = head + (1L << (2 * quotient));
    open(heap, at + 1, slot, pattern, bits, masks);
    return true;
  }

  /**
   * Moves the remainders from a slot up by one, dropping the last one, and stores another in the
   * slot.
   */
  private static void open(long[] heap, int at, int slot, long pattern, int bits, long[] masks) {
    int moving = slot * 2 * binWords(bits);
    int own = moving + binWords(bits);
    long word0 = heap[at];
    long word1 = heap[at + 1];
    long word2 = heap[at + 2];
    long moved0 = word0 & masks[moving];
    long moved1 = word1 & masks[moving + 1];
    long moved2 = word2 & masks[moving + 2];
    heap[at] = word0 - moved0 + (moved0 << bits) + (pattern & masks[own]);
    heap[at + 1] =
        word1 - moved1 + (moved1 << bits) + (moved0 >>> -bits) + (pattern & masks[own + 1]);
    heap[at + 2] =
        word2 - moved2 + (moved2 << bits) + (moved1 >>> -bits) + (pattern & masks[own + 2]);
    for (int i = 3; i < binWords(bits) - 1; i++) {
      long word = heap[at + i];
      long moved = word & masks[moving + i];
      heap[at + i] =
          word - moved + (moved << bits) + (moved2 >>> -bits) + (pattern & masks[own + i]);
      moved2 = moved;
    }
  }

  /** Whether fingerprints of the last quotient of a bin, and of higher ones, were put elsewhere. */
  public boolean isOverflowed(long[] heap, int at) {
    return (heap[at] & OVERFLOWED) != 0;
  }

  /**
   * Marks fingerprints of the last quotient of a full bin, and of higher ones, as stored elsewhere.
   */
  public void setOverflowed(long[] heap, int at) {
    heap[at] |= OVERFLOWED;
  }

  /** The fingerprint in the last slot of a full bin, which has the highest quotient. */
  public int last(long[] heap, int at) {
    return lastQuotient(heap[at]) << width | (int) (heap[at + binWords - 1] >>> -width);
  }

  private static int lastQuotient(long head) {
    return (Long.SIZE - 1 - Long.numberOfLeadingZeros(head & COUNTS)) >>> 1;
  }

  /** Whether the quotient of a fingerprint is lower than the last one of a bin. */
  public boolean isBelowLast(long[] heap, int at, int fingerprint) {
    return fingerprint >>> width < lastQuotient(heap[at]);
  }

  /**
   * Puts a fingerprint that a full bin does not hold, and whose quotient is lower than the last one
   * and has room, in place of the one in the last slot; the bin has overflowed then.
   */
  public void replaceLast(long[] heap, int at, int fingerprint) {
    heap[at] = (heap[at] - (1L << (2 * lastQuotient(heap[at])))) | OVERFLOWED;
    add(heap, at, fingerprint);
  }

  /** Like {@link #find}, for words that may be inconsistent. */
  private int findMapped(long at, int fingerprint, Words words) {
    long head = words.get(at);
    int quotient = fingerprint >>> width;
    int start = slot(head, quotient);
    int end = Math.min(slots, start + count(head, quotient));
    for (int slot = start; slot < end; slot++) {
      if (get(words, at, slot) == (fingerprint & remainders)) {
        return PRESENT;
      }
    }
    return isElsewhere(head, quotient) ? ELSEWHERE : ABSENT;
  }

  private long get(Words words, long at, int slot) {
    int bit = slot << laneShift;
    return words.get(at + 1 + (bit >>> 6)) >>> bit & remainders;
  }

  /** How many fingerprints all bins hold. */
  public long count(Words words) {
    long count = 0;
    for (long bin = 0; bin < bins; bin++) {
      count += sum(words.get(bin * binWords) & COUNTS);
    }
    return count;
  }

  /** How many pairs of bin and fingerprint are {@link #ELSEWHERE}. */
  public long countElsewhere(Words words) {
    long count = 0;
    for (long bin = 0; bin < bins; bin++) {
      long head = words.get(bin * binWords);
      for (int quotient = 0; quotient < QUOTIENTS; quotient++) {
        if (isElsewhere(head, quotient)) {
          count += remainders + 1 - count(head, quotient);
        }
      }
    }
    return count;
  }

  /**
   * Whether all bins are as {@link #add} leaves them: no more fingerprints than there are slots,
   * none twice, only full ones overflowed, and zeros elsewhere.
   */
  public boolean isClean(Words words) {
    for (long bin = 0; bin < bins; bin++) {
      if (!isClean(words, bin * binWords)) {
        return false;
      }
    }
    return (words.get(bins * binWords) | words.get(bins * binWords + 1)) == 0;
  }

  private boolean isClean(Words words, long at) {
    long head = words.get(at);
    int count = sum(head & COUNTS);
    if (head < 0 || count > slots || ((head & OVERFLOWED) != 0 && count < slots)) {
      return false;
    }
    for (int quotient = 0; quotient < QUOTIENTS; quotient++) {
      int start = slot(head, quotient);
      if (isRepeated(words, at, start, start + count(head, quotient))) {
        return false;
      }
    }
    for (int slot = count; slot < slots; slot++) {
      if (get(words, at, slot) != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean isRepeated(Words words, long at, int from, int to) {
    for (int slot = from; slot < to; slot++) {
      for (int other = from; other < slot; other++) {
        if (get(words, at, slot) == get(words, at, other)) {
          return true;
        }
      }
    }
    return false;
  }
}
