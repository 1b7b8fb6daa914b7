package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * Pocket dictionaries: bins of 4 or 8 words, each a sorted set of up to {@code slots} fingerprints
 * in little more than 2 bits each above their remainders.
 *
 * <p>Design. A fingerprint is a quotient below {@code slots} and a remainder of {@code width} bits.
 * A bin begins with its head: for each quotient in turn as many ones as it has fingerprints, and a
 * zero. So the head has at most {@code 2·slots} bits, and an empty bin is zero. The next bit says
 * that the bin has overflowed: fingerprints above its last one were put elsewhere. The remainders
 * fill the end of the bin in the order of their fingerprints; lanes that are not taken are zero.
 *
 * <pre>
 * width 8:  25 slots in 4 words: head 0 … 49, overflowed 50, remainders from bit 56
 * width 16: 28 slots in 8 words: head 0 … 55, overflowed 56, remainders from bit 64
 * </pre>
 *
 * <p>A query first compares all remainders at once, 64 bits at a time; for most absent keys none is
 * equal. Otherwise it finds the run of its quotient. That begins behind the zero that ends the run
 * before, found by a select over the complement of the head (Vigna 2008, byte sums by a
 * multiplication, then a table), and ends with the ones. Up to {@code 64 / width} remainders of the
 * run are brought into one word; only a longer run takes a loop. An add opens a lane with masks
 * from a table and writes all words of the bin, because a branch on the place would be predicted
 * wrongly about every time. Two zero words behind the last bin let a run be read as two words
 * wherever it begins.
 */
public final class PocketBins {

  /** What {@link #find} answers: the bin does not hold the fingerprint. */
  public static final int ABSENT = 0;

  /** What {@link #find} answers: the bin holds the fingerprint. */
  public static final int PRESENT = 1;

  /** What {@link #find} answers: the fingerprint, if added, was put elsewhere. */
  public static final int BEYOND = 2;

  private static final int SPARE_WORDS = 2;
  private static final long BYTES = 0x0101010101010101L;
  private static final long BYTE_TOPS = 0x8080808080808080L;
  private static final byte[] SELECT = selectTable();

  private final long bins;
  private final int slots;
  private final int width;
  private final int binWords;
  private final int body;
  private final int lanes;
  private final int laneShift;
  private final long head;
  private final long remainders;
  private final long fingerprints;
  private final long notFirst;
  private final long lowest;
  private final long highest;

  /** Which bits of each word of a bin move up when a slot opens, by slot. */
  private final long[] moving;

  /** Bins for remainders of 8 or 16 bits. */
  public PocketBins(long bins, int width) {
    this.bins = bins;
    this.width = width;
    this.slots = slots(width);
    this.binWords = binWords(width);
    this.body = binWords * Long.SIZE - slots * width;
    this.lanes = Long.SIZE / width;
    this.laneShift = Integer.numberOfTrailingZeros(width);
    this.head = (1L << (2 * slots)) - 1;
    this.remainders = (1L << width) - 1;
    this.fingerprints = fingerprints(width);
    this.notFirst = body < Long.SIZE ? (1L << body) - 1 : -1;
    this.lowest = width == Byte.SIZE ? BYTES : 0x0001000100010001L;
    this.highest = lowest << (width - 1);
    this.moving = new long[slots * binWords];
    for (int i = 0; i < moving.length; i++) {
      int bit = body + i / binWords * width - i % binWords * Long.SIZE;
      moving[i] = bit <= 0 ? -1L : bit < Long.SIZE ? -1L << bit : 0;
    }
  }

  /** How many fingerprints a bin holds, and how many quotients there are. */
  public static int slots(int width) {
    return width == Byte.SIZE ? 25 : 28;
  }

  /** How many words a bin has. */
  public static int binWords(int width) {
    return width == Byte.SIZE ? 4 : 8;
  }

  /** How many different fingerprints there are. */
  public static long fingerprints(int width) {
    return (long) slots(width) << width;
  }

  /** How many words hold so many bins, and the spare ones. */
  public static long wordsFor(long bins, int width) {
    return bins * binWords(width) + SPARE_WORDS;
  }

  /** The bin of a hash, by its high bits. */
  public long bin(long hash) {
    return Math.multiplyHigh(hash >>> 1, bins << 1);
  }

  /** The fingerprint of a hash, whatever its bin: each of them is equally likely. */
  public int fingerprint(long hash) {
    return (int) ((((hash * Mix.GOLDEN) >>> 32) * fingerprints) >>> 32);
  }

  /** Where the bin of a hash begins in the array of the words. */
  public int at(long hash) {
    return Words.BASE + (int) bin(hash) * binWords;
  }

  /**
   * Brings the bins of some hashes into the cache. What it read goes to {@code sink[at]}, otherwise
   * the reads would be dead code.
   */
  public void touch(long[] hashes, int from, int to, long[] heap, long[] sink, int at) {
    long touched = 0;
    for (int i = from; i < to; i++) {
      touched |= heap[at(hashes[i])];
    }
    sink[at] = touched;
  }

  /** Whether a fingerprint is in a bin: {@link #ABSENT}, {@link #PRESENT}, {@link #BEYOND}. */
  public int find(long bin, int fingerprint, Words words) {
    long[] heap = words.heap();
    return heap != null
        ? find(heap, Words.BASE + (int) bin * binWords, fingerprint)
        : findMapped(bin * binWords, fingerprint, words);
  }

  private int find(long[] heap, int at, int fingerprint) {
    if (((int) (heap[at] >>> (2 * slots)) & (last(heap, at) - fingerprint) >>> 31) != 0) {
      return BEYOND;
    }
    return contains(heap, at, fingerprint) ? PRESENT : ABSENT;
  }

  /** Whether a bin holds a fingerprint. */
  public boolean contains(long[] heap, int at, int fingerprint) {
    long pattern = (fingerprint & remainders) * lowest;
    long first = (heap[at] ^ pattern) | notFirst;
    long equal = zeros(first) | equal(heap, at + 1, pattern);
    for (int word = at + 4; word < at + binWords; word += 4) {
      equal |= zeros(heap[word] ^ pattern) | equal(heap, word + 1, pattern);
    }
    return (equal & highest) != 0 && inRun(heap, at, fingerprint, pattern);
  }

  /** {@link #zeros} where one of three words has a lane of the pattern. */
  private long equal(long[] heap, int at, long pattern) {
    return zeros(heap[at] ^ pattern)
        | zeros(heap[at + 1] ^ pattern)
        | zeros(heap[at + 2] ^ pattern);
  }

  /**
   * The highest bit of each lane that is zero, and of some lanes above the first such lane; other
   * bits are meaningless.
   */
  private long zeros(long word) {
    return word - lowest & ~word;
  }

  private boolean inRun(long[] heap, int at, int fingerprint, long pattern) {
    int quotient = fingerprint >>> width;
    int start = start(heap[at], quotient);
    int length = ones(heap[at], start);
    long equal = zeros(run(heap, at, start - quotient) ^ pattern) & highest;
    return Long.numberOfTrailingZeros(equal) < Math.min(length, lanes) << laneShift
        || (length > lanes && placeInLongRun(heap, at, start - quotient, length, fingerprint) < 0);
  }

  /** Adds a fingerprint to a bin that has room; true if it was not there. */
  public boolean add(long[] heap, int at, int fingerprint) {
    long first = heap[at];
    int quotient = fingerprint >>> width;
    long remainder = fingerprint & remainders;
    long pattern = remainder * lowest;
    int start = start(first, quotient);
    int length = ones(first, start);
    int slot = start - quotient;
    long run = run(heap, at, slot);
    long equal = zeros(run ^ pattern) & highest;
    if (Long.numberOfTrailingZeros(equal) < Math.min(length, lanes) << laneShift) {
      return false;
    }
    int place = Long.numberOfTrailingZeros(notBelow(run, pattern)) >>> laneShift;
    if (length > lanes) {
      place = placeInLongRun(heap, at, slot, length, fingerprint);
      if (place < 0) {
        return false;
      }
    }
    long bit = 1L << start;
    open(heap, at, slot + Math.min(place, length), (first & head & -bit) + bit, remainder);
    return true;
  }

  /** How many remainders of a run are lower than that of a fingerprint, -1 if one is equal. */
  private int placeInLongRun(long[] heap, int at, int slot, int length, int fingerprint) {
    int place = 0;
    while (place < length && get(heap, at, slot + place) < (fingerprint & remainders)) {
      place++;
    }
    boolean equal = place < length && get(heap, at, slot + place) == (fingerprint & remainders);
    return equal ? -1 : place;
  }

  /** Moves the remainders from a slot on up by one, puts another there and adds to the head. */
  private void open(long[] heap, int at, int slot, long headBits, long remainder) {
    int mask = slot * binWords;
    long top = open(heap, at, mask, 0);
    for (int i = 4; i < binWords; i += 4) {
      top = open(heap, at + i, mask + i, top);
    }
    heap[at] += headBits;
    int bit = body + (slot << laneShift);
    heap[at + (bit >>> 6)] |= remainder << bit;
  }

  /** The same for four words; takes what leaves the word below and returns what leaves the last. */
  private long open(long[] heap, int at, int mask, long below) {
    long word0 = heap[at];
    long word1 = heap[at + 1];
    long word2 = heap[at + 2];
    long word3 = heap[at + 3];
    long moved0 = word0 & moving[mask];
    long moved1 = word1 & moving[mask + 1];
    long moved2 = word2 & moving[mask + 2];
    long moved3 = word3 & moving[mask + 3];
    heap[at] = word0 - moved0 + (moved0 << width) + (below >>> -width);
    heap[at + 1] = word1 - moved1 + (moved1 << width) + (moved0 >>> -width);
    heap[at + 2] = word2 - moved2 + (moved2 << width) + (moved1 >>> -width);
    heap[at + 3] = word3 - moved3 + (moved3 << width) + (moved2 >>> -width);
    return moved3;
  }

  /** Where the ones of a quotient begin in a head. */
  private static int start(long first, int quotient) {
    long ends = ~first << 1 | 1;
    long sums = ends - (ends >>> 1 & 0x5555555555555555L);
    sums = (sums & 0x3333333333333333L) + (sums >>> 2 & 0x3333333333333333L);
    sums = (sums + (sums >>> 4) & 0x0F0F0F0F0F0F0F0FL) * BYTES;
    // The bytes up to which there are no more ends than the quotient.
    int place = Long.bitCount((quotient * BYTES | BYTE_TOPS) - sums & BYTE_TOPS) << 3;
    int rank = quotient - (int) (sums << 8 >>> place & 0xFF);
    return place + SELECT[(rank << 8) | ((int) (ends >>> place) & 0xFF)];
  }

  /** Element {@code rank · 256 + byte} is the position of the byte's one of that rank. */
  private static byte[] selectTable() {
    byte[] table = new byte[Byte.SIZE << 8];
    for (int i = 0; i < table.length; i++) {
      int left = i & 0xFF;
      for (int rank = i >>> 8; rank > 0; rank--) {
        left &= left - 1;
      }
      table[i] = (byte) (Integer.numberOfTrailingZeros(left) & 7);
    }
    return table;
  }

  /** How many ones there are in a row from a position on. */
  private static int ones(long first, int start) {
    return Long.numberOfTrailingZeros(~(first >>> start));
  }

  /** The remainders from a slot on, lowest first, and above them anything. */
  private long run(long[] heap, int at, int slot) {
    int bit = body + (slot << laneShift);
    int word = at + (bit >>> 6);
    return heap[word] >>> bit | heap[word + 1] << 1 << ~bit;
  }

  /** The highest bit of each lane that is not below that of a pattern. */
  private long notBelow(long run, long pattern) {
    long rest = (run | highest) - (pattern & ~highest);
    return ((run & ~pattern) | (~(run ^ pattern) & rest)) & highest;
  }

  private long get(long[] heap, int at, int slot) {
    int bit = body + (slot << laneShift);
    return heap[at + (bit >>> 6)] >>> bit & remainders;
  }

  /** Whether a bin has no room. */
  public boolean isFull(long[] heap, int at) {
    return Long.bitCount(heap[at] & head) == slots;
  }

  /** Whether fingerprints above the last one of a bin were put elsewhere. */
  public boolean isOverflowed(long[] heap, int at) {
    return (heap[at] & head + 1) != 0;
  }

  /** Says that fingerprints above the last one of a bin were put elsewhere. */
  public void setOverflowed(long[] heap, int at) {
    heap[at] |= head + 1;
  }

  /** The last fingerprint of a full bin. */
  public int last(long[] heap, int at) {
    return last(heap[at], heap[at + binWords - 1]);
  }

  private int last(long first, long lastWord) {
    int quotient = Long.SIZE - slots - Long.numberOfLeadingZeros(first & head);
    return quotient << width | (int) (lastWord >>> -width);
  }

  /** Puts a fingerprint that a full bin does not hold, and that is not above its last, for that. */
  public void replaceLast(long[] heap, int at, int fingerprint) {
    heap[at] &= ~Long.highestOneBit(heap[at] & head);
    add(heap, at, fingerprint);
  }

  /** As {@link #find}, of words that may contradict each other. */
  private int findMapped(long at, int fingerprint, Words words) {
    long first = words.get(at);
    if ((first & head + 1) != 0 && last(first, words.get(at + binWords - 1)) < fingerprint) {
      return BEYOND;
    }
    int quotient = fingerprint >>> width;
    int start = start(first, quotient);
    int end = Math.min(slots, start - quotient + ones(first, start));
    for (int slot = start - quotient; slot < end; slot++) {
      if (get(words, at, slot) == (fingerprint & remainders)) {
        return PRESENT;
      }
    }
    return ABSENT;
  }

  private long get(Words words, long at, int slot) {
    int bit = body + (slot << laneShift);
    return words.get(at + (bit >>> 6)) >>> bit & remainders;
  }

  /** How many fingerprints all bins hold. */
  public long count(Words words) {
    long count = 0;
    for (long bin = 0; bin < bins; bin++) {
      count += Long.bitCount(words.get(bin * binWords) & head);
    }
    return count;
  }

  /** How many pairs of bin and fingerprint are {@link #BEYOND}. */
  public long countBeyond(Words words) {
    long count = 0;
    for (long bin = 0; bin < bins; bin++) {
      long first = words.get(bin * binWords);
      if ((first & head + 1) != 0) {
        count += fingerprints - 1 - last(first, words.get((bin + 1) * binWords - 1));
      }
    }
    return count;
  }

  /**
   * Whether all bins are as {@link #add} leaves them: sorted without duplicates, no more quotients
   * and fingerprints than there are, only full ones overflowed, and zeros elsewhere.
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
    long first = words.get(at);
    int count = Long.bitCount(first & head);
    boolean overflowed = (first & head + 1) != 0;
    long between = notFirst & ~head & ~(head + 1);
    if (count > slots || (overflowed && count < slots) || (first & between) != 0) {
      return false;
    }
    long before = -1;
    long ones = first & head;
    for (int slot = 0; slot < slots; slot++) {
      long remainder = get(words, at, slot);
      long fingerprint = (long) (Long.numberOfTrailingZeros(ones) - slot) << width | remainder;
      boolean clean =
          slot < count ? fingerprint > before && fingerprint < fingerprints : remainder == 0;
      if (!clean) {
        return false;
      }
      before = fingerprint;
      ones &= ones - 1;
    }
    return true;
  }
}
