package io.bloomery.net.state;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;
import java.util.Objects;

/**
 * How {@link ConnectionStates} are kept.
 *
 * @param backEnd the structure
 * @param flows how many connections are expected at a time
 * @param bitsPerFlow its memory divided by that; of no meaning for {@link BackEnd#EXACT}
 * @param hasher a keyed hash: who knows the key can choose connections that collide
 */
public record StateOptions(BackEnd backEnd, long flows, int bitsPerFlow, Hasher hasher) {

  /** The structures. */
  public enum BackEnd {
    /** Fingerprints with states, in a d-left hash table. */
    FINGERPRINT,
    /** Cells with a state and a counter. */
    STATEFUL,
    /** A counting Bloom filter of pairs of connection and state. */
    DIRECT,
    /** A hash table, some 100 bytes per connection; for comparison. */
    EXACT
  }

  /** The bits per connection unless others are given. */
  public static final int BITS = 24;

  private static final long MOST_FLOWS = 1L << 28;
  private static final int LEAST_BITS = 16;
  private static final int MOST_BITS = 40;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if not 64 to 2^28 connections are expected, they have not 16
   *     to 40 bits, or the hash is not keyed
   */
  public StateOptions {
    Objects.requireNonNull(backEnd, "backEnd");
    if (flows < 64 || flows > MOST_FLOWS) {
      throw new IllegalArgumentException(
          "flows = " + flows + " is not between 64 and " + MOST_FLOWS);
    }
    if (bitsPerFlow < LEAST_BITS || bitsPerFlow > MOST_BITS) {
      throw new IllegalArgumentException(
          "bitsPerFlow = %d is not between %d and %d"
              .formatted(bitsPerFlow, LEAST_BITS, MOST_BITS));
    }
    if (!hasher.isKeyed()) {
      throw new IllegalArgumentException("hasher has no key, and addresses come from strangers");
    }
  }

  /**
   * Fingerprints of 24 bits per connection, and a random key.
   *
   * @param flows how many connections are expected at a time
   * @return the options
   */
  public static StateOptions forFlows(long flows) {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new StateOptions(BackEnd.FINGERPRINT, flows, BITS, Hasher.keyed(key));
  }

  /**
   * The same with another structure.
   *
   * @param other the structure
   * @return the options
   */
  public StateOptions with(BackEnd other) {
    return new StateOptions(other, flows, bitsPerFlow, hasher);
  }

  /**
   * The same with another memory.
   *
   * @param bits per expected connection
   * @return the options
   */
  public StateOptions withBitsPerFlow(int bits) {
    return new StateOptions(backEnd, flows, bits, hasher);
  }

  /**
   * The same with another hash.
   *
   * @param keyed a keyed hash
   * @return the options
   */
  public StateOptions withHasher(Hasher keyed) {
    return new StateOptions(backEnd, flows, bitsPerFlow, keyed);
  }
}
