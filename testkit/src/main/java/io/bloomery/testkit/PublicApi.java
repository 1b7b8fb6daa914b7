package io.bloomery.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The public surface of a published module, listed in {@code docs/api}, so that every change is
 * visible and intended. The tests of the module run in its own directory.
 */
public final class PublicApi {

  private static final Path CLASSES = Path.of("target", "classes");
  private static final boolean ACCEPTED = "accept".equals(System.getProperty("bloomery.api"));

  private PublicApi() {}

  /**
   * Fails unless the list of a module has exactly the lines of its classes; with {@code
   * -Dbloomery.api=accept} it writes the list instead.
   *
   * @param module the name of the list, without {@code .txt}
   * @throws IOException if the list cannot be read or written
   */
  public static void check(String module) throws IOException {
    Path list = directory().resolve(module + ".txt");
    List<String> now = Signatures.of(CLASSES);
    if (ACCEPTED) {
      Files.write(list, now);
      return;
    }
    List<String> listed = Files.exists(list) ? Files.readAllLines(list) : List.of();
    if (!now.equals(listed)) {
      throw new AssertionError(
          "docs/api/%s.txt is not what others can call now. If that is meant: ./check --api%n%s"
              .formatted(module, String.join(System.lineSeparator(), difference(listed, now))));
    }
  }

  /**
   * The top-level types that code outside the module can name.
   *
   * @return their full names, sorted
   */
  public static List<String> topLevelTypes() {
    return Signatures.of(CLASSES).stream()
        .filter(line -> line.matches("([a-z]\\w*\\.)+[A-Z]\\w* .*"))
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
  }

  /** Removed lines and added lines. */
  static List<String> difference(List<String> before, List<String> after) {
    TreeSet<String> removed = new TreeSet<>(before);
    after.forEach(removed::remove);
    TreeSet<String> added = new TreeSet<>(after);
    before.forEach(added::remove);
    List<String> lines =
        new ArrayList<>(
            Stream.concat(
                    removed.stream().map(line -> "- " + line),
                    added.stream().map(line -> "+ " + line))
                .toList());
    lines.sort((a, b) -> a.substring(2).compareTo(b.substring(2)));
    return lines.isEmpty() ? List.of("the lines are not sorted") : lines;
  }

  private static Path directory() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path api = at.resolve("docs").resolve("api");
      if (Files.isDirectory(api)) {
        return api;
      }
    }
    throw new AssertionError("docs/api is not above " + Path.of("").toAbsolutePath());
  }
}
