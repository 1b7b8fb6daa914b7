package io.bloomery.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A jar appended to the shell script that starts it. Zip readers start at the end of the file and
 * count back from there, so they do not see the script; the shell never reaches the jar.
 */
final class ExecutableJar {
  private static final String BUILD = "\nbuild=";

  private ExecutableJar() {}

  /** Writes a script, with a checksum of the jar filled in, and the jar as one file. */
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

  /** Makes a file executable for everyone. */
  static void makeExecutable(Path file) throws IOException {
    if (!file.toFile().setExecutable(true, false)) {
      throw new IOException(file + " cannot be made executable");
    }
  }
}
