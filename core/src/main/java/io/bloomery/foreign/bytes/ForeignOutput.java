package io.bloomery.foreign.bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes the numbers of a foreign format; {@link #flush} ends it. One thread at a time. */
public final class ForeignOutput {

  private static final int BUFFER = 1 << 13;

  private final OutputStream out;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

  /**
   * Writes to a stream, through a small buffer.
   *
   * @param out where to; neither flushed nor closed
   * @param order which byte of a number comes first
   */
  public ForeignOutput(OutputStream out, ByteOrder order) {
    this.out = out;
    buffer.order(order);
  }

  /**
   * A byte.
   *
   * @param value its lowest 8 bits are written
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput u8(int value) throws IOException {
    room(1).put((byte) value);
    return this;
  }

  /**
   * Two bytes.
   *
   * @param value its lowest 16 bits are written
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput u16(int value) throws IOException {
    room(Short.BYTES).putShort((short) value);
    return this;
  }

  /**
   * Four bytes.
   *
   * @param value the number
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput i32(int value) throws IOException {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  /**
   * Eight bytes.
   *
   * @param value the number
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput i64(long value) throws IOException {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /**
   * Eight bytes, as IEEE 754 has them.
   *
   * @param value the number
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput f64(double value) throws IOException {
    return i64(Double.doubleToRawLongBits(value));
  }

  /**
   * Bytes as they are.
   *
   * @param bytes the bytes
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput bytes(byte[] bytes) throws IOException {
    flush();
    out.write(bytes);
    return this;
  }

  /**
   * Numbers of eight bytes each.
   *
   * @param words the numbers
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput words(long[] words) throws IOException {
    for (long word : words) {
      i64(word);
    }
    return this;
  }

  /**
   * The first bytes of bits as {@link ForeignBytes#bits} reads them.
   *
   * @param words the bits
   * @param byteCount how many bytes
   * @return this
   * @throws IOException if writing fails
   */
  public ForeignOutput bits(long[] words, long byteCount) throws IOException {
    for (long i = 0; i < byteCount; i++) {
      u8((int) (words[(int) (i >>> 3)] >>> ((i & 7) << 3)));
    }
    return this;
  }

  /**
   * Hands on what is buffered; the stream itself is not flushed.
   *
   * @throws IOException if writing fails
   */
  public void flush() throws IOException {
    out.write(buffer.array(), 0, buffer.position());
    buffer.clear();
  }

  private ByteBuffer room(int count) throws IOException {
    if (buffer.remaining() < count) {
      flush();
    }
    return buffer;
  }
}
