package io.bloomery.cli.spill;

import io.bloomery.cli.console.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files for what does not fit in memory. The system deletes them when the process ends. */
public final class TemporaryFile {

  private TemporaryFile() {}

  /** Where they lie unless told otherwise. */
  public static Path directory() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** A new file to write and read. */
  static FileChannel open(Path directory) throws IOException {
    return FileChannel.open(
        Files.createTempFile(directory, "bloom-", ".tmp"),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
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
