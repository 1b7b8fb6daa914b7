package io.bloomery.net.classify;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;

/**
 * How {@link PacketClassifier} divides its rules.
 *
 * @param subsets the fewest subsets, each of which is a filter that every packet is looked up in
 * @param maxExpansion the most entries per rule; more subsets are made until they suffice
 * @param falsePositiveRate the rate of the filters
 * @param hasher a keyed hash: who knows the key can choose packets that read tables in vain
 */
public record ClassifyOptions(
    int subsets, double maxExpansion, double falsePositiveRate, Hasher hasher) {

  /** The most subsets that are made. */
  static final int MOST_SUBSETS = 64;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if there are not 1 to 64 subsets, entries per rule are fewer
   *     than 1, the rate is not between 0 and 0.5, or the hash is not keyed
   */
  public ClassifyOptions {
    if (subsets < 1 || subsets > MOST_SUBSETS) {
      throw new IllegalArgumentException(
          "subsets = %d is not between 1 and %d".formatted(subsets, MOST_SUBSETS));
    }
    if (!(maxExpansion >= 1)) {
      throw new IllegalArgumentException("maxExpansion = " + maxExpansion + " is below 1");
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
   * Four subsets, at most 2.5 entries per rule, a rate of 1 % and a random key.
   *
   * @return the options
   */
  public static ClassifyOptions standard() {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new ClassifyOptions(4, 2.5, 0.01, Hasher.keyed(key));
  }
}
