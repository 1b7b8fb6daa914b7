package io.bloomery.security.revocation;

import io.bloomery.FilterFormatException;
import io.bloomery.file.AtomicFile;
import io.bloomery.security.revocation.RevocationList.Reason;
import io.bloomery.security.revocation.RevocationList.RefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The newest list that was opened, in a file:
 *
 * <pre>
 *  0  8  magic
 *  8  8  serial number
 * 16 32  SHA-256 of the publisher's key
 * 48 32  SHA-256 of the list
 * 80  4  CRC-32C of bytes 0 to 79
 * </pre>
 *
 * <p>A lock file beside it keeps processes from replacing a newer number by an older one.
 */
final class NewestSeen {

  private static final long MAGIC = 0x424C4D5245565331L; // BLMREVS1
  private static final int DIGEST = 32;
  private static final int KEY_AT = 16;
  private static final int LIST_AT = KEY_AT + DIGEST;
  private static final int CHECKED = LIST_AT + DIGEST;
  private static final int LENGTH = CHECKED + Integer.BYTES;

  /** File locks keep out other processes, not other threads. */
  private static final Object THREADS = new Object();

  private NewestSeen() {}

  /** Remembers a list, or throws if a newer one or another one of its number was seen. */
  static void accept(Path file, SignedList list, PublicKey key) throws IOException {
    ByteBuffer now = ByteBuffer.allocate(LENGTH);
    now.putLong(MAGIC).putLong(list.terms().serial());
    now.put(sha256(key.getEncoded())).put(sha256(list.bytes()));
    now.putInt(checksum(now.array()));
    Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
    synchronized (THREADS) {
      try (FileChannel channel =
              FileChannel.open(
                  lockFile,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS);
          FileLock lock = channel.lock()) {
        if (lock.isValid() && (!Files.exists(file) || isNewer(file, list, now.array()))) {
          AtomicFile.write(file, out -> out.write(now.array()));
        }
      }
    }
  }

  private static boolean isNewer(Path file, SignedList list, byte[] now) throws IOException {
    byte[] before = read(file);
    if (!Arrays.equals(before, KEY_AT, LIST_AT, now, KEY_AT, LIST_AT)) {
      throw new RefusedException(
          Reason.OTHER_PUBLISHER, file + " remembers the lists of another publisher");
    }
    long serial = list.terms().serial();
    long seen = ByteBuffer.wrap(before).getLong(Long.BYTES);
    if (serial < seen) {
      throw new RefusedException(
          Reason.OLDER, "the list has number " + serial + ", and number " + seen + " was seen");
    }
    if (serial == seen && !Arrays.equals(before, now)) {
      throw new RefusedException(
          Reason.DIFFERENT, "another list with number " + serial + " was seen before");
    }
    return serial > seen;
  }

  private static byte[] read(Path file) throws IOException {
    byte[] bytes;
    try (var in = Files.newInputStream(file)) {
      bytes = in.readNBytes(LENGTH + 1);
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    if (bytes.length != LENGTH
        || fields.getLong(0) != MAGIC
        || fields.getInt(CHECKED) != checksum(bytes)) {
      throw new FilterFormatException(
          file.toString(),
          0,
          "does not remember a list, or is damaged; without it, older lists are accepted");
    }
    return bytes;
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, CHECKED);
    return (int) crc.getValue();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
