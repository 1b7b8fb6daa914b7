package io.bloomery;

import io.bloomery.internal.frame.FrameWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** Something that can be saved in the native frame (docs/format.md). */
public interface Storable {

  /**
   * The kind under which it is stored.
   *
   * @return the registered kind
   */
  FilterKind<?> kind();

  /**
   * Saves to a file: writes a temporary file in the same directory, syncs it, then renames it over
   * the target, so that a reader sees either the old file or the new one, never a partial one. Keys
   * added before the call began are in the file; keys that other threads add during the call may
   * be.
   *
   * @param file the target
   * @throws IOException if writing fails; the target is then unchanged
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
   * The length of the frame.
   *
   * @return the number of bytes that {@link #writeTo(OutputStream)} writes
   */
  default long storedBytes() {
    return FrameWriter.storedBytes(this);
  }
}
