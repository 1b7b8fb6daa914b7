package io.bloomery.net.dups;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;

/**
 * How {@link DuplicateFilters} are sized.
 *
 * @param window W: a repetition is one of the W items before
 * @param rate the share of new items that may be taken for repetitions
 * @param hasher a keyed hash: who knows the key can choose packets that hide behind others
 */
public record DuplicateOptions(long window, double rate, Hasher hasher) {

  private static final long MOST_WINDOW = 1L << 32;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the window is not 2 to 2^32, the rate not between 0 and 1,
   *     or the hash is not keyed
   */
  public DuplicateOptions {
    if (window < 2 || window > MOST_WINDOW) {
      throw new IllegalArgumentException(
          "window = " + window + " is not between 2 and " + MOST_WINDOW);
    }
    if (!(rate >= 1e-9 && rate < 1)) {
      throw new IllegalArgumentException("rate = " + rate + " is not between 1e-9 and 1");
    }
    if (!hasher.isKeyed()) {
      throw new IllegalArgumentException("hasher has no key, and items come from strangers");
    }
  }

  /**
   * With a random key.
   *
   * @param window W, the items in which repetitions are looked for
   * @param rate the share of new items that may be taken for repetitions
   * @return the options
   */
  public static DuplicateOptions of(long window, double rate) {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new DuplicateOptions(window, rate, Hasher.keyed(key));
  }
}
