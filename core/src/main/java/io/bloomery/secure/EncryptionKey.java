package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.internal.check.Arguments;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A secret exponent k of the Pohlig–Hellman cipher: a word w becomes H(w)^k modulo a {@linkplain
 * SafePrime safe prime}, H being a hash to the squares. Without the key, the encryptions of two
 * words are indistinguishable, but equal words have equal encryptions.
 *
 * <p>Raising an encryption under one key to the ratio of the keys gives the encryption under
 * another; {@link ThirdParty} does this without knowing either key. Any two of the two keys and the
 * ratio determine the third.
 *
 * <p>{@link #close()} overwrites the key. Numbers derived from it while it was used stay in memory
 * until the garbage collector reuses their place; Java cannot overwrite them.
 *
 * <p>Thread-safe, but must not be closed while it is in use.
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
   * A key that was stored.
   *
   * @param group the group in which words are encrypted
   * @param encoded the result of {@link #encoded()}; copied
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

  /** Coprime to p - 1 = 2q, and not the identity. */
  private static boolean isKey(BigInteger exponent) {
    return exponent.testBit(0) && !exponent.equals(BigInteger.ONE);
  }

  /**
   * The key itself, to be stored safely and overwritten after use. No other method reveals it.
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

  /**
   * The group in which words are encrypted for an {@link EncryptedFilter}: the squares modulo a
   * safe prime p = 2q + 1, q prime. There are q of them, so every exponent except 0 is invertible.
   *
   * <p>A word is mapped to a square before it is encrypted, and received numbers are checked to be
   * squares: a number and its power are either both squares or both not, which would leak one bit
   * of the word (Bellovin and Cheswick use all numbers modulo p).
   *
   * <p>{@link #modp2048()} is the usual choice: about 112 bits of security, and milliseconds per
   * encryption. Exponentiation is {@link BigInteger#modPow}, whose time depends on the exponent.
   * Each call adds a fresh random multiple of q to it, so that no two measurements are of the same
   * exponent; docs/threats.md describes the remaining risk.
   *
   * <p>Immutable and thread-safe.
   */
  public static final class SafePrime {

    /** The fewest bits of a prime that is not for tests. */
    public static final int MIN_BITS = 2048;

    private static final int MAX_BITS = 8192;

    /** Bits of the random multiple of q that is added to exponents. */
    private static final int BLIND_BITS = 64;

    /** Additional bits beyond those of p, so that hashes modulo p are uniform to within 2^-128. */
    private static final int SPARE_BYTES = 16;

    private static final int CERTAINTY = 128;

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final SafePrime MODP_2048 =
        new SafePrime(
            14,
            hex(
                "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74"
                    + "020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"
                    + "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
                    + "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05"
                    + "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB"
                    + "9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
                    + "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"
                    + "3995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF"));

    private static final SafePrime MODP_3072 =
        new SafePrime(
            15,
            hex(
                "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74"
                    + "020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F1437"
                    + "4FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
                    + "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF05"
                    + "98DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB"
                    + "9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B"
                    + "E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"
                    + "3995497CEA956AE515D2261898FA051015728E5A8AAAC42DAD33170D04507A33"
                    + "A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7"
                    + "ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864"
                    + "D87602733EC86A64521F2B18177B200CBBE117577A615D6C770988C0BAD946E2"
                    + "08E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF"));

    private final int number;
    private final BigInteger p;
    private final BigInteger q;
    private final int bytes;
    private final String tag;
    private final String checkTag;

    private SafePrime(int number, BigInteger p) {
      this.number = number;
      this.p = p;
      this.q = p.shiftRight(1);
      this.bytes = (p.bitLength() + 7) / 8;
      this.tag = "BLOOMERY-V01-MODP" + p.bitLength() + "-XMD:SHA-256-SQUARE-WORD";
      this.checkTag = "BLOOMERY-V01-MODP" + p.bitLength() + "-XMD:SHA-256-SQUARE-CHECK";
    }

    private static BigInteger hex(String digits) {
      return new BigInteger(digits, 16);
    }

    /**
     * The prime of 2048 bits, group 14 of RFC 3526.
     *
     * @return the group
     */
    public static SafePrime modp2048() {
      return MODP_2048;
    }

    /**
     * The prime of 3072 bits, group 15 of RFC 3526: about 128 bits of security for three times the
     * time.
     *
     * @return the group
     */
    public static SafePrime modp3072() {
      return MODP_3072;
    }

    /**
     * A prime that the parties agreed on. Checking it takes seconds.
     *
     * @param p the prime, of {@link #MIN_BITS} to 8192 bits
     * @return the group
     * @throws IllegalArgumentException if p or (p - 1) / 2 is not prime, or p is too small or large
     */
    public static SafePrime of(BigInteger p) {
      Objects.requireNonNull(p, "p");
      Arguments.inRange("p.bitLength", p.bitLength(), MIN_BITS, MAX_BITS);
      if (!p.testBit(0)
          || !p.isProbablePrime(CERTAINTY)
          || !p.shiftRight(1).isProbablePrime(CERTAINTY)) {
        throw new IllegalArgumentException(
            "p is not a safe prime: p and (p - 1) / 2 must be prime");
      }
      return new SafePrime(0, p);
    }

    /** A small prime without any security, for tests. */
    static SafePrime toy(BigInteger p) {
      return new SafePrime(0, p);
    }

    /**
     * The number of the group in RFC 3526, which files hold.
     *
     * @return 14 or 15, or 0 for {@link #of}
     */
    public int number() {
      return number;
    }

    /**
     * The length of every message that is an element or an exponent.
     *
     * @return bytes of p
     */
    public int messageBytes() {
      return bytes;
    }

    /** p. */
    BigInteger prime() {
      return p;
    }

    /** q, the number of elements of the group. */
    BigInteger order() {
      return q;
    }

    /** The element that represents a word: a full-domain hash, squared. */
    BigInteger hash(byte[] word) {
      return square(word, tag);
    }

    /** An element that represents no word, from which the check value of a key is computed. */
    BigInteger checkElement() {
      return square(new byte[0], checkTag);
    }

    private BigInteger square(byte[] message, String under) {
      byte[] uniform = MessageExpansion.expand(message, under, bytes + SPARE_BYTES);
      BigInteger root = new BigInteger(1, uniform).mod(p.subtract(BigInteger.ONE));
      return root.add(BigInteger.ONE).modPow(BigInteger.TWO, p);
    }

    /** An element as a message: big-endian, as long as p. */
    byte[] encode(BigInteger number) {
      byte[] encoded = number.toByteArray();
      byte[] message = new byte[bytes];
      int length = Math.min(encoded.length, bytes); // without the byte of the sign
      System.arraycopy(encoded, encoded.length - length, message, bytes - length, length);
      Arrays.fill(encoded, (byte) 0);
      return message;
    }

    /** The element in a message of another party: a square other than 1. */
    BigInteger element(byte[] message) {
      Objects.requireNonNull(message, "message");
      MessageException.requireLength("the element", message, bytes);
      BigInteger element = new BigInteger(1, message);
      MessageException.require(
          element.compareTo(BigInteger.ONE) > 0 && element.compareTo(p) < 0,
          "the element is not above 1 and below p");
      MessageException.require(isSquare(element), "the element is not a square modulo p");
      return element;
    }

    /** The exponent in a message of another party, or in a stored key: 1 … q - 1. */
    BigInteger exponent(byte[] message) {
      Objects.requireNonNull(message, "message");
      MessageException.requireLength("the exponent", message, bytes);
      BigInteger exponent = new BigInteger(1, message);
      MessageException.require(
          exponent.signum() > 0 && exponent.compareTo(q) < 0,
          "the exponent is not above 0 and below q");
      return exponent;
    }

    /** A random exponent, 1 … q - 1. */
    BigInteger randomExponent() {
      BigInteger exponent;
      do {
        exponent = new BigInteger(q.bitLength(), RANDOM);
      } while (exponent.signum() == 0 || exponent.compareTo(q) >= 0);
      return exponent;
    }

    /** A power of an element, with a freshly blinded exponent. */
    BigInteger power(BigInteger element, BigInteger exponent) {
      BigInteger blind = new BigInteger(BLIND_BITS, RANDOM).multiply(q);
      return element.modPow(exponent.add(blind), p);
    }

    /**
     * Whether a number is a square: the Jacobi symbol by quadratic reciprocity, which takes a
     * hundredth of the time of a power. For public numbers only.
     */
    boolean isSquare(BigInteger number) {
      BigInteger a = number.mod(p);
      BigInteger n = p;
      int symbol = 1;
      while (a.signum() != 0) {
        int twos = a.getLowestSetBit();
        a = a.shiftRight(twos);
        int residue = n.intValue() & 7;
        if ((twos & 1) != 0 && (residue == 3 || residue == 5)) {
          symbol = -symbol;
        }
        if ((a.intValue() & 3) == 3 && (residue & 3) == 3) {
          symbol = -symbol;
        }
        BigInteger remainder = n.mod(a);
        n = a;
        a = remainder;
      }
      return n.equals(BigInteger.ONE) && symbol == 1;
    }

    /** Whether two groups have the same prime. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof SafePrime that && p.equals(that.p);
    }

    @Override
    public int hashCode() {
      return p.hashCode();
    }

    @Override
    public String toString() {
      return "a safe prime of "
          + p.bitLength()
          + " bits"
          + (number == 0 ? "" : ", group " + number + " of RFC 3526");
    }
  }
}
