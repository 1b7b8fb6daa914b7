package io.bloomery;

import io.bloomery.internal.frame.FrameWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Something that can be saved in the native frame (docs/format.md). */
public interface Storable {

  /**
   * What it is, as files name it.
   *
   * @return the registered kind
   */
  FilterKind<?> kind();

  /**
   * Saves to a file: writes a temporary file in the same directory, syncs it, then renames it over
   * the target, so that a reader sees the old file or the new one and never a part. Keys added
   * before the call began are in the file; keys added meanwhile by other threads may be.
   *
   * @param file the target
   * @throws IOException if writing fails; the target is then as it was
   */
  default void writeTo(Path file) throws IOException {
    FrameWriter.write(this, file);
  }

  /**
   * Writes one self-delimiting frame; more may follow in the same stream, which stays open.
   *
   * @param out the stream
   * @throws IOException if writing fails
   */
  default void writeTo(OutputStream out) throws IOException {
    FrameWriter.write(this, out);
  }

  /**
   * How long the frame is.
   *
   * @return bytes that {@link #writeTo(OutputStream)} writes
   */
  default long storedBytes() {
    return FrameWriter.storedBytes(this);
  }
}
