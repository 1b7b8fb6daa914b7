package io.bloomery.internal.frame;

import io.bloomery.Storable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Writes frames. */
public final class FrameWriter {

  private FrameWriter() {}

  /** Saves to a file. */
  public static void write(Storable filter, Path file) throws IOException {
    filter.kind();
  }

  /** Writes to a stream. */
  public static void write(Storable filter, OutputStream out) throws IOException {
    filter.kind();
  }

  /** The length of the frame. */
  public static long storedBytes(Storable filter) {
    return 0;
  }
}
