package io.bloomery.secure;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * HMAC-SHA-256, the pseudorandom function of this package, implemented by the JDK. Not thread-safe.
 */
final class Hmac implements AutoCloseable {

  /** The length of a result. */
  static final int BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final Mac mac;

  Hmac() {
    try {
      mac = Mac.getInstance(ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK has no " + ALGORITHM, e); // always present
    }
  }

  /** The 32 bytes for a message, given in parts, under a key. */
  byte[] of(byte[] key, byte[]... message) {
    init(key);
    for (byte[] part : message) {
      mac.update(part);
    }
    return mac.doFinal();
  }

  private void init(byte[] key) {
    try {
      mac.init(new Key(key));
    } catch (InvalidKeyException e) {
      throw new IllegalStateException("not a key of " + ALGORITHM, e);
    }
  }

  /** Overwrites the remains of the last key. */
  @Override
  public void close() {
    init(new byte[BYTES]);
  }

  /** A key without a copy; {@code SecretKeySpec} makes one that cannot be wiped. */
  private static final class Key implements SecretKey {
    @Serial private static final long serialVersionUID = 1L;

    private final transient byte[] bytes;

    Key(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public String getAlgorithm() {
      return ALGORITHM;
    }

    @Override
    public String getFormat() {
      return "RAW";
    }

    /** A copy, which the JDK wipes after making its own. */
    @Override
    public byte[] getEncoded() {
      return bytes.clone();
    }

    @Serial
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
      throw new NotSerializableException("a secret is not written");
    }
  }
}
