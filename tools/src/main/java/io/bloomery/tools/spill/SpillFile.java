package io.bloomery.tools.spill;

import io.bloomery.file.TemporaryFile;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The temporary files of spills, with errors that name the directory. The system deletes them when
 * the process ends.
 */
public final class SpillFile {

  private SpillFile() {}

  /** The default directory. */
  public static Path directory() {
    return TemporaryFile.directory();
  }

  /** Opens a new file for writing and reading. */
  static FileChannel open(Path directory) throws IOException {
    return TemporaryFile.open(directory);
  }

  /** Describes an error of a temporary file in this directory. */
  public static Problem problem(Path directory, IOException e) {
    Problem why =
        Files.isDirectory(directory)
            ? Problem.with(directory, e)
            : new Problem(directory, "no such directory");
    return new Problem("temporary file in " + why.getMessage() + "; TMPDIR sets another directory");
  }

  /** Closes, and so deletes, a file in this directory; null if it was never needed. */
  static void close(@Nullable FileChannel file, Path directory) {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw problem(directory, e);
      }
    }
  }
}
