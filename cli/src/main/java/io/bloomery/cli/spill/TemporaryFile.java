package io.bloomery.cli.spill;

import io.bloomery.cli.console.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The library's temporary files, with errors that name the directory. The system deletes them when
 * the process ends.
 */
public final class TemporaryFile {

  private TemporaryFile() {}

  /** The default directory. */
  public static Path directory() {
    return io.bloomery.internal.spill.TemporaryFile.directory();
  }

  /** A new file to write and read. */
  static FileChannel open(Path directory) throws IOException {
    return io.bloomery.internal.spill.TemporaryFile.open(directory);
  }

  /** What went wrong with a file of this directory. */
  static Problem problem(Path directory, IOException e) {
    return Problem.with("temporary file in " + directory, e);
  }

  /** Closes and so deletes a file of this directory; null is one that was never needed. */
  static void close(FileChannel file, Path directory) {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw problem(directory, e);
      }
    }
  }
}
