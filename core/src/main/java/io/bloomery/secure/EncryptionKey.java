package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A secret exponent k of the Pohlig–Hellman cipher: a word w becomes H(w)^k modulo a {@linkplain
 * SafePrime safe prime}, H being a hash to the squares. Whoever has no key cannot tell the
 * encryptions of two words apart, but equal words have equal encryptions.
 *
 * <p>Encryptions under one key become those under another by a further power, whose exponent is the
 * ratio of the keys: that is what {@link ThirdParty} does without knowing either key. Two of the
 * three, keys and ratio, give the third.
 *
 * <p>{@link #close()} overwrites the key. Numbers that were made of it while it was used stay in
 * memory until the collector has reused their place; Java cannot overwrite them.
 *
 * <p>Any number of threads may use one; none may close it while it is in use.
 */
public final class EncryptionKey implements AutoCloseable {

  private final SafePrime group;
  private final SecretNumber exponent;
  private final long check;

  private EncryptionKey(SafePrime group, BigInteger exponent) {
    this.group = group;
    this.exponent = new SecretNumber(group.encode(exponent));
    byte[] element = group.encode(group.power(group.checkElement(), exponent));
    this.check = ByteBuffer.wrap(MessageExpansion.sha256().digest(element)).getLong();
  }

  /**
   * A new key from the platform's {@link java.security.SecureRandom}.
   *
   * @param group the group in which words are encrypted
   * @return the key
   */
  public static EncryptionKey generate(SafePrime group) {
    Objects.requireNonNull(group, "group");
    BigInteger exponent;
    do {
      exponent = group.randomExponent();
    } while (!isKey(exponent));
    return new EncryptionKey(group, exponent);
  }

  /**
   * A key that was kept somewhere.
   *
   * @param group the group in which words are encrypted
   * @param encoded what {@link #encoded()} gave; copied
   * @return the key
   * @throws MessageException if it is not a key of that group
   */
  public static EncryptionKey of(SafePrime group, byte[] encoded) {
    Objects.requireNonNull(group, "group");
    BigInteger exponent = group.exponent(encoded);
    MessageException.require(
        isKey(exponent), "the exponent is 1, or has a common divisor with p - 1, which is even");
    return new EncryptionKey(group, exponent);
  }

  /** Without a common divisor with p - 1 = 2q, and not the identity. */
  private static boolean isKey(BigInteger exponent) {
    return exponent.testBit(0) && !exponent.equals(BigInteger.ONE);
  }

  /**
   * The key itself, to be kept in a safe place and overwritten after use. Nothing else ever shows
   * it.
   *
   * @return {@link SafePrime#messageBytes()} bytes
   * @throws IllegalStateException if the key is closed
   */
  public byte[] encoded() {
    return exponent.encoded();
  }

  /**
   * The group in which words are encrypted.
   *
   * @return the group
   */
  public SafePrime group() {
    return group;
  }

  /**
   * Identifies keys without revealing them: 64 bits of a hash of the encryption of a fixed text.
   * Files hold it.
   *
   * @return the check value
   */
  public long check() {
    return check;
  }

  /**
   * The encryption of a word given as a byte string.
   *
   * @param word any bytes
   * @return an element of the group, {@link SafePrime#messageBytes()} bytes big-endian
   * @throws IllegalStateException if the key is closed
   */
  public byte[] encrypt(byte[] word) {
    Objects.requireNonNull(word, "word");
    return group.encode(group.power(group.hash(word), exponent()));
  }

  /**
   * The encryption of a text's UTF-8 bytes.
   *
   * @param word any text
   * @return an element of the group, {@link SafePrime#messageBytes()} bytes big-endian
   * @throws IllegalStateException if the key is closed
   */
  public byte[] encrypt(CharSequence word) {
    return encrypt(Objects.requireNonNull(word, "word").toString().getBytes(UTF_8));
  }

  /** The exponent as a number, for as short a time as possible. */
  BigInteger exponent() {
    return exponent.value();
  }

  @Override
  public void close() {
    exponent.close();
  }

  /** The group and the check value, never the key. */
  @Override
  public String toString() {
    return "EncryptionKey[" + group + ", check " + Long.toHexString(check) + "]";
  }
}
