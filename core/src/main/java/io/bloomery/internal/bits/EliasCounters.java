package io.bloomery.internal.bits;

import java.util.Arrays;

/**
 * Counters of variable length: the Elias gamma code of each value plus 1, so that 0 takes 1 bit, 1
 * and 2 take 3, 3 to 6 take 5 (Elias 1975, "Universal codeword sets"; for counters Cohen and Matias
 * 2003, "Spectral Bloom Filters", sec. 4).
 *
 * <p>Design. Groups of 1,024 counters have an array each, which begins with the positions of eight
 * blocks of 128 codes, 16 bits each. To read a counter, up to 128 codes are skipped, as many at
 * once as end within 11 bits; to change its length, the rest of the group is shifted. A code is z
 * zeros, a one, and the z bits of the number below its highest.
 *
 * <p>Threads: one writer at a time, and no reader while it writes.
 */
public final class EliasCounters {

  /** The highest value: its code has 61 bits, and those of a group less than 2^16. */
  public static final long MAX = (1L << 31) - 2;

  private static final int GROUP_BITS = 10;
  private static final int GROUP = 1 << GROUP_BITS;
  private static final int BLOCK_BITS = 7;
  private static final int BLOCK = 1 << BLOCK_BITS;
  private static final int BLOCKS = GROUP / BLOCK;
  private static final int HEAD_WORDS = BLOCKS * 16 / Long.SIZE;

  private static final int PATTERN_BITS = 11;

  /**
   * For each bit pattern: 16 times the number of codes that end in it, plus the bits of these
   * codes.
   */
  private static final short[] PASSED = new short[1 << PATTERN_BITS];

  static {
    for (int pattern = 0; pattern < PASSED.length; pattern++) {
      int codes = 0;
      int bits = 0;
      for (int next = length(pattern);
          bits + next <= PATTERN_BITS;
          next = length(pattern >> bits)) {
        codes++;
        bits += next;
      }
      PASSED[pattern] = (short) (codes << 4 | bits);
    }
  }

  private final long count;
  private final long[][] groups;

  /** Counters at zero. */
  public EliasCounters(long count) {
    this.count = count;
    this.groups = new long[Math.toIntExact((count + GROUP - 1) >>> GROUP_BITS)][];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = emptyGroup((int) Math.min(GROUP, count - ((long) i << GROUP_BITS)));
    }
  }

  private static long[] emptyGroup(int counters) {
    long[] group = new long[wordsFor(counters)];
    for (int block = 0; block < BLOCKS; block++) {
      setStart(group, block, Math.min(counters, block * BLOCK));
    }
    // The code of 0 is a single one.
    for (int i = 0; i < counters; i++) {
      group[HEAD_WORDS + (i >>> 6)] |= 1L << i;
    }
    return group;
  }

  private static int wordsFor(int bits) {
    return HEAD_WORDS + (bits + Long.SIZE - 1) / Long.SIZE;
  }

  private static int start(long[] group, int block) {
    return (int) (group[block >>> 2] >>> ((block & 3) << 4)) & 0xFFFF;
  }

  private static void setStart(long[] group, int block, int bit) {
    int shift = (block & 3) << 4;
    group[block >>> 2] = (group[block >>> 2] & ~(0xFFFFL << shift)) | ((long) bit << shift);
  }

  /** How many counters there are. */
  public long count() {
    return count;
  }

  /** 64 bits from a position on; beyond the end, zeros. */
  private static long window(long[] group, int bit) {
    int word = HEAD_WORDS + (bit >>> 6);
    int shift = bit & 63;
    long low = word < group.length ? group[word] >>> shift : 0;
    return shift == 0 || word + 1 >= group.length ? low : low | (group[word + 1] << -shift);
  }

  private static int length(long window) {
    return 2 * Long.numberOfTrailingZeros(window) + 1;
  }

  private static long value(long window) {
    int zeros = Long.numberOfTrailingZeros(window);
    long below = window >>> (zeros + 1) & ((1L << zeros) - 1);
    return ((1L << zeros) | below) - 1;
  }

  private static long code(long value) {
    int zeros = 63 - Long.numberOfLeadingZeros(value + 1);
    return (1L | ((value + 1) ^ (1L << zeros)) << 1) << zeros;
  }

  private static int position(long[] group, int counter) {
    int bit = start(group, counter >>> BLOCK_BITS);
    int left = counter & (BLOCK - 1);
    while (left > 0) {
      long window = window(group, bit);
      int passed = PASSED[(int) window & (PASSED.length - 1)];
      int codes = passed >>> 4;
      if (codes == 0 || codes > left) {
        bit += length(window);
        left--;
      } else {
        bit += passed & 0xF;
        left -= codes;
      }
    }
    return bit;
  }

  /** Counter {@code i}. */
  public long get(long i) {
    long[] group = groups[(int) (i >>> GROUP_BITS)];
    return value(window(group, position(group, (int) i & (GROUP - 1))));
  }

  /** Sets counter {@code i} to a value, at most {@link #MAX}. */
  public void set(long i, long value) {
    int number = (int) (i >>> GROUP_BITS);
    long[] group = groups[number];
    int counter = (int) i & (GROUP - 1);
    int at = position(group, counter);
    int old = length(window(group, at));
    long code = code(value);
    int more = length(code) - old;
    if (more != 0) {
      group = shifted(group, number, counter, at + old, more);
      groups[number] = group;
    }
    write(group, at, code, length(code));
  }

  /** The group with all codes after a counter moved by some bits. */
  private long[] shifted(long[] group, int number, int counter, int from, int by) {
    int counters = (int) Math.min(GROUP, count - ((long) number << GROUP_BITS));
    int end = end(group, counters);
    long[] next = Arrays.copyOf(group, wordsFor(end + by));
    // The code itself is written later; its old bits must be zero.
    clearFrom(next, from + Math.min(0, by));
    for (int bit = from; bit < end; bit += Long.SIZE) {
      or(next, bit + by, window(group, bit) & mask(end - bit));
    }
    for (int block = (counter >>> BLOCK_BITS) + 1; block < BLOCKS; block++) {
      setStart(next, block, start(group, block) + by);
    }
    return next;
  }

  /** Where the codes of a group end. */
  private static int end(long[] group, int counters) {
    int last = counters - 1;
    int at = position(group, last);
    return at + length(window(group, at));
  }

  private static long mask(int bits) {
    return bits >= Long.SIZE ? -1L : (1L << bits) - 1;
  }

  private static void clearFrom(long[] group, int bit) {
    int word = HEAD_WORDS + (bit >>> 6);
    if (word < group.length) {
      group[word] &= mask(bit & 63);
      Arrays.fill(group, word + 1, group.length, 0);
    }
  }

  private static void or(long[] group, int bit, long bits) {
    int word = HEAD_WORDS + (bit >>> 6);
    int shift = bit & 63;
    if (bits != 0) {
      group[word] |= bits << shift;
      if (shift != 0 && bits >>> -shift != 0) {
        group[word + 1] |= bits >>> -shift;
      }
    }
  }

  private static void write(long[] group, int bit, long code, int length) {
    int word = HEAD_WORDS + (bit >>> 6);
    int shift = bit & 63;
    group[word] &= ~(mask(length) << shift);
    if (shift + length > Long.SIZE) {
      group[word + 1] &= ~(mask(length) >>> -shift);
    }
    or(group, bit, code);
  }

  /** The memory of all codes and positions; array headers take another 0.2 bits per counter. */
  public long sizeInBits() {
    return Arrays.stream(groups).mapToLong(group -> (long) group.length * Long.SIZE).sum();
  }

  /** The counters of a group in order, for passes over all of them. */
  public long[] values(int group) {
    int counters = (int) Math.min(GROUP, count - ((long) group << GROUP_BITS));
    long[] values = new long[counters];
    int bit = 0;
    for (int i = 0; i < counters; i++) {
      long window = window(groups[group], bit);
      values[i] = value(window);
      bit += length(window);
    }
    return values;
  }

  /** How many groups there are, of 1,024 counters each but the last. */
  public int groups() {
    return groups.length;
  }
}
