package io.bloomery.dist;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A jar behind the shell script that starts it. A reader of zip files begins at the end and counts
 * back from there, so that it does not see the script; the shell never gets to the jar.
 */
final class ExecutableJar {
  private ExecutableJar() {}

  /** Writes a script and a jar as one executable file. */
  static void make(Path script, Path jar, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      Files.copy(script, out);
      Files.copy(jar, out);
    }
    makeExecutable(file);
  }

  /** Lets everyone run a file. */
  static void makeExecutable(Path file) throws IOException {
    if (!file.toFile().setExecutable(true, false)) {
      throw new IOException(file + " cannot be made executable");
    }
  }
}
