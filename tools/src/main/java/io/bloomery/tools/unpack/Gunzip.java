package io.bloomery.tools.unpack;

import java.io.EOFException;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * Reads gzip data of any number of members (RFC 1952), checked to the last byte. {@code
 * GZIPInputStream} ends quietly before a second member that is damaged, or that a pipe has not
 * delivered yet.
 */
final class Gunzip extends InflaterInputStream {

  /** How many bytes the source must be able to take back. */
  static final int BUFFER = 1 << 16;

  /** The first bytes of gzip data. */
  static final int[] MAGIC = {0x1F, 0x8B, 8};

  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;

  private final PushbackInputStream source;
  private final CRC32 crc = new CRC32();
  private boolean ended;

  /** Reads from {@code source}, whose buffer has {@link #BUFFER} bytes. */
  Gunzip(PushbackInputStream source) throws IOException {
    super(source, new Inflater(true), BUFFER);
    this.source = source;
    readHeader();
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    while (!ended) {
      int count = super.read(bytes, offset, length);
      if (count >= 0) {
        crc.update(bytes, offset, count);
        return count;
      }
      nextMember();
    }
    return -1;
  }

  @Override
  public int available() {
    return ended ? 0 : 1;
  }

  @Override
  public void close() throws IOException {
    inf.end();
    super.close();
  }

  private void nextMember() throws IOException {
    source.unread(buf, len - inf.getRemaining(), inf.getRemaining());
    long sum = readNumber(Integer.BYTES);
    if (sum != crc.getValue()) {
      throw new ZipException(
          "damaged gzip data: CRC32 is %08x; the data give %08x".formatted(sum, crc.getValue()));
    }
    long length = readNumber(Integer.BYTES);
    if (length != (inf.getBytesWritten() & 0xFFFF_FFFFL)) {
      throw new ZipException("damaged gzip data: wrong length");
    }
    int next = source.read();
    while (next == 0) { // some writers fill up a block
      next = source.read();
    }
    if (next < 0) {
      ended = true;
      return;
    }
    source.unread(next);
    readHeader();
    inf.reset();
    crc.reset();
  }

  private void readHeader() throws IOException {
    for (int expected : MAGIC) {
      if (readByte() != expected) {
        throw new ZipException("what follows the gzip data is not gzip data");
      }
    }
    int flags = readByte();
    readNumber(6); // time, compression, system
    if ((flags & EXTRA) != 0) {
      source.skipNBytes(readNumber(Short.BYTES));
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CHECKSUM) != 0) {
      readNumber(Short.BYTES);
    }
  }

  private void skipText() throws IOException {
    int next;
    do {
      next = readByte();
    } while (next != 0);
  }

  private long readNumber(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number |= (long) readByte() << (Byte.SIZE * i);
    }
    return number;
  }

  private int readByte() throws IOException {
    int next = source.read();
    if (next < 0) {
      throw new EOFException("the gzip data are cut off");
    }
    return next;
  }
}
