package io.bloomery.sync;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The content of one message of {@link SetReconciliation}, written field by field; {@link Content}
 * reads it. Numbers are varints (7 bits per byte, the low ones first), words are 8 bytes
 * little-endian.
 */
final class Message {

  // Types; every one from HELLO to VERIFY is answered.
  static final int HELLO = 1;
  static final int TABLE = 2;
  static final int SYMBOLS = 3;
  static final int SUMMARY = 4;
  static final int EXCHANGE = 5;
  static final int SETTLE = 6;
  static final int ALL = 7;
  static final int REST = 8;
  static final int VERIFY = 9;
  static final int ACCEPT = 10;
  static final int REFUSE = 11;

  private final int type;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  Message(int type) {
    this.type = type;
  }

  int type() {
    return type;
  }

  Message number(long value) {
    long left = value;
    for (; left > 0x7F; left >>>= 7) {
      bytes.write((int) (left & 0x7F) | 0x80);
    }
    bytes.write((int) left);
    return this;
  }

  Message word(long value) {
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      bytes.write((int) (value >>> shift));
    }
    return this;
  }

  Message bytes(byte[] from, int offset, int length) {
    bytes.write(from, offset, length);
    return this;
  }

  /** The stream for content that writes itself. */
  OutputStream rest() {
    return bytes;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  /** A message that was read. */
  static final class Content {
    private final int type;
    private final byte[] bytes;
    private int at;

    Content(int type, byte[] bytes) {
      this.type = type;
      this.bytes = bytes;
    }

    int type() {
      return type;
    }

    /** A number of 0 … {@code most}. */
    long number(String name, long most) throws ReconciliationException {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE - 1; shift += 7) {
        int next = next(name);
        value |= (long) (next & 0x7F) << shift;
        if (next < 0x80) {
          if (value > most || (next == 0 && shift > 0)) {
            throw malformed(name + " is " + value + ", beyond " + most + ", or oddly written");
          }
          return value;
        }
      }
      throw malformed(name + " is too long a number");
    }

    long word(String name) throws ReconciliationException {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        value |= (long) next(name) << shift;
      }
      return value;
    }

    private int next(String name) throws ReconciliationException {
      if (at == bytes.length) {
        throw malformed("ends within " + name);
      }
      return bytes[at++] & 0xFF;
    }

    byte[] bytes(String name, long length) throws ReconciliationException {
      if (length > bytes.length - at) {
        throw malformed(
            name + " has " + length + " bytes of which " + (bytes.length - at) + " are there");
      }
      byte[] copy = new byte[(int) length];
      System.arraycopy(bytes, at, copy, 0, copy.length);
      at += copy.length;
      return copy;
    }

    int left() {
      return bytes.length - at;
    }

    /** The remaining content as a stream; {@link #end} then fails unless all of it was read. */
    InputStream rest() {
      ByteArrayInputStream in =
          new ByteArrayInputStream(bytes, at, bytes.length - at) {
            @Override
            public synchronized int read() {
              int next = super.read();
              at = pos;
              return next;
            }

            @Override
            public synchronized int read(byte[] into, int offset, int length) {
              int count = super.read(into, offset, length);
              at = pos;
              return count;
            }
          };
      return in;
    }

    /** Throws if there is more. */
    void end() throws ReconciliationException {
      if (at < bytes.length) {
        throw malformed((bytes.length - at) + " bytes too many");
      }
    }

    ReconciliationException malformed(String what) {
      return new ReconciliationException(
          ReconciliationException.Reason.MALFORMED, "message " + type + " of the peer: " + what);
    }
  }
}
