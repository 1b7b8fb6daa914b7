package io.bloomery.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files that are deleted when they are closed, and with the process at the latest. */
public final class TemporaryFile {

  private TemporaryFile() {}

  /** The system's directory for temporary files. */
  public static Path directory() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * A new file to write and read. Most systems do not even list it.
   *
   * @param directory an existing directory
   * @return closing it deletes the file
   * @throws IOException if it cannot be created; then nothing is left behind
   */
  public static FileChannel open(Path directory) throws IOException {
    Path file = Files.createTempFile(directory, "bloomery-", ".tmp");
    try {
      return FileChannel.open(
          file,
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }
}
