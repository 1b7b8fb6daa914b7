package io.bloomery.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into keys, one a line. A line ends with {@code \n} or {@code \r\n}; the
 * last one may lack its end. Bytes are never decoded.
 */
final class Lines {

  private static final int BUFFER = 1 << 16;
  private static final int LONGEST = 1 << 30;

  private final boolean keepEmpty;
  private final KeySink sink;
  private long keys;
  private long skipped;

  /** Gives lines to {@code sink}, empty ones only if {@code keepEmpty}. */
  Lines(boolean keepEmpty, KeySink sink) {
    this.keepEmpty = keepEmpty;
    this.sink = sink;
  }

  /** How many keys there were. */
  long keys() {
    return keys;
  }

  /** How many empty lines were left out. */
  long skipped() {
    return skipped;
  }

  /** Reads a stream to its end. */
  void read(InputStream in) throws IOException {
    byte[] buffer = new byte[BUFFER];
    int start = 0; // of the line that is not complete yet
    int end = 0;
    while (true) {
      if (start > 0) {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
      }
      if (end == buffer.length) {
        buffer = grow(buffer);
      }
      if (in.available() == 0) {
        sink.pause();
      }
      int count = in.read(buffer, end, buffer.length - end);
      if (count < 0) {
        break;
      }
      for (int i = end; i < end + count; i++) {
        if (buffer[i] == '\n') {
          int last = i > start && buffer[i - 1] == '\r' ? i - 1 : i;
          line(buffer, start, last - start);
          start = i + 1;
        }
      }
      end += count;
    }
    if (end > start) {
      line(buffer, start, end - start);
    }
  }

  private void line(byte[] buffer, int offset, int length) {
    if (length == 0 && !keepEmpty) {
      skipped++;
    } else {
      keys++;
      sink.key(buffer, offset, length);
    }
  }

  private byte[] grow(byte[] buffer) throws IOException {
    if (buffer.length == LONGEST) {
      throw new IOException("line " + (keys + skipped + 1) + " is longer than 1 GiB");
    }
    return Arrays.copyOf(buffer, 2 * buffer.length);
  }
}
