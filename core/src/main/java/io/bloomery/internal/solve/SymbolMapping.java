package io.bloomery.internal.solve;

import io.bloomery.internal.probe.Mix;

/**
 * Which coded symbols a key is in: number 0 always, number i with the probability 1 − (1 − 1/(i +
 * 1.25))^1.6, independently, which is about 1 / (1 + 0.625·i). Instead of drawing for every symbol,
 * the next one is drawn from the distribution of the gap, so that a key takes about 1.6·ln(m) steps
 * in m symbols.
 *
 * <p>After symbol i, the key is in none of i + 1 … j with the probability ((i + 1.25) / (j +
 * 1.25))^1.6; the next is the least j for which that falls below a uniform number. The power of 5/8
 * that this needs is computed by square roots: all steps are correctly rounded, so every platform
 * has the same symbols.
 */
public final class SymbolMapping {

  /** The symbols in which keys are multiplied by a factor, and which have a product. */
  public static final int EARLY = 64;

  /** The words of a symbol before those of the key: count and checksum. */
  public static final int KEY = 2;

  /** Beyond all symbols. */
  public static final int NONE = Integer.MAX_VALUE;

  private static final double SHIFT = 1.25;

  private SymbolMapping() {}

  /** The number that represents a key: 61 bits of its hash, below the prime 2^61 − 1. */
  public static long id(long hash) {
    return (hash >>> 3) % PrimeField.P;
  }

  /** The state of the generator of a key, at symbol 0. */
  public static long start(long id) {
    return Mix.stream(id, 0);
  }

  /** The next state. */
  public static long advance(long state) {
    return state + Mix.GOLDEN;
  }

  /** The symbol after {@code index}, of the advanced state. */
  public static int next(int index, long state) {
    double uniform = ((Mix.mix(state) >>> 11) + 1) * 0x1p-53;
    double root = Math.sqrt(uniform);
    double power = root * Math.sqrt(Math.sqrt(root));
    double next = Math.ceil((index + SHIFT) / power - SHIFT);
    return (int) Math.max(index + 1.0, Math.min(next, NONE));
  }

  /** The factor of a key in a symbol: 1 … 255 in an early one, 1 in others. */
  public static int factor(long id, int index) {
    return index < EARLY ? 1 + (int) Mix.reduce(Mix.stream(~id, index), 255) : 1;
  }
}
