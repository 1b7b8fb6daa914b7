package io.bloomery.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files that are deleted when closed, at the latest when the process ends. */
public final class TemporaryFile {

  private TemporaryFile() {}

  /** The system's directory for temporary files. */
  public static Path directory() {
    return Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * A new file to write and read, on most systems without a directory entry.
   *
   * @param directory an existing directory
   * @return the channel; closing it deletes the file
   * @throws IOException if it cannot be created; nothing is then left behind
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
