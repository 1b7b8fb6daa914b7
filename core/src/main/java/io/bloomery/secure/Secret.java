package io.bloomery.secure;

import io.bloomery.internal.check.Arguments;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;

/**
 * A secret from which the keys of filters are derived. Store it securely: its holder can query,
 * forge and search everything made under it, and no one else can.
 *
 * <p>{@link #close} overwrites it; using it afterwards throws an {@link IllegalStateException}.
 * Objects made under it before keep working. This library never shows, stores or logs it.
 *
 * <p>Thread-safe.
 */
public final class Secret implements AutoCloseable {

  /** The fewest bytes of a secret. */
  public static final int MIN_BYTES = 16;

  /** The most bytes of a secret. */
  public static final int MAX_BYTES = 64;

  private static final int RANDOM_BYTES = 32;

  private final byte[] bytes;
  private boolean closed;

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A new secret of 32 random bytes.
   *
   * @return the secret
   */
  public static Secret generate() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new Secret(bytes);
  }

  /**
   * An existing secret. It must be random, or derived from a password by a password hash, because
   * guesses can be tested against filters quickly.
   *
   * @param bytes 16 … 64 bytes; copied, so wipe them when they are no longer needed
   * @return the secret
   * @throws IllegalArgumentException if there are fewer or more bytes
   */
  public static Secret of(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    Arguments.inRange("bytes.length", bytes.length, MIN_BYTES, MAX_BYTES);
    return new Secret(bytes.clone());
  }

  /**
   * The bytes, to be stored safely.
   *
   * @return a copy; wipe it after storing it
   * @throws IllegalStateException if the secret is closed
   */
  public synchronized byte[] toBytes() {
    requireOpen();
    return bytes.clone();
  }

  /** HMAC-SHA-256 of a message under this secret. */
  synchronized byte[] derive(byte[]... message) {
    requireOpen();
    try (Hmac hmac = new Hmac()) {
      return hmac.of(bytes, message);
    }
  }

  /** The length in bytes. */
  int length() {
    return bytes.length;
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the secret is closed");
    }
  }

  /** Overwrites the bytes. */
  @Override
  public synchronized void close() {
    closed = true;
    Arrays.fill(bytes, (byte) 0);
  }

  /** Reveals nothing about the bytes. */
  @Override
  public String toString() {
    return "Secret[" + bytes.length + " bytes]";
  }
}
