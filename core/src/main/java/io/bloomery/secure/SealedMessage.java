package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KeyAgreement;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Messages that only the holder of a private key can read: X25519 (RFC 7748) with a fresh key of
 * the sender, HKDF-SHA-256 (RFC 5869) and AES-256-GCM, all implemented by the JDK. A sealed message
 * is the sender's fresh public key of 32 bytes, the ciphertext and a tag of 16 bytes. It does not
 * tell who sent it.
 */
final class SealedMessage {

  /** The length of a public key, and of a private one. */
  static final int KEY_BYTES = 32;

  /** How much longer a sealed message is than its content. */
  static final int OVERHEAD_BYTES = KEY_BYTES + 16;

  private static final int TAG_BITS = 128;
  private static final int NONCE_BYTES = 12;
  private static final BigInteger BASE = BigInteger.valueOf(9);
  private static final byte[] LABEL = "bloomery sealed message".getBytes(US_ASCII);
  private static final SecureRandom RANDOM = new SecureRandom();

  private SealedMessage() {}

  /** The public key of a private one, which is any 32 random bytes. */
  static byte[] publicKey(byte[] privateKey) {
    return agree(privateKey, encoded(BASE));
  }

  /** Encrypts a message for the holder of a private key. */
  static byte[] seal(byte[] receiver, byte[] message) {
    byte[] fresh = new byte[KEY_BYTES];
    RANDOM.nextBytes(fresh);
    byte[] sender = publicKey(fresh);
    byte[] shared = agree(fresh, receiver);
    Arrays.fill(fresh, (byte) 0);
    byte[] ciphertext = crypt(Cipher.ENCRYPT_MODE, key(shared, sender, receiver), message);
    byte[] sealed = Arrays.copyOf(sender, KEY_BYTES + ciphertext.length);
    System.arraycopy(ciphertext, 0, sealed, KEY_BYTES, ciphertext.length);
    return sealed;
  }

  /** Decrypts a message of the given length, unsealed. */
  static byte[] open(byte[] privateKey, byte[] sealed, int bytes) {
    MessageException.requireLength("the sealed message", sealed, bytes + OVERHEAD_BYTES);
    byte[] sender = Arrays.copyOf(sealed, KEY_BYTES);
    byte[] shared = agree(privateKey, sender);
    byte[] key = key(shared, sender, publicKey(privateKey));
    return crypt(Cipher.DECRYPT_MODE, key, Arrays.copyOfRange(sealed, KEY_BYTES, sealed.length));
  }

  /** The number that both sides can compute; refuses points of small order, which make it zero. */
  private static byte[] agree(byte[] privateKey, byte[] publicKey) {
    MessageException.requireLength("the public key", publicKey, KEY_BYTES);
    try {
      KeyFactory keys = KeyFactory.getInstance("X25519");
      PrivateKey own =
          keys.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, privateKey));
      PublicKey other =
          keys.generatePublic(
              new XECPublicKeySpec(NamedParameterSpec.X25519, coordinate(publicKey)));
      KeyAgreement agreement = KeyAgreement.getInstance("X25519");
      agreement.init(own);
      agreement.doPhase(other, true);
      return agreement.generateSecret();
    } catch (InvalidKeyException e) {
      throw new MessageException("the public key is not a point of large order");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no X25519", e); // always present since 11
    }
  }

  /** The coordinate in a public key: little-endian, without the highest bit. */
  private static BigInteger coordinate(byte[] publicKey) {
    byte[] reversed = new byte[KEY_BYTES];
    for (int i = 0; i < KEY_BYTES; i++) {
      reversed[i] = publicKey[KEY_BYTES - 1 - i];
    }
    reversed[0] &= 0x7F;
    return new BigInteger(1, reversed);
  }

  private static byte[] encoded(BigInteger coordinate) {
    byte[] encoded = new byte[KEY_BYTES];
    encoded[0] = coordinate.byteValueExact();
    return encoded;
  }

  /** HKDF: extracts with a salt of zeros, expands to one block; overwrites what both share. */
  private static byte[] key(byte[] shared, byte[] sender, byte[] receiver) {
    try (Hmac hmac = new Hmac()) {
      byte[] extracted = hmac.of(new byte[Hmac.BYTES], shared);
      Arrays.fill(shared, (byte) 0);
      return hmac.of(extracted, LABEL, sender, receiver, new byte[] {1});
    }
  }

  /** AES-256-GCM under a key that encrypts one message, so that the nonce may be zero. */
  private static byte[] crypt(int mode, byte[] key, byte[] message) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          mode,
          new SecretKeySpec(key, "AES"),
          new GCMParameterSpec(TAG_BITS, new byte[NONCE_BYTES]));
      return cipher.doFinal(message);
    } catch (AEADBadTagException e) {
      throw new MessageException("the sealed message is for another key, or was changed");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no AES-GCM", e); // always present
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
