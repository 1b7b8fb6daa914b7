package io.bloomery.internal.hash;

import java.security.SecureRandom;

/**
 * Where hashes lie in a table in memory that others fill. Every instance draws a secret of its own,
 * so that whoever knows how the hashes were made, seed included, still cannot choose keys that lie
 * together: any two hashes have the same of m slots with a probability of at most 2/m, over the
 * secrets. Never for anything that is stored or sent.
 *
 * <p>A bijection under the secret, then multiply-shift hashing: Dietzfelbinger, Hagerup, Katajainen
 * and Penttonen 1997, "A Reliable Randomized Algorithm for the Closest-Pair Problem". As fast as a
 * public mixer. Immutable.
 */
public final class SecretSlots {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final long flip = RANDOM.nextLong();
  private final long first = RANDOM.nextLong() | 1;
  private final long second = RANDOM.nextLong() | 1;

  /**
   * The slot at which to look first.
   *
   * @param slots a power of two, 2 or more
   */
  public int of(long hash, int slots) {
    long mixed = (hash ^ flip) * first;
    mixed = (mixed ^ mixed >>> 32) * second;
    return (int) (mixed >>> Long.numberOfLeadingZeros(slots - 1L));
  }
}
