package io.bloomery.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Mutants that no test can tell from the original, with the reason. The file has a line for each:
 * source file, line before, line after, reason, separated by tabs; lines that begin with # are
 * comments.
 */
final class Equivalents {

  private final Map<String, String> reasons = new LinkedHashMap<>();

  Equivalents(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        int reason = line.lastIndexOf('\t');
        if (line.split("\t", -1).length != 4 || line.length() - reason < 10) {
          throw new IOException(file + " needs a file, two lines of code and a reason: " + line);
        }
        reasons.put(line.substring(0, reason), line.substring(reason + 1));
      }
    }
  }

  /** Whether a mutation is known to change nothing. */
  boolean contains(String key) {
    return reasons.containsKey(key);
  }

  /** The mutations that are listed. */
  List<String> keys() {
    return List.copyOf(reasons.keySet());
  }
}
