package io.bloomery.cli;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of a command line as the bytes that were typed, and the directory where they were
 * typed. The JVM decodes both in the encoding of the locale and replaces what it cannot decode;
 * Linux keeps the original bytes.
 */
final class Arguments {

  private static final Path TYPED = Path.of("/proc/self/cmdline");

  private static final Path CURRENT = Path.of("/proc/self/cwd");

  private Arguments() {}

  /** Fails if the JVM would look up relative names in another directory than the current one. */
  static void requireDirectory() {
    String directory = System.getProperty("user.dir", "");
    if (!Octets.isAscii(directory) && !isCurrent(directory)) {
      throw new Problem(
          "the name of the current directory has bytes that Java cannot read in this locale; set"
              + " LC_ALL to a UTF-8 locale, or run the file bloom and not java -jar");
    }
  }

  private static boolean isCurrent(String name) {
    try {
      Path directory = Path.of(name);
      return Files.exists(CURRENT)
          ? Files.isSameFile(directory, CURRENT)
          : Files.isDirectory(directory);
    } catch (InvalidPathException | IOException e) {
      return false;
    }
  }

  /** The arguments that the JVM received, each as {@link Octets} of its bytes. */
  static String[] exact(String... decoded) {
    return exact(TYPED, decoded);
  }

  /** The same where a system keeps the words of this process in another file, or in none. */
  static String[] exact(Path typed, String... decoded) {
    int other = 0;
    while (other < decoded.length && Octets.isAscii(decoded[other])) {
      other++;
    }
    if (other == decoded.length) {
      return decoded;
    }
    try {
      return matched(Files.readAllBytes(typed), decoded);
    } catch (IOException e) {
      return survivors(decoded);
    }
  }

  /** The last arguments of a process, which are those of {@code main}. */
  static String[] matched(byte[] process, String... decoded) {
    List<String> words = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < process.length; i++) {
      if (process[i] == 0) {
        words.add(Octets.text(process, start, i - start));
        start = i + 1;
      }
    }
    int before = words.size() - decoded.length;
    if (before < 0) {
      return survivors(decoded);
    }
    String[] exact = words.subList(before, words.size()).toArray(new String[0]);
    for (int i = 0; i < exact.length; i++) {
      if (Octets.isAscii(decoded[i]) && !exact[i].equals(decoded[i])) {
        return survivors(decoded);
      }
    }
    return exact;
  }

  /** The arguments as the JVM decoded them; fails if it lost bytes of any of them. */
  static String[] survivors(String... decoded) {
    boolean unicode = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
    for (int i = 0; i < decoded.length; i++) {
      if (!Octets.isAscii(decoded[i]) && (!unicode || decoded[i].indexOf('\uFFFD') >= 0)) {
        throw new Problem(
            "argument %d (%s) has bytes that Java cannot read on this system; give keys in a file,"
                    .formatted(i + 1, decoded[i].replace('\uFFFD', '?'))
                + " rename files, or set LC_ALL to a UTF-8 locale");
      }
    }
    return decoded;
  }
}
