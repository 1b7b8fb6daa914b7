package io.bloomery.foreign.bytes;

import io.bloomery.internal.frame.FrameReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads of a file whose errors name it. */
final class FileReads {

  private FileReads() {}

  static int read(@Nullable FileChannel channel, ByteBuffer into, long from, String file)
      throws IOException {
    try {
      return Objects.requireNonNull(channel).read(into, from);
    } catch (IOException e) {
      throw FrameReader.named(file, e);
    }
  }
}
