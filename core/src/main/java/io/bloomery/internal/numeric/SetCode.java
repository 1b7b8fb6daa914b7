package io.bloomery.internal.numeric;

import java.util.Arrays;

/**
 * Numbers 0 … sets - 1 as masks of {@code columns} bits, and back from a mask that covers one. With
 * a weight w of 1 or more each code has exactly w ones, and codes are numbered in their order as
 * binary numbers (the combinatorial number system): number s is C(a, 1) + C(b, 2) + … for ones at
 * columns a &lt; b &lt; …. With weight 1 number s is column s, the one case of more than 62
 * columns. Weight 0 is the binary code of s + 1.
 *
 * <p>A mask may have ones beyond those of its code. With a constant weight, all codes that it
 * covers are candidates. A binary mask that is a code represents itself; otherwise all codes that
 * it covers are candidates.
 */
public final class SetCode {

  /** The most columns of a code of weight 2 or more. */
  public static final int MAX_COLUMNS = 62;

  private static final long[][] CHOOSE = choose();

  private final int sets;
  private final int columns;
  private final int weight;

  /** A code of a given number of columns, enough for the sets. */
  public SetCode(int sets, int columns, int weight) {
    if (columns < columns(sets, weight)) {
      throw new IllegalArgumentException(
          "%d columns of weight %d are too few for %d sets".formatted(columns, weight, sets));
    }
    this.sets = sets;
    this.columns = columns;
    this.weight = weight;
  }

  /** The code of the fewest columns. */
  public static SetCode of(int sets, int weight) {
    return new SetCode(sets, columns(sets, weight), weight);
  }

  /** The fewest columns for a number of sets, 1 or more, and a weight 0 … 31. */
  public static int columns(int sets, int weight) {
    if (weight == 0) {
      return Integer.SIZE - Integer.numberOfLeadingZeros(sets);
    }
    if (weight == 1) {
      return sets;
    }
    int columns = weight;
    while (columns < MAX_COLUMNS && CHOOSE[columns][weight] < sets) {
      columns++;
    }
    return columns;
  }

  /** C(n, k) for n up to {@link #MAX_COLUMNS}. */
  public static long choose(int n, int k) {
    return k > n ? 0 : CHOOSE[n][k];
  }

  private static long[][] choose() {
    long[][] table = new long[MAX_COLUMNS + 1][];
    for (int n = 0; n <= MAX_COLUMNS; n++) {
      table[n] = new long[n + 1];
      table[n][0] = 1;
      table[n][n] = 1;
      for (int k = 1; k < n; k++) {
        table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
      }
    }
    return table;
  }

  /** How many numbers there are. */
  public int sets() {
    return sets;
  }

  /** How many bits a mask has. */
  public int columns() {
    return columns;
  }

  /** How many ones a code has, 0 for the binary code. */
  public int weight() {
    return weight;
  }

  /** The code of a number; at most 64 columns. */
  public long code(int set) {
    if (weight == 0) {
      return set + 1L;
    }
    if (weight == 1) {
      return 1L << set;
    }
    long rest = set;
    long code = 0;
    int column = columns;
    for (int k = weight; k > 0; k--) {
      do {
        column--;
      } while (choose(column, k) > rest);
      rest -= choose(column, k);
      code |= 1L << column;
    }
    return code;
  }

  /**
   * The lowest candidate of a mask, except that a binary code itself comes first; -1 if there is
   * none.
   */
  public long first(long mask) {
    if (weight == 0) {
      return (mask <= sets ? mask : Long.lowestOneBit(mask)) - 1;
    }
    if (Long.bitCount(mask) < weight) {
      return -1;
    }
    long number = number(lowest(mask, weight));
    return number < sets ? number : -1;
  }

  /** The candidate of a mask if there is just one, otherwise -1. */
  public long only(long mask) {
    long first = first(mask);
    if (weight == 0) {
      return mask <= sets ? first : -1;
    }
    if (first < 0 || Long.bitCount(mask) == weight) {
      return first;
    }
    if (weight == 1) {
      return Long.bitCount(single(mask)) == 1 ? first : -1;
    }
    long code = lowest(mask, weight);
    return number(next(code, mask)) < sets ? -1 : first;
  }

  /**
   * Sets the bits of all candidates of a mask in {@code hits} and clears the others; returns their
   * number.
   */
  public int all(long mask, long[] hits) {
    if (weight == 1) {
      hits[0] = single(mask);
      return Long.bitCount(hits[0]);
    }
    Arrays.fill(hits, 0, (sets + Long.SIZE - 1) / Long.SIZE, 0);
    long set = first(mask);
    if (set < 0) {
      return 0;
    }
    if (weight == 0) {
      return mask <= sets ? hit(set, hits) : allBinary(mask, hits);
    }
    int count = 0;
    for (long code = lowest(mask, weight), before = 0; code > before && set < sets; ) {
      count += hit(set, hits);
      before = code;
      code = next(code, mask);
      set = number(code);
    }
    return count;
  }

  /** The columns of a mask that are sets themselves. */
  private long single(long mask) {
    return mask & -1L >>> -sets;
  }

  private int allBinary(long mask, long[] hits) {
    int count = 0;
    for (long code = mask & -mask; code != 0 && code <= sets; code = (code - mask) & mask) {
      count += hit(code - 1, hits);
    }
    return count;
  }

  private static int hit(long set, long[] hits) {
    hits[(int) (set >>> 6)] |= 1L << set;
    return 1;
  }

  /** The lowest ones of a mask. */
  private static long lowest(long mask, int ones) {
    long rest = mask;
    for (int i = 0; i < ones; i++) {
      rest &= rest - 1;
    }
    return mask ^ rest;
  }

  /** The next code among the ones of a mask; the last is followed by a lower one. */
  private static long next(long code, long mask) {
    long raised = ((code | ~mask) + (code & -code)) & mask;
    return raised | lowest(mask, Long.bitCount(code) - Long.bitCount(raised));
  }

  private long number(long code) {
    if (weight == 1) {
      return Long.numberOfTrailingZeros(code);
    }
    long number = 0;
    int k = 1;
    for (long rest = code; rest != 0; rest &= rest - 1) {
      number += choose(Long.numberOfTrailingZeros(rest), k++);
    }
    return number;
  }
}
