package io.bloomery.frozen;

import io.bloomery.internal.frame.FrameReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The lines of a file as byte strings, without copying those that fit the buffer. */
final class LineKeys {

  private static final int BUFFER = 1 << 16;
  private static final int LONGEST = 1 << 30;

  private LineKeys() {}

  /** Receives a line. */
  interface Sink {
    void take(byte[] bytes, int offset, int length);
  }

  /** Errors name the file. */
  static void read(Path file, Sink sink) throws IOException {
    try {
      readAll(file, sink);
    } catch (IOException e) {
      throw FrameReader.named(file, e);
    }
  }

  private static void readAll(Path file, Sink sink) throws IOException {
    byte[] buffer = new byte[BUFFER];
    int filled = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int scanned = 0; ; ) {
        if (filled == buffer.length) {
          if (filled > LONGEST / 2) {
            throw new IOException("a line has more than " + filled + " bytes");
          }
          buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
          break;
        }
        filled += read;
        int start = 0;
        for (int i = scanned; i < filled; i++) {
          if (buffer[i] == '\n') {
            int end = i > start && buffer[i - 1] == '\r' ? i - 1 : i;
            sink.take(buffer, start, end - start);
            start = i + 1;
          }
        }
        System.arraycopy(buffer, start, buffer, 0, filled - start);
        filled -= start;
        scanned = filled;
      }
    }
    if (filled > 0) {
      sink.take(buffer, 0, filled);
    }
  }
}
