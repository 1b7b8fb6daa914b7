package io.bloomery.secure;

import io.bloomery.internal.check.Arguments;
import java.math.BigInteger;
import java.util.Objects;

/**
 * The secret key of an {@link ObliviousFilter.Server}: a scalar of P-256. Needs Bouncy Castle.
 *
 * <p>{@link #close()} overwrites the key. Numbers derived from it while it was used stay in memory
 * until the garbage collector reuses their place; Java cannot overwrite them.
 *
 * <p>Thread-safe, but must not be closed while it is in use.
 */
public final class ObliviousKey implements AutoCloseable {

  /** The length of a key. */
  public static final int BYTES = Voprf.SCALAR_BYTES;

  private static final int MAX_INFO_BYTES = 0xFFFF;

  private final Voprf functions;
  private final SecretNumber scalar;
  private final byte[] publicKey;

  private ObliviousKey(Voprf functions, BigInteger scalar) {
    this.functions = functions;
    this.scalar = new SecretNumber(functions.encode(scalar));
    this.publicKey = functions.publicKey(scalar);
  }

  /**
   * A new key from the platform's {@link java.security.SecureRandom}.
   *
   * @return the key
   * @throws IllegalStateException if Bouncy Castle is missing
   */
  public static ObliviousKey generate() {
    Voprf functions = Voprf.of(Voprf.VOPRF);
    return new ObliviousKey(functions, functions.randomScalar());
  }

  /**
   * A key that was stored.
   *
   * @param encoded the result of {@link #encoded()}; copied
   * @return the key
   * @throws MessageException if it is not a key
   * @throws IllegalStateException if Bouncy Castle is missing
   */
  public static ObliviousKey of(byte[] encoded) {
    Objects.requireNonNull(encoded, "encoded");
    Voprf functions = Voprf.of(Voprf.VOPRF);
    MessageException.requireLength("the key", encoded, BYTES);
    BigInteger scalar = functions.scalar(encoded, 0);
    MessageException.require(scalar.signum() != 0, "the key is 0");
    return new ObliviousKey(functions, scalar);
  }

  /**
   * The key that a secret seed determines: DeriveKeyPair of RFC 9497.
   *
   * @param seed 32 secret random bytes
   * @param info the purpose of the key, at most 65535 bytes
   * @return the key
   * @throws IllegalStateException if Bouncy Castle is missing
   */
  public static ObliviousKey derive(byte[] seed, byte[] info) {
    Objects.requireNonNull(seed, "seed");
    Objects.requireNonNull(info, "info");
    Arguments.inRange("seed.length", seed.length, BYTES, BYTES);
    Arguments.inRange("info.length", info.length, 0, MAX_INFO_BYTES);
    Voprf functions = Voprf.of(Voprf.VOPRF);
    return new ObliviousKey(functions, functions.deriveKey(seed, info));
  }

  /**
   * The key itself, to be stored safely and overwritten after use. No other method reveals it.
   *
   * @return {@link #BYTES} bytes, big-endian
   * @throws IllegalStateException if the key is closed
   */
  public byte[] encoded() {
    return scalar.encoded();
  }

  /**
   * The public key, which clients need.
   *
   * @return a compressed point, {@link ObliviousFilter#PUBLIC_KEY_BYTES} bytes
   */
  public byte[] publicKey() {
    return publicKey.clone();
  }

  /** The functions that the key is for. */
  Voprf functions() {
    return functions;
  }

  /** The key as a number, for as short a time as possible. */
  BigInteger scalar() {
    return scalar.value();
  }

  @Override
  public void close() {
    scalar.close();
  }

  /** Never reveals the key. */
  @Override
  public String toString() {
    return "ObliviousKey[P-256]";
  }
}
