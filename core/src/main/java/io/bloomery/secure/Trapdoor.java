package io.bloomery.secure;

import io.bloomery.internal.check.Arguments;
import io.bloomery.plan.Shape;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;

/**
 * What the owner of a {@link SecureIndex} gives to the holder of the index to have a word searched
 * for: for each of r keys the HMAC of the word. It does not tell the word, but it is the same
 * whenever the same word is searched for, and it finds the word in all documents of the index, also
 * in those that are added later.
 *
 * <p>Immutable; any number of threads may use one.
 */
public final class Trapdoor {

  /** The length of the check value of the keys, with which the bytes begin. */
  static final int CHECK_BYTES = 16;

  private final byte[] bytes;

  private Trapdoor(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A trapdoor that was sent.
   *
   * @param bytes what {@link #toBytes()} gave; copied
   * @return the trapdoor
   * @throws IllegalArgumentException if that is not the length of a trapdoor
   */
  public static Trapdoor of(byte[] bytes) {
    Objects.requireNonNull(bytes, "bytes");
    int codes = (bytes.length - CHECK_BYTES) / Hmac.BYTES;
    if (codes < 1 || codes > Shape.MAX_HASHES_PER_KEY || bytes.length != length(codes)) {
      throw new IllegalArgumentException(
          "bytes.length = " + bytes.length + " is not 16 + 32 · r for r = 1 … 255");
    }
    return new Trapdoor(bytes.clone());
  }

  /** For the check value of the keys and the codes of a word, one after the other. */
  static Trapdoor ofParts(byte[] check, byte[][] codes) {
    byte[] bytes = Arrays.copyOf(check, length(codes.length));
    for (int i = 0; i < codes.length; i++) {
      System.arraycopy(codes[i], 0, bytes, length(i), Hmac.BYTES);
    }
    return new Trapdoor(bytes);
  }

  /** How many bytes r codes take, which is also where code r begins. */
  static int length(int codes) {
    return CHECK_BYTES + codes * Hmac.BYTES;
  }

  /** How many codes there are, r. */
  int codes() {
    return (bytes.length - CHECK_BYTES) / Hmac.BYTES;
  }

  /** Code i as a key of its own. */
  byte[] code(int i) {
    Arguments.inRange("i", i, 0, codes() - 1);
    return Arrays.copyOfRange(bytes, length(i), length(i + 1));
  }

  /** Whether it was made by keys with this check value; takes the same time whatever the answer. */
  boolean isOf(byte[] check) {
    return MessageDigest.isEqual(Arrays.copyOf(bytes, CHECK_BYTES), check);
  }

  /**
   * The bytes to be sent to the holder of the index.
   *
   * @return a copy of the 16 + 32 · r bytes
   */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Says nothing about the word. */
  @Override
  public String toString() {
    return "Trapdoor[" + codes() + " codes]";
  }
}
