package io.bloomery.security.known;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.Storable;
import io.bloomery.secure.Secret;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The seal of a set that was built under a secret: HMAC-SHA-256 of its filter, as it is stored
 * without a description, and of its facts. Keys of filters are derived from the same secret from
 * messages that begin with another label.
 */
final class Seal {

  private static final String MAC = "HmacSHA256";
  private static final byte[] LABEL = "bloomery known files seal 1".getBytes(US_ASCII);

  private Seal() {}

  /** The seal, in hexadecimal. */
  static String of(Secret secret, SetFacts facts, Storable filter) throws IOException {
    byte[] key = secret.toBytes();
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      mac.update(LABEL);
      mac.update(
          ByteBuffer.allocate(3 * Long.BYTES)
              .putInt(facts.digest().length())
              .putInt(facts.places() ? 1 : 0)
              .putLong(facts.files())
              .putDouble(facts.rate())
              .flip());
      filter.writeTo(new Sink(mac));
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + MAC, e);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }

  /** Whether two seals are equal, in a time that does not depend on where they differ. */
  static boolean equal(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(US_ASCII), other.getBytes(US_ASCII));
  }

  private static final class Sink extends OutputStream {

    private final Mac mac;

    Sink(Mac mac) {
      this.mac = mac;
    }

    @Override
    public void write(int oneByte) {
      mac.update((byte) oneByte);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      mac.update(bytes, offset, length);
    }
  }
}
