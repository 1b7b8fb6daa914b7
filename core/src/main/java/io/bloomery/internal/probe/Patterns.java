package io.bloomery.internal.probe;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Fixed tables of 1024 words with a given number of set bits. A pattern, rotated by 0…63, is one of
 * 2^16 masks: 16 bits of a hash choose all bits of a word with one load and one rotation (Putze,
 * Sanders and Singler 2007, "Cache-, Hash- and Space-Efficient Bloom Filters", sec. 3.2, except
 * that rotation multiplies the number of patterns by 64).
 *
 * <p>Pattern {@code e} of the table for {@code b} bits sets positions {@code s_t >>> 58}, {@code t
 * = 0, 1, …}, of the SplitMix64 stream that starts at {@code (b << 32) + (e << 8)}, until {@code b}
 * distinct bits are set.
 *
 * <p>Tables hold complements: a query is then one load, one rotation and one {@code or} with the
 * filter's word, which gives -1 if every bit is set.
 */
public final class Patterns {

  /** Patterns in a table, a power of two. */
  public static final int COUNT = 1024;

  /** The most bits a pattern has. */
  public static final int MAX_BITS = 16;

  private static final AtomicReferenceArray<long[]> TABLES =
      new AtomicReferenceArray<>(MAX_BITS + 1);

  private Patterns() {}

  /** The complements of the patterns with 1…16 set bits. Shared: must not be written to. */
  public static long[] complements(int bits) {
    long[] table = TABLES.get(bits);
    if (table == null) {
      table = make(bits);
      TABLES.set(bits, table);
    }
    return table;
  }

  private static long[] make(int bits) {
    long[] table = new long[COUNT];
    for (int entry = 0; entry < COUNT; entry++) {
      long start = ((long) bits << 32) + ((long) entry << 8);
      long pattern = 0;
      for (int t = 0; Long.bitCount(pattern) < bits; t++) {
        pattern |= 1L << (Mix.stream(start, t) >>> 58);
      }
      table[entry] = ~pattern;
    }
    return table;
  }
}
