package io.bloomery.net.scan;

import io.bloomery.hash.Hasher;
import java.security.SecureRandom;

/**
 * How much {@link TrafficScanner} may take.
 *
 * @param maxIndicators how many indicators may be listed
 * @param streamBytes the memory of connections whose bytes are put in order
 * @param maxStreams how many directions of connections are followed at a time
 * @param hasher a keyed hash: who knows the key can choose addresses that collide
 */
public record ScanOptions(int maxIndicators, long streamBytes, int maxStreams, Hasher hasher) {

  /** How many indicators may be listed. */
  public static final int MOST_INDICATORS = 1 << 22;

  private static final long LEAST_BYTES = 1 << 20;

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if not 1 to {@link #MOST_INDICATORS} indicators may be listed,
   *     streams have less than 1 MiB or 16 directions, or the hash is not keyed
   */
  public ScanOptions {
    if (maxIndicators < 1 || maxIndicators > MOST_INDICATORS) {
      throw new IllegalArgumentException(
          "maxIndicators = %d is not between 1 and %d".formatted(maxIndicators, MOST_INDICATORS));
    }
    if (streamBytes < LEAST_BYTES) {
      throw new IllegalArgumentException("streamBytes = " + streamBytes + " is below 1048576");
    }
    if (maxStreams < 16) {
      throw new IllegalArgumentException("maxStreams = " + maxStreams + " is below 16");
    }
    if (!hasher.isKeyed()) {
      throw new IllegalArgumentException("hasher has no key, and addresses come from strangers");
    }
  }

  /**
   * Four million indicators, 128 MiB for 65,536 directions, and a random key.
   *
   * @return the options
   */
  public static ScanOptions standard() {
    byte[] key = new byte[16];
    new SecureRandom().nextBytes(key);
    return new ScanOptions(MOST_INDICATORS, 128 << 20, 1 << 16, Hasher.keyed(key));
  }

  /**
   * The same with another memory for streams.
   *
   * @param bytes the memory
   * @return the options
   */
  public ScanOptions withStreamBytes(long bytes) {
    return new ScanOptions(maxIndicators, bytes, maxStreams, hasher);
  }

  /**
   * The same with another hash.
   *
   * @param keyed a keyed hash
   * @return the options
   */
  public ScanOptions withHasher(Hasher keyed) {
    return new ScanOptions(maxIndicators, streamBytes, maxStreams, keyed);
  }
}
