package io.bloomery.secure;

import java.math.BigInteger;
import java.util.Arrays;

/** A secret number that can be overwritten; its text form never reveals it. */
final class SecretNumber implements AutoCloseable {

  private final byte[] bytes; // big-endian
  private volatile boolean closed;

  /** Keeps the array, which the caller must not use any more. */
  SecretNumber(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The number, for as short a time as possible: Java cannot overwrite it. */
  BigInteger value() {
    BigInteger value = new BigInteger(1, bytes);
    requireOpen();
    return value;
  }

  /** A copy of its bytes, big-endian. */
  byte[] encoded() {
    byte[] copy = bytes.clone();
    requireOpen();
    return copy;
  }

  /** Called after the bytes were read, so that no number is made from overwritten bytes. */
  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the key is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    Arrays.fill(bytes, (byte) 0);
  }

  @Override
  public String toString() {
    return closed ? "closed" : "secret";
  }
}
