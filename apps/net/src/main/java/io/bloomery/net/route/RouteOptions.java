package io.bloomery.net.route;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;

/**
 * How large the filters of {@link RouteVerifier} are.
 *
 * @param packets how many packets of a system are kept at a time
 * @param falsePositiveRate the share of packets that a system is taken to have seen by mistake
 * @param hasher a keyed hash, which those who send packets do not know
 */
public record RouteOptions(long packets, double falsePositiveRate, Hasher hasher) {

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if no packets are kept, the rate is not between 0 and 0.5, or
   *     the hash is not keyed
   */
  public RouteOptions {
    if (packets < 1) {
      throw new IllegalArgumentException("packets = " + packets + " must be positive");
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
   * With a random key.
   *
   * @param packets how many packets of a system are kept at a time
   * @param falsePositiveRate the share of packets seen by mistake
   * @return the options
   */
  public static RouteOptions of(long packets, double falsePositiveRate) {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new RouteOptions(packets, falsePositiveRate, Hasher.keyed(key));
  }
}
