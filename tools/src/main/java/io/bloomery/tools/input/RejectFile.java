package io.bloomery.tools.input;

import io.bloomery.tools.problem.Problem;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file that rows are appended to as they are in the input, those of a block at once. Its contents
 * are never overwritten, and nothing is buffered, so that rows left out of a result are in it even
 * if the command is killed afterwards.
 */
public final class RejectFile {

  private final Path path;
  private final OutputStream out; // open as long as the command runs: it may be a pipe
  private final Bytes rows = new Bytes();

  /** Opens a file, which is made if there is none. */
  public RejectFile(Path path) {
    this.path = path;
    if (Files.isDirectory(path)) {
      throw new Problem(path + ": is a directory");
    }
    try {
      this.out = new FileOutputStream(path.toFile(), true);
    } catch (IOException e) {
      throw new Problem("%s: cannot be written; --on-error reject=FILE needs it".formatted(path));
    }
  }

  /** Where it is. */
  Path path() {
    return path;
  }

  /** Adds a row, with an end if it is the last of its input and lacks one. */
  void add(byte[] bytes, int offset, int length, byte[] recordEnd) {
    rows.key(bytes, offset, length);
    if (recordEnd.length > 0 && bytes[offset + length - 1] != recordEnd[recordEnd.length - 1]) {
      rows.key(recordEnd, 0, recordEnd.length);
    }
  }

  /** Writes what was added. */
  void flush() {
    if (rows.length() > 0) {
      try {
        out.write(rows.array(), 0, rows.length());
      } catch (IOException e) {
        throw Problem.with(path, e);
      }
      rows.clear();
    }
  }
}
