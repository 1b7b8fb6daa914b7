package io.bloomery.net.capture;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A window on a stream: the bytes from its position on, in one buffer that is used again. */
final class Window implements Closeable {

  private static final VarHandle BIG_INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private byte[] bytes = new byte[BUFFER];
  private int position;
  private int end;
  private boolean little; // the order of numbers in headers of the file

  /** Begins where the stream is. */
  Window(InputStream in) {
    this.in = in;
  }

  /** Sets the order of the numbers that {@link #number} reads. */
  void littleEndian(boolean isLittle) {
    little = isLittle;
  }

  boolean isLittleEndian() {
    return little;
  }

  /**
   * Makes sure that this many bytes are in the buffer, which changes it.
   *
   * @return whether the stream has them
   */
  boolean require(int count) throws IOException {
    while (end - position < count) {
      if (bytes.length - position < count) {
        byte[] target = bytes.length < count ? new byte[Integer.highestOneBit(count) << 1] : bytes;
        System.arraycopy(bytes, position, target, 0, end - position);
        bytes = target;
        end -= position;
        position = 0;
      }
      int read = in.read(bytes, end, bytes.length - end);
      if (read < 0) {
        return false;
      }
      end += read;
    }
    return true;
  }

  /** How many bytes are in the buffer. */
  int available() {
    return end - position;
  }

  /** The buffer, until the next call of {@link #require} or {@link #skip}. */
  byte[] bytes() {
    return bytes;
  }

  /** The index in the buffer of the byte that comes next. */
  int position() {
    return position;
  }

  /** Passes bytes that are in the buffer. */
  void advance(int count) {
    position += count;
  }

  /**
   * Passes bytes, in the buffer or not.
   *
   * @return whether the stream had them
   */
  boolean skip(long count) throws IOException {
    long left = count;
    while (left > end - position) {
      left -= end - position;
      position = 0;
      end = Math.max(0, in.read(bytes, 0, bytes.length));
      if (end == 0) {
        return false;
      }
    }
    position += (int) left;
    return true;
  }

  /** Passes everything. */
  void skipAll() throws IOException {
    boolean any;
    do {
      any = skip(BUFFER);
    } while (any);
  }

  /** The number of 32 bits at an offset from the position. */
  int number(int offset) {
    int value = (int) BIG_INTS.get(bytes, position + offset);
    return little ? Integer.reverseBytes(value) : value;
  }

  /** The number of 16 bits at an offset from the position. */
  int half(int offset) {
    int first = bytes[position + offset] & 0xFF;
    int second = bytes[position + offset + 1] & 0xFF;
    return little ? second << 8 | first : first << 8 | second;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
