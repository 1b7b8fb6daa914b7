package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.bouncycastle.asn1.x9.X9ECParameters;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.hash2curve.HashToCurveProfile;
import org.bouncycastle.crypto.hash2curve.HashToEllipticCurve;
import org.bouncycastle.math.ec.ECAlgorithms;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;

/**
 * The oblivious pseudorandom functions of RFC 9497 with the suite P256-SHA256, in the modes OPRF
 * (0) and VOPRF (1). The names of methods and variables are those of the RFC. The arithmetic of the
 * curve and the hash to its points are Bouncy Castle's, and only this class uses them; the protocol
 * is implemented here and tested with the vectors of the RFC.
 *
 * <p>Products with a secret key are computed as the sum of two products with random parts of the
 * key: Bouncy Castle's multiplication takes a time that depends on the number.
 */
final class Voprf {

  static final int OPRF = 0;
  static final int VOPRF = 1;

  static final int ELEMENT_BYTES = 33;
  static final int SCALAR_BYTES = 32;
  static final int PROOF_BYTES = 2 * SCALAR_BYTES;

  /** The number of bytes that are uniform modulo the order to within 2^-128. */
  private static final int UNIFORM_BYTES = 48;

  private static final int MAX_DERIVATIONS = 256;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ECCurve curve;
  private final ECPoint generator;
  private final BigInteger order;
  private final String context;

  private Voprf(int mode) {
    X9ECParameters parameters = CustomNamedCurves.getByName("secp256r1");
    this.curve = parameters.getCurve();
    this.generator = parameters.getG();
    this.order = parameters.getN();
    this.context = "OPRFV1-" + (char) mode + "-P256-SHA256";
    hashing(); // missing in older versions of the library
  }

  /** The hash of words to points; it has state, which threads must not share. */
  private HashToEllipticCurve hashing() {
    return HashToEllipticCurve.getInstance(
        HashToCurveProfile.P256_XMD_SHA_256, "HashToGroup-" + context);
  }

  /** The functions of a mode, {@link #OPRF} or {@link #VOPRF}. */
  static Voprf of(int mode) {
    return withLibrary(() -> new Voprf(mode));
  }

  /** Throws a readable exception if the library is missing. */
  private static <T> T withLibrary(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "Oblivious queries need Bouncy Castle 1.84 or newer: add the dependency"
              + " org.bouncycastle:bcprov-jdk18on",
          e);
    }
  }

  // Group and encodings, sec. 2.1 and 4.3.

  private ECPoint hashToGroup(HashToEllipticCurve hashing, byte[] input) {
    ECPoint point = hashing.hashToCurve(input);
    if (point.isInfinity()) {
      throw new IllegalArgumentException("the word has no element of the group");
    }
    return curve.importPoint(point);
  }

  private BigInteger hashToScalar(byte[] input) {
    return hashToScalar(input, "HashToScalar-" + context);
  }

  private BigInteger hashToScalar(byte[] input, String tag) {
    return new BigInteger(1, MessageExpansion.expand(input, tag, UNIFORM_BYTES)).mod(order);
  }

  BigInteger randomScalar() {
    BigInteger scalar;
    do {
      scalar = new BigInteger(order.bitLength(), RANDOM);
    } while (scalar.signum() == 0 || scalar.compareTo(order) >= 0);
    return scalar;
  }

  /** Element {@code index} of a message; neither the identity nor a point of another curve. */
  private ECPoint element(byte[] message, int index) {
    int from = index * ELEMENT_BYTES;
    byte[] encoded = Arrays.copyOfRange(message, from, from + ELEMENT_BYTES);
    MessageException.require(
        encoded[0] == 2 || encoded[0] == 3,
        "element " + index + " is not a compressed point: it begins with neither 2 nor 3");
    try {
      return curve.decodePoint(encoded);
    } catch (IllegalArgumentException e) {
      throw new MessageException("element " + index + " is not a point of the curve P-256");
    }
  }

  /** All elements of a message, whose length must match. */
  Elements elements(byte[] message, int count) {
    ECPoint[] points = new ECPoint[count];
    for (int i = 0; i < count; i++) {
      points[i] = element(message, i);
    }
    return new Elements(points);
  }

  private static byte[] encode(ECPoint element) {
    return element.getEncoded(true);
  }

  /** A scalar at an offset of a message, below the order of the group. */
  BigInteger scalar(byte[] message, int from) {
    BigInteger scalar = new BigInteger(1, Arrays.copyOfRange(message, from, from + SCALAR_BYTES));
    MessageException.require(
        scalar.compareTo(order) < 0, "a scalar is not below the order of the group");
    return scalar;
  }

  byte[] encode(BigInteger scalar) {
    byte[] encoded = scalar.toByteArray();
    byte[] bytes = new byte[SCALAR_BYTES];
    int length = Math.min(encoded.length, SCALAR_BYTES);
    System.arraycopy(encoded, encoded.length - length, bytes, SCALAR_BYTES - length, length);
    Arrays.fill(encoded, (byte) 0);
    return bytes;
  }

  // Keys, sec. 3.2.

  BigInteger deriveKey(byte[] seed, byte[] info) {
    for (int counter = 0; counter < MAX_DERIVATIONS; counter++) {
      byte[] input = new Transcript().add(seed).framed(info).add((byte) counter).bytes();
      BigInteger key = hashToScalar(input, "DeriveKeyPair" + context);
      if (key.signum() != 0) {
        return key;
      }
    }
    throw new IllegalArgumentException("the seed does not yield a key");
  }

  byte[] publicKey(BigInteger key) {
    return encode(multiply(generator, key));
  }

  // The protocol, sec. 3.3.

  /** The elements of words, each times its blind. */
  Elements blind(byte[][] inputs, BigInteger[] blinds) {
    HashToEllipticCurve hashing = hashing();
    ECPoint[] points = new ECPoint[inputs.length];
    for (int i = 0; i < points.length; i++) {
      points[i] = hashToGroup(hashing, inputs[i]).multiply(blinds[i]);
    }
    return normalized(points);
  }

  /** Blinded elements times the key. */
  Elements evaluate(Elements blinded, BigInteger key) {
    ECPoint[] points = new ECPoint[blinded.points.length];
    for (int i = 0; i < points.length; i++) {
      points[i] = multiply(blinded.points[i], key);
    }
    return normalized(points);
  }

  /** Normalizes points for encoding, all at the cost of one inversion. */
  private Elements normalized(ECPoint[] points) {
    curve.normalizeAll(points);
    return new Elements(points);
  }

  /**
   * The product of an element and a secret number, by random parts of the number. Bouncy Castle's
   * time depends on the numbers that it multiplies by; here those are fresh in each call.
   */
  private ECPoint multiply(ECPoint element, BigInteger secret) {
    BigInteger part = randomScalar();
    BigInteger rest = secret.subtract(part).mod(order);
    return ECAlgorithms.sumOfTwoMultiplies(element, part, element, rest);
  }

  /** The values of the function for words, from the server's answer to the blinded words. */
  List<byte[]> finish(byte[][] inputs, BigInteger[] blinds, Elements evaluated) {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < inputs.length; i++) {
      ECPoint unblinded = evaluated.points[i].multiply(blinds[i].modInverse(order));
      values.add(output(inputs[i], unblinded));
    }
    return values;
  }

  /** The value of the function for a word, by the key itself. */
  byte[] evaluate(byte[] input, BigInteger key) {
    return output(input, multiply(hashToGroup(hashing(), input), key));
  }

  private byte[] output(byte[] input, ECPoint unblinded) {
    return new Transcript().framed(input).framed(encode(unblinded)).add("Finalize").digest();
  }

  // Proofs that two pairs have the same ratio, sec. 2.2.

  /**
   * Proves that {@code evaluated} are {@code blinded} times the key of {@code publicKey}.
   *
   * @param nonce a random scalar, used for this proof only
   */
  byte[] prove(
      BigInteger key, byte[] publicKey, Elements blinded, Elements evaluated, BigInteger nonce) {
    ECPoint m = composite(weights(publicKey, blinded, evaluated), blinded);
    ECPoint z = multiply(m, key);
    ECPoint t2 = multiply(generator, nonce);
    ECPoint t3 = multiply(m, nonce);
    BigInteger c = challenge(publicKey, m, z, t2, t3);
    BigInteger s = nonce.subtract(c.multiply(key)).mod(order);
    return new Transcript().add(encode(c)).add(encode(s)).bytes();
  }

  /** Whether {@code proof} is valid for the holder of the public key. */
  boolean verify(PublicKey key, Elements blinded, Elements evaluated, byte[] proof) {
    BigInteger c = scalar(proof, 0);
    BigInteger s = scalar(proof, SCALAR_BYTES);
    BigInteger[] weights = weights(key.encoded, blinded, evaluated);
    ECPoint m = composite(weights, blinded);
    ECPoint z = composite(weights, evaluated);
    ECPoint t2 = ECAlgorithms.sumOfTwoMultiplies(generator, s, key.point, c);
    ECPoint t3;
    if (weights.length == 1) { // the same sum, with points whose tables of multiples already exist
      BigInteger weight = weights[0];
      t3 =
          ECAlgorithms.sumOfTwoMultiplies(
              blinded.points[0],
              s.multiply(weight).mod(order),
              evaluated.points[0],
              c.multiply(weight).mod(order));
    } else {
      t3 = ECAlgorithms.sumOfTwoMultiplies(m, s, z, c);
    }
    BigInteger expected = challenge(key.encoded, m, z, t2, t3);
    return MessageDigest.isEqual(encode(expected), encode(c));
  }

  /** Numbers that no party can choose, one for each pair. */
  private BigInteger[] weights(byte[] publicKey, Elements blinded, Elements evaluated) {
    byte[] tag = ("Seed-" + context).getBytes(US_ASCII);
    byte[] seed = new Transcript().framed(publicKey).framed(tag).digest();
    BigInteger[] weights = new BigInteger[blinded.points.length];
    for (int i = 0; i < weights.length; i++) {
      byte[] pair =
          new Transcript()
              .framed(seed)
              .number(i)
              .framed(encode(blinded.points[i]))
              .framed(encode(evaluated.points[i]))
              .add("Composite")
              .bytes();
      weights[i] = hashToScalar(pair);
    }
    return weights;
  }

  private static ECPoint composite(BigInteger[] weights, Elements elements) {
    return ECAlgorithms.sumOfMultiplies(elements.points, weights);
  }

  private BigInteger challenge(byte[] publicKey, ECPoint m, ECPoint z, ECPoint t2, ECPoint t3) {
    ECPoint[] points = {m, z, t2, t3};
    curve.normalizeAll(points);
    Transcript transcript = new Transcript().framed(publicKey);
    for (ECPoint point : points) {
      transcript.framed(encode(point));
    }
    return hashToScalar(transcript.add("Challenge").bytes());
  }

  /** A public key that was checked to be a point of the curve. */
  PublicKey publicKey(byte[] encoded) {
    MessageException.requireLength("the public key", encoded, ELEMENT_BYTES);
    return new PublicKey(encoded.clone(), element(encoded, 0));
  }

  /** Elements of the group, none of them the identity. */
  static final class Elements {
    private final ECPoint[] points;

    private Elements(ECPoint[] points) {
      this.points = points;
    }

    /** Concatenates the elements, as in messages. */
    byte[] encoded() {
      byte[] message = new byte[points.length * ELEMENT_BYTES];
      for (int i = 0; i < points.length; i++) {
        System.arraycopy(encode(points[i]), 0, message, i * ELEMENT_BYTES, ELEMENT_BYTES);
      }
      return message;
    }
  }

  /** A public key as bytes and as a point with a cached table of multiples. */
  static final class PublicKey {
    private final byte[] encoded;
    private final ECPoint point;

    private PublicKey(byte[] encoded, ECPoint point) {
      this.encoded = encoded;
      this.point = point;
    }
  }

  /** Builds the input of a hash: bytes, and length-prefixed bytes. */
  private static final class Transcript {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Transcript add(byte... bytes) {
      out.writeBytes(bytes);
      return this;
    }

    Transcript add(String label) {
      return add(label.getBytes(US_ASCII));
    }

    Transcript number(int value) {
      return add((byte) (value >>> 8), (byte) value);
    }

    Transcript framed(byte[] bytes) {
      return number(bytes.length).add(bytes);
    }

    byte[] bytes() {
      return out.toByteArray();
    }

    byte[] digest() {
      return MessageExpansion.sha256().digest(bytes());
    }
  }
}
