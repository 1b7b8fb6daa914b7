package io.bloomery.security.revocation;

import io.bloomery.FilterFormatException;
import io.bloomery.security.revocation.RevocationList.Reason;
import io.bloomery.security.revocation.RevocationList.RefusedException;
import io.bloomery.security.revocation.RevocationOptions.Terms;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The file of a list. All numbers are big-endian.
 *
 * <pre>
 *  0   8  magic
 *  8   8  serial number
 * 16   8  time of issue, in milliseconds since 1970
 * 24   8  first millisecond in which the list is valid
 * 32   8  first millisecond in which it is no longer
 * 40   8  keys of the universe
 * 48   8  revoked keys
 * 56   4  number of parts
 * 60      for each part its length (4) and its bytes
 *    64   Ed25519 signature of everything before
 * </pre>
 *
 * <p>The first part is a cascade in a packed frame; each other one changes the answers of the parts
 * before it.
 *
 * <p>An update that is not a whole list begins with another magic number and the serial number of
 * the list that it changes. The header of the new list, its last part and the signature of the new
 * list follow, so that the signature fits only if the list is the right one.
 *
 * @param parts one or more
 * @param bytes the whole file
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SignedList(Terms terms, long universe, long revoked, List<byte[]> parts, byte[] bytes) {

  static final int MAX_PARTS = 32;
  static final int SIGNATURE = 64;
  static final int UPDATE_HEADER = 16;

  private static final long MAGIC = 0x424C4D5245564C31L; // BLMREVL1
  private static final long UPDATE_MAGIC = 0x424C4D5245564431L; // BLMREVD1
  private static final int HEADER = 60;
  private static final String NAME = "revocation list";

  static SignedList sign(
      Terms terms, long universe, long revoked, List<byte[]> parts, PrivateKey key) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(HEADER)
            .putLong(MAGIC)
            .putLong(terms.serial())
            .putLong(terms.issued().toEpochMilli())
            .putLong(terms.validFrom().toEpochMilli())
            .putLong(terms.validTo().toEpochMilli())
            .putLong(universe)
            .putLong(revoked)
            .putInt(parts.size())
            .array());
    for (byte[] part : parts) {
      out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
      out.writeBytes(part);
    }
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initSign(key);
      signature.update(out.toByteArray());
      out.writeBytes(signature.sign());
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("the key cannot sign by Ed25519: " + e.getMessage(), e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no Ed25519", e);
    }
    return new SignedList(terms, universe, revoked, List.copyOf(parts), out.toByteArray());
  }

  /** A file that may be of any length. */
  static byte[] bytes(Path file, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(maxBytes); // grows as bytes arrive
      if (bytes.length == maxBytes && in.read() >= 0) {
        throw new FilterFormatException(
            file.toString(), maxBytes, "has more than " + maxBytes + " bytes");
      }
      return bytes;
    }
  }

  void requireValid(@Nullable InstantSource clock) throws RefusedException {
    if (clock == null) {
      return;
    }
    Instant now = clock.instant();
    if (now.isBefore(terms.validFrom())) {
      throw new RefusedException(
          Reason.NOT_YET_VALID, "the list is valid from " + terms.validFrom() + "; it is " + now);
    }
    if (!terms.includes(now)) {
      throw new RefusedException(
          Reason.EXPIRED, "the list was valid to " + terms.validTo() + "; it is " + now);
    }
  }

  /** Reads a list; nothing in it is looked at before the signature is found to be right. */
  static SignedList read(byte[] bytes, PublicKey key) throws IOException {
    if (bytes.length < HEADER + SIGNATURE || ByteBuffer.wrap(bytes).getLong() != MAGIC) {
      throw new FilterFormatException(NAME, 0, "not a revocation list, or cut off");
    }
    if (!isSigned(bytes, key)) {
      throw new RefusedException(
          Reason.SIGNATURE, "the list is not signed by the publisher, or was changed");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, bytes.length - SIGNATURE);
    in.getLong();
    try {
      long serial = in.getLong();
      Terms terms = new Terms(serial, time(in), time(in), time(in));
      return new SignedList(terms, in.getLong(), in.getLong(), parts(in), bytes);
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(NAME, in.position(), String.valueOf(e.getMessage()));
    }
  }

  private static Instant time(ByteBuffer in) {
    return Instant.ofEpochMilli(in.getLong());
  }

  private static List<byte[]> parts(ByteBuffer in) throws FilterFormatException {
    int count = in.getInt();
    require(count >= 1 && count <= MAX_PARTS, in, count + " parts");
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      require(in.remaining() >= Integer.BYTES, in, "ends before part " + (i + 1));
      int length = in.getInt();
      require(length >= 0 && length <= in.remaining(), in, "a part of " + length + " bytes");
      byte[] part = new byte[length];
      in.get(part);
      parts.add(part);
    }
    require(!in.hasRemaining(), in, in.remaining() + " bytes follow the last part");
    return parts;
  }

  private static void require(boolean holds, ByteBuffer in, String problem)
      throws FilterFormatException {
    if (!holds) {
      throw new FilterFormatException(NAME, in.position(), problem);
    }
  }

  private static boolean isSigned(byte[] bytes, PublicKey key) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update(bytes, 0, bytes.length - SIGNATURE);
      return signature.verify(bytes, bytes.length - SIGNATURE, SIGNATURE);
    } catch (SignatureException e) {
      return false; // not even the form of a signature
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot use the key", e);
    }
  }

  /** What turns a list without the last part into this one. */
  byte[] update(long fromSerial) {
    byte[] part = parts.get(parts.size() - 1);
    int length = Integer.BYTES + part.length + SIGNATURE;
    return ByteBuffer.allocate(UPDATE_HEADER + HEADER + length)
        .putLong(UPDATE_MAGIC)
        .putLong(fromSerial)
        .put(bytes, 0, HEADER)
        .put(bytes, bytes.length - length, length)
        .array();
  }

  /** Whether bytes say of themselves that they are an update to a list. */
  static boolean isUpdate(byte[] bytes) {
    return bytes.length >= Long.BYTES && ByteBuffer.wrap(bytes).getLong() == UPDATE_MAGIC;
  }

  /** The file of the list that an update makes of this one. */
  byte[] updated(byte[] update, int maxBytes) throws IOException {
    if (update.length < UPDATE_HEADER + HEADER + Integer.BYTES + SIGNATURE) {
      throw new FilterFormatException("update", update.length, "is cut off");
    }
    long from = ByteBuffer.wrap(update).getLong(Long.BYTES);
    if (from != terms.serial()) {
      throw new RefusedException(
          Reason.DOES_NOT_FIT,
          "the update changes list %d; this is list %d: get the whole list"
              .formatted(from, terms.serial()));
    }
    int kept = bytes.length - SIGNATURE;
    long length = kept + (long) update.length - UPDATE_HEADER - HEADER;
    if (length > maxBytes) {
      throw tooLong("updated list", length, maxBytes);
    }
    byte[] result = Arrays.copyOf(bytes, (int) length);
    System.arraycopy(update, UPDATE_HEADER, result, 0, HEADER);
    int rest = UPDATE_HEADER + HEADER;
    System.arraycopy(update, rest, result, kept, update.length - rest);
    return result;
  }

  /** A whole list, unless it says that it is older than this one. */
  byte[] replacedBy(byte[] list) throws RefusedException {
    long serial = list.length < HEADER ? Long.MAX_VALUE : ByteBuffer.wrap(list).getLong(Long.BYTES);
    if (serial < terms.serial()) {
      throw new RefusedException(Reason.OLDER, "the list is older than number " + terms.serial());
    }
    return list;
  }

  static FilterFormatException tooLong(String what, long length, int maxBytes) {
    return new FilterFormatException(
        what, 0, "has " + length + " bytes; at most " + maxBytes + " are read");
  }
}
