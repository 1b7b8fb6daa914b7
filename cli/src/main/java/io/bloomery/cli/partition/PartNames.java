package io.bloomery.cli.partition;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Problem;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the parts: a number between a prefix and a suffix.
 *
 * @param before the text before the number, including the directory
 * @param digits the least number of digits
 * @param after the text after the number
 */
record PartNames(String before, int digits, String after) {

  private static final String USUAL = "part-%d.txt";
  private static final Pattern FORM = Pattern.compile("([^%]*)%(?:0([1-9]))?d([^%]*)");

  /** Names by a pattern, or the usual names in a given directory or else in the current one. */
  static PartNames of(@Nullable Path given) {
    if (given == null) {
      return of("", USUAL);
    }
    String text = Octets.name(given);
    if (Files.isDirectory(given)) {
      return of(text + File.separator, USUAL);
    }
    int name = text.lastIndexOf(File.separatorChar) + 1;
    return of(text.substring(0, name), text.substring(name));
  }

  private static PartNames of(String directory, String name) {
    Matcher form = FORM.matcher(name);
    if (!form.matches()) {
      throw new Problem(
          directory
              + name
              + ": -o needs %d once in the name, which becomes the number of the part: part-%d.txt;"
              + " or an existing directory");
    }
    int digits = form.group(2) == null ? 1 : Integer.parseInt(form.group(2));
    return new PartNames(directory + form.group(1), digits, form.group(3));
  }

  /** The name of a part. */
  String name(int part) {
    String number = Integer.toString(part);
    return before + "0".repeat(Math.max(0, digits - number.length())) + number + after;
  }

  /** The file of a part. */
  Path file(int part) {
    return Octets.path(name(part));
  }

  /** The directory of all parts. */
  Path directory() {
    Path parent = Octets.absolute(file(0)).getParent();
    return parent == null ? Path.of(".") : parent;
  }
}
