package io.bloomery.internal.solve;

import java.util.Arrays;

/**
 * Solves linear equations over GF(2) whose coefficients lie in a band: each equation has a first
 * unknown and coefficients for it and the next 63 or 127, the first of which is 1.
 *
 * <p>Equations are eliminated as they come (Dillinger and Walzer, "Ribbon filter: practically
 * smaller than Bloom and Xor", 2021, sec. 2): an equation moves to the right until it finds an
 * unknown for which none is stored yet, and stays there. No stored equation ever changes, so the
 * latest additions can be undone. The right side of an equation is a value of up to 32 bits, which
 * represents as many systems with equal coefficients; {@link #solve} writes a bit of each for each
 * unknown. Unknowns that remain free become 0, so the solution depends on the equations but not on
 * their order.
 *
 * <p>The solution is interleaved: for each segment of 64 unknowns (slots) one word per column, that
 * is per bit of the values. A value is read as the parities of the coefficients with the columns.
 * Not thread-safe.
 */
public final class Banding {

  /** Result of {@link #add} for an equation implied by those before. */
  public static final int REDUNDANT = -1;

  /** Result of {@link #add} for an equation that contradicts those before; nothing changed. */
  public static final int CONTRADICTION = -2;

  /** Slots of one segment of the solution. */
  public static final int SEGMENT = io.bloomery.internal.numeric.RibbonLayout.SEGMENT;

  private final long[] low;
  private final long[] high; // empty if equations have 64 coefficients
  private final int[] values;
  private int slots;

  /**
   * An empty system.
   *
   * @param slots unknowns, a positive multiple of 64
   * @param width coefficients of an equation, 64 or 128
   */
  public Banding(int slots, int width) {
    this.low = new long[slots];
    this.high = new long[width == 2 * Long.SIZE ? slots : 0];
    this.values = new int[slots];
    this.slots = slots;
  }

  /**
   * Discards all equations and continues with {@code slots} unknowns, at most as many as initially.
   */
  public void clear(int slots) {
    Arrays.fill(low, 0, slots, 0);
    if (high.length > 0) {
      Arrays.fill(high, 0, slots, 0);
    }
    this.slots = slots;
  }

  /**
   * Adds an equation of width 64.
   *
   * @param start its first unknown, 0 … slots-64
   * @param coefficients bit j for unknown {@code start + j}; bit 0 is set
   * @param value the right side
   * @return the slot that it took, {@link #REDUNDANT} or {@link #CONTRADICTION}
   */
  public int add(int start, long coefficients, int value) {
    long[] rows = low;
    int at = start;
    long row = coefficients;
    int right = value;
    while (true) {
      long stored = rows[at];
      if (stored == 0) {
        rows[at] = row;
        values[at] = right;
        return at;
      }
      row ^= stored;
      right ^= values[at];
      if (row == 0) {
        return right == 0 ? REDUNDANT : CONTRADICTION;
      }
      int zeros = Long.numberOfTrailingZeros(row);
      at += zeros;
      row >>>= zeros;
    }
  }

  /** Adds an equation of width 128: {@link #add(int, long, int)} with 64 more coefficients. */
  public int add(int start, long coefficients, long more, int value) {
    int at = start;
    long row = coefficients;
    long rest = more;
    int right = value;
    while (low[at] != 0) {
      row ^= low[at];
      rest ^= high[at];
      right ^= values[at];
      if (row == 0) {
        if (rest == 0) {
          return right == 0 ? REDUNDANT : CONTRADICTION;
        }
        at += Long.SIZE;
        row = rest;
        rest = 0;
      }
      int zeros = Long.numberOfTrailingZeros(row);
      at += zeros;
      row = zeros == 0 ? row : row >>> zeros | rest << -zeros;
      rest >>>= zeros;
    }
    low[at] = row;
    high[at] = rest;
    values[at] = right;
    return at;
  }

  /** Undoes the equation in a slot; all equations added after it must be undone too. */
  public void remove(int slot) {
    low[slot] = 0;
  }

  /**
   * Writes the solution, segment by segment. Segments before {@code split} have {@code columns - 1}
   * words, the others {@code columns}; equations that start in the former are solved without the
   * highest bit of their values.
   *
   * @param words receives them
   * @param at where the first word goes
   * @param columns words of a segment, 1…32
   * @param split segments with one word less
   */
  public void solve(long[] words, int at, int columns, int split) {
    if (high.length > 0) {
      for (int column = 0; column < columns; column++) {
        solveWide(words, at, columns, split, column);
      }
      return;
    }
    for (int column = 0; column < columns; column += 4) {
      solveFour(words, at, columns, split, column);
    }
  }

  /** Four columns at a time, so that their chains of dependent steps overlap. */
  private void solveFour(long[] words, int at, int columns, int split, int column) {
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    for (int segment = slots / SEGMENT - 1; segment >= 0; segment--) {
      for (int slot = segment * SEGMENT + SEGMENT - 1; slot >= segment * SEGMENT; slot--) {
        long row = low[slot];
        int value = row == 0 ? 0 : values[slot] >>> column;
        a <<= 1;
        b <<= 1;
        c <<= 1;
        d <<= 1;
        a |= (Long.bitCount(a & row) ^ value) & 1;
        b |= (Long.bitCount(b & row) ^ value >>> 1) & 1;
        c |= (Long.bitCount(c & row) ^ value >>> 2) & 1;
        d |= (Long.bitCount(d & row) ^ value >>> 3) & 1;
      }
      int width = segment < split ? columns - 1 : columns;
      int to = at + segment * (columns - 1) + Math.max(0, segment - split) + column;
      int left = width - column;
      if (left > 0) {
        words[to] = a;
      }
      if (left > 1) {
        words[to + 1] = b;
      }
      if (left > 2) {
        words[to + 2] = c;
      }
      if (left > 3) {
        words[to + 3] = d;
      }
    }
  }

  private void solveWide(long[] words, int at, int columns, int split, int column) {
    long near = 0;
    long far = 0;
    for (int segment = slots / SEGMENT - 1; segment >= 0; segment--) {
      for (int slot = segment * SEGMENT + SEGMENT - 1; slot >= segment * SEGMENT; slot--) {
        far = far << 1 | near >>> 63;
        near <<= 1;
        if (low[slot] != 0) {
          int parity = Long.bitCount((near & low[slot]) ^ (far & high[slot]));
          near |= (parity ^ values[slot] >>> column) & 1;
        }
      }
      if (column < (segment < split ? columns - 1 : columns)) {
        words[at + segment * (columns - 1) + Math.max(0, segment - split) + column] = near;
      }
    }
  }
}
