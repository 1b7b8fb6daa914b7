package io.bloomery.cli.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.find.FileIndex;
import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Index files of {@code bloom index}, given where commands expect filters. The module that reads
 * them may be absent.
 */
public final class IndexOfFiles {

  private static final byte[] MAGIC = "BLMIDX\0".getBytes(US_ASCII);

  private IndexOfFiles() {}

  /** Whether a file is an index, by its first bytes. */
  public static boolean is(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    } catch (IOException e) {
      throw Problem.with(file, e);
    }
  }

  /** Describes an index; with {@code verify} checks every byte of it first. */
  public static String describe(Path file, boolean verify, boolean json) {
    try {
      FileIndex index = FileIndex.open(file);
      if (verify) {
        index.verify();
      }
      return json ? index.report().json() : index.report().text();
    } catch (NoClassDefFoundError e) {
      throw absent(file);
    }
  }

  /** Checks every byte of an index and returns the number of its blocks. */
  public static int verify(Path file) {
    try {
      FileIndex index = FileIndex.open(file);
      index.verify();
      return index.blocks();
    } catch (NoClassDefFoundError e) {
      throw absent(file);
    }
  }

  private static Problem absent(Path file) {
    return new Problem(
        Octets.name(file)
            + ": is an index; to read it bloomery-find is needed, which is not"
            + " installed");
  }
}
