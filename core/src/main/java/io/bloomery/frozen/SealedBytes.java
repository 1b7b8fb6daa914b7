package io.bloomery.frozen;

import io.bloomery.FilterFormatException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The common part of reading and writing messages that consist of a header, whose last four bytes
 * are a checksum, and a body.
 *
 * @param origin a description of the message, for errors
 * @param headerBytes how long the header is
 */
record SealedBytes(String origin, int headerBytes) {

  /** The offset of the checksum. */
  int checksumAt() {
    return headerBytes - Integer.BYTES;
  }

  /** The CRC32C of all bytes except the checksum. */
  int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, checksumAt());
    crc.update(bytes, headerBytes, bytes.length - headerBytes);
    return (int) crc.getValue();
  }

  void require(boolean holds, long offset, String what) throws FilterFormatException {
    if (!holds) {
      throw problem(offset, what);
    }
  }

  FilterFormatException problem(long offset, @Nullable String what) {
    return new FilterFormatException(origin, offset, String.valueOf(what));
  }
}
