package io.bloomery.cli.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Lists of other commands, given where commands expect filters. They are told by their first bytes,
 * since the module that reads them may be absent.
 */
final class OtherLists {

  private static final int MAGIC_BYTES = 8;

  private static final Map<String, String> WHAT =
      Map.of(
          "BLMDENY1",
          "is not a filter but a deny list; bloom deny check reads it",
          "BLMREVL1",
          "is not a filter but a list of revoked keys; bloom revoked check reads it");

  private OtherLists() {}

  /** Fails if a file is such a list. */
  static void refuse(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String what = WHAT.get(new String(in.readNBytes(MAGIC_BYTES), US_ASCII));
      if (what != null) {
        throw new Problem(file, what);
      }
    }
  }
}
