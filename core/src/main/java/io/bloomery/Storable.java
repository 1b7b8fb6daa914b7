package io.bloomery;

import io.bloomery.internal.frame.FrameWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A filter that can be saved in the native frame (docs/format.md). */
public interface Storable extends Filter {

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

  /**
   * The frame in memory, for databases, caches and messages; {@link Filters#read(byte[])} reads it.
   *
   * @return the {@link #storedBytes()} bytes that {@link #writeTo(OutputStream)} writes
   * @throws IllegalStateException if they do not fit into an array
   */
  default byte[] toBytes() {
    return FrameWriter.toBytes(this);
  }

  /**
   * Whether another filter has the same content: kind, hasher, parameters and every stored word, so
   * that both answer every query alike and save the same bytes. Filters of the same keys may differ
   * where the order of adds decides which cell a key gets. Takes time proportional to the size.
   *
   * <p>Filters do not override {@code equals}, static ones neither: most filters change, so they
   * would be lost in a hash table, and a comparison that may read gigabytes should be asked for.
   *
   * @param other any filter that can be saved
   * @return whether their frames are equal
   */
  default boolean sameContent(Storable other) {
    return FrameWriter.same(this, other);
  }
}
