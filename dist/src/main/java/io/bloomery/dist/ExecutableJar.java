package io.bloomery.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A jar behind the shell script that starts it. A reader of zip files begins at the end and counts
 * back from there, so that it does not see the script; the shell never gets to the jar.
 */
final class ExecutableJar {
  private static final String BUILD = "\nbuild=";

  private ExecutableJar() {}

  /** Writes a script, which gets to know a checksum of the jar, and the jar as one file. */
  static void make(Path script, Path jar, Path file) throws IOException {
    byte[] classes = Files.readAllBytes(jar);
    CRC32C checksum = new CRC32C();
    checksum.update(classes);
    String head = Files.readString(script);
    String known = head.replace(BUILD + "unknown", BUILD + Long.toHexString(checksum.getValue()));
    if (known.equals(head)) {
      throw new IOException(script + " has no line " + BUILD);
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      out.write(known.getBytes(UTF_8));
      out.write(classes);
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
