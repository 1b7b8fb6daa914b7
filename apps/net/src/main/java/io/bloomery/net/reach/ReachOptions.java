package io.bloomery.net.reach;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;

/**
 * How many permissions {@link Reachability} has room for.
 *
 * @param permissions how many are expected at a time
 * @param replies how many capabilities of replies are expected in a period
 * @param falsePositiveRate the most unwanted packets that pass, as a share of all unwanted ones
 * @param hasher a keyed hash: who knows the key can choose packets that pass
 */
public record ReachOptions(
    long permissions, long replies, double falsePositiveRate, Hasher hasher) {

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if a number is not positive, the rate is not between 0 and
   *     0.5, or the hash is not keyed
   */
  public ReachOptions {
    if (permissions < 1 || replies < 1) {
      throw new IllegalArgumentException(
          "permissions = %d and replies = %d must be positive".formatted(permissions, replies));
    }
    if (!(falsePositiveRate > 0 && falsePositiveRate <= 0.5)) {
      throw new IllegalArgumentException(
          "falsePositiveRate = " + falsePositiveRate + " is not between 0 and 0.5");
    }
    if (!hasher.isKeyed()) {
      throw new IllegalArgumentException("hasher has no key, and packets come from strangers");
    }
  }

  /**
   * As many capabilities of replies as permissions, and a random key.
   *
   * @param permissions how many are expected at a time
   * @param falsePositiveRate the most unwanted packets that pass
   * @return the options
   */
  public static ReachOptions of(long permissions, double falsePositiveRate) {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new ReachOptions(permissions, permissions, falsePositiveRate, Hasher.keyed(key));
  }
}
