package io.bloomery.internal.frame;

import io.bloomery.FilterFormatException;
import java.io.IOException;
import java.io.InputStream;

/** A stream of bytes that tracks its position, so that every defect is reported with its offset. */
final class FrameInput {

  private final InputStream in;
  private final String origin;
  private final long budget;
  private long position;

  /** Reads from {@code in}; {@code budget} is the longest frame that is accepted. */
  FrameInput(InputStream in, String origin, long budget) {
    this.in = in;
    this.origin = origin;
    this.budget = budget;
  }

  /** The file's name or a description of the stream. */
  String origin() {
    return origin;
  }

  /** How many bytes were read. */
  long position() {
    return position;
  }

  /** Throws if {@code bytes}, a number stored at {@code offset}, exceeds the budget. */
  void checkBudget(String what, long bytes, int offset) throws FilterFormatException {
    if (bytes > budget) {
      throw new FilterFormatException(
          origin, offset, what + " has " + bytes + " bytes; the budget is " + budget);
    }
  }

  /**
   * The next {@code count} bytes; memory grows with the bytes read, not with the length claimed.
   */
  byte[] take(int count, String what) throws IOException {
    byte[] bytes = in.readNBytes(count);
    position += bytes.length;
    if (bytes.length < count) {
      throw ended(what, count - bytes.length);
    }
    return bytes;
  }

  /** Puts the next {@code count} bytes at {@code offset} of {@code target}. */
  void fill(byte[] target, int offset, int count, String what) throws IOException {
    int read = in.readNBytes(target, offset, count);
    position += read;
    if (read < count) {
      throw ended(what, count - read);
    }
  }

  /** Reads up to {@code end}, where all bytes must be zero. */
  void skipZeros(long end) throws IOException {
    byte[] bytes = take((int) (end - position), "the padding before the payload");
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] != 0) {
        throw new FilterFormatException(
            origin,
            end - bytes.length + i,
            "padding byte is %02x; it must be 00".formatted(bytes[i]));
      }
    }
  }

  private FilterFormatException ended(String what, int missing) {
    return new FilterFormatException(
        origin,
        position,
        "ends inside of " + what + "; at least " + missing + " bytes are missing");
  }
}
