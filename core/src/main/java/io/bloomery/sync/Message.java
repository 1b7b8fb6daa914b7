package io.bloomery.sync;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of one message of {@link SetReconciliation}, written field by field; {@link Content}
 * reads it. Numbers are varints (7 bits per byte, the low ones first), words are 8 bytes
 * little-endian. Long content is not copied: a {@link Part} writes itself when the message is sent.
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

  /** Content that writes itself, the same bytes each time. */
  interface Part {
    void writeTo(OutputStream out) throws IOException;
  }

  private final int type;
  private final List<Part> parts = new ArrayList<>();
  private @Nullable ByteArrayOutputStream fields; // the last part, if it takes more fields

  Message(int type) {
    this.type = type;
  }

  int type() {
    return type;
  }

  private ByteArrayOutputStream fields() {
    ByteArrayOutputStream last = fields;
    if (last == null) {
      last = new ByteArrayOutputStream();
      parts.add(last::writeTo);
      fields = last;
    }
    return last;
  }

  Message number(long value) {
    try {
      writeNumber(value, fields());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  static void writeNumber(long value, OutputStream out) throws IOException {
    long left = value;
    for (; left > 0x7F; left >>>= 7) {
      out.write((int) (left & 0x7F) | 0x80);
    }
    out.write((int) left);
  }

  Message word(long value) {
    ByteArrayOutputStream out = fields();
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      out.write((int) (value >>> shift));
    }
    return this;
  }

  Message bytes(byte[] from, int offset, int length) {
    fields().write(from, offset, length);
    return this;
  }

  /** Appends content that is written twice, first to count its bytes. */
  Message part(Part part) {
    fields = null;
    parts.add(part);
    return this;
  }

  void writeTo(OutputStream out) throws IOException {
    for (Part part : parts) {
      part.writeTo(out);
    }
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

    /** Throws unless at least this many bytes are left. */
    void requireLeft(long least) throws ReconciliationException {
      if (left() < least) {
        throw malformed(left() + " bytes instead of " + least + " or more");
      }
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
