package io.bloomery.secure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.internal.check.Arguments;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Hashes of any length: expand_message_xmd of RFC 9380, sec. 5.3.1, with SHA-256. */
final class MessageExpansion {

  private static final int DIGEST_BYTES = 32;
  private static final int BLOCK_BYTES = 64;
  private static final int MAX_BYTES = 255 * DIGEST_BYTES;
  private static final int MAX_TAG_BYTES = 255;

  private MessageExpansion() {}

  /** Derives uniform bytes from a message, under a tag that separates different uses. */
  static byte[] expand(byte[] message, String tag, int bytes) {
    Arguments.inRange("bytes", bytes, 1, MAX_BYTES);
    byte[] name = tag.getBytes(US_ASCII);
    Arguments.inRange("tag bytes", name.length, 1, MAX_TAG_BYTES);
    byte[] suffix = Arrays.copyOf(name, name.length + 1);
    suffix[name.length] = (byte) name.length;

    MessageDigest digest = sha256();
    digest.update(new byte[BLOCK_BYTES]);
    digest.update(message);
    digest.update(new byte[] {(byte) (bytes >>> 8), (byte) bytes, 0});
    byte[] first = digest.digest(suffix);

    byte[] out = new byte[(bytes + DIGEST_BYTES - 1) / DIGEST_BYTES * DIGEST_BYTES];
    byte[] block = new byte[DIGEST_BYTES];
    for (int i = 0; i * DIGEST_BYTES < out.length; i++) {
      for (int j = 0; j < DIGEST_BYTES; j++) {
        block[j] ^= first[j];
      }
      digest.update(block);
      digest.update((byte) (i + 1));
      block = digest.digest(suffix);
      System.arraycopy(block, 0, out, i * DIGEST_BYTES, DIGEST_BYTES);
    }
    return Arrays.copyOf(out, bytes);
  }

  /** SHA-256, which every Java platform has. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
