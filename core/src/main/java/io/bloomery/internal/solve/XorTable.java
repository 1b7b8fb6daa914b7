package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.Mix;
import java.util.function.IntToLongFunction;

/**
 * A solved table of numbers of 1…64 bits: the number of a key is the xor of its cells and of its
 * {@linkplain #mask mask}. For a key that the table was not solved for it is random, because the
 * mask is.
 */
public final class XorTable {

  private final CellLayout layout;
  private final Words words;
  private final int width;

  /** A table in existing words, as many as {@link #wordsFor} says. */
  public XorTable(CellLayout layout, Words words, int width) {
    this.layout = layout;
    this.words = words;
    this.width = width;
  }

  /**
   * Solves a table for keys that were peeled.
   *
   * @param numbers gives the number of key i of {@code keys}
   */
  public static XorTable solve(
      CellLayout layout, DistinctKeys keys, Peeling peeling, int width, IntToLongFunction numbers) {
    Words wanted = Words.allocate(Packed.wordsFor(keys.count(), width), false);
    for (int i = 0; i < keys.count(); i++) {
      Packed.set(wanted, width, i, numbers.applyAsLong(i) ^ mask(keys.mixed(i), width));
    }
    Words words = Words.allocate(wordsFor(layout, width), false);
    peeling.fill(wanted, words, width);
    return new XorTable(layout, words, width);
  }

  /** How many words a table takes. */
  public static long wordsFor(CellLayout layout, int width) {
    return Packed.wordsFor(layout.cells(), width);
  }

  /** What a key's number is hidden behind: the high bits of another mixing of its remixed hash. */
  public static long mask(long mixed, int width) {
    return Mix.mix(mixed) >>> -width;
  }

  /** The number of a key by its remixed hash. */
  public long get(long mixed) {
    CellLayout where = layout;
    Words table = words;
    int bits = width;
    long number = mask(mixed, bits);
    for (int i = 0; i < where.arity(); i++) {
      number ^= Packed.get(table, bits, where.at(mixed, i));
    }
    return number;
  }

  /** The cells. */
  public Words words() {
    return words;
  }
}
