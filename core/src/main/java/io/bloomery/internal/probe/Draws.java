package io.bloomery.internal.probe;

import io.bloomery.internal.bits.Words;

/**
 * Other uses of the positions of {@link io.bloomery.hash.IndexScheme#INDEPENDENT} besides testing
 * and setting them all: position {@code i} is output {@code i} of the mixing stream modulo m.
 */
public final class Draws {

  private Draws() {}

  /** Position {@code i} of a hash. */
  public static long index(long hash, int i, Modulus modulus) {
    return modulus.of(Mix.stream(hash, i));
  }

  /** The hash that hash family {@code id} uses instead; families 0, 1… are independent. */
  public static long family(long hash, int id) {
    return Mix.stream(hash, id + 1);
  }

  /** How many of the first positions are 0; repeated positions count repeatedly. */
  public static int zeros(long hash, int count, Modulus modulus, Words words) {
    int zeros = 0;
    for (int i = 0; i < count; i++) {
      long x = index(hash, i, modulus);
      zeros += (int) (~words.get(x >>> 6) >>> x & 1);
    }
    return zeros;
  }
}
