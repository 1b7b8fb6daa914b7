package io.bloomery.internal.solve;

import io.bloomery.internal.bits.Packed;
import io.bloomery.internal.bits.Words;
import io.bloomery.internal.probe.Mix;
import java.util.function.IntToLongFunction;

/**
 * A solved table of numbers of 1…64 bits: the number of a key is the xor of its cells and of its
 * {@linkplain #mask mask}. For a key outside the table it is random, because the mask is.
 */
public final class XorTable {

  private final CellLayout layout;
  private final Words words;
  private final int width;
  private final long seed;

  /** A table in existing words, {@link Packed} numbers. */
  public XorTable(CellLayout layout, Words words, int width, long seed) {
    this.layout = layout;
    this.words = words;
    this.width = width;
    this.seed = seed;
  }

  /**
   * Solves a table for keys that were peeled.
   *
   * @param numbers gives the number of key i of {@code keys}
   */
  public static XorTable solve(
      CellLayout layout, DistinctKeys keys, Peeling peeling, int width, IntToLongFunction numbers) {
    long seed = keys.trialSeed();
    Words wanted = Words.allocate(Packed.wordsFor(keys.count(), width), false);
    for (int i = 0; i < keys.count(); i++) {
      Packed.set(wanted, width, i, numbers.applyAsLong(i) ^ mask(keys.hash(i), seed, width));
    }
    Words words = Words.allocate(Packed.wordsFor(layout.cells(), width), false);
    peeling.fill(wanted, words, width);
    return new XorTable(layout, words, width, seed);
  }

  /** The mask of a key's number. */
  public static long mask(long hash, long seed, int width) {
    return Mix.mix(hash ^ seed) >>> -width;
  }

  /** The number of a key. */
  public long get(long hash) {
    CellLayout where = layout;
    Words table = words;
    int bits = width;
    long mixed = CellLayout.remix(hash, seed);
    long number = mask(hash, seed, bits);
    for (int i = 0; i < where.arity(); i++) {
      number ^= Packed.get(table, bits, where.at(mixed, i));
    }
    return number;
  }

  /** Cell {@code i} of a key. */
  public int cell(long hash, int i) {
    return layout.at(CellLayout.remix(hash, seed), i);
  }

  /** The cells. */
  public Words words() {
    return words;
  }

  public long seed() {
    return seed;
  }
}
