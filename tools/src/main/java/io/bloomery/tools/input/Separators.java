package io.bloomery.tools.input;

import java.util.List;

/** What separates the columns of a file that has only one with the separator that was assumed. */
public final class Separators {

  private static final String OTHERS = ";|\t,:";

  private Separators() {}

  /**
   * A hint for a column that was not found.
   *
   * @param names the first row as it was read
   * @param separator what was assumed
   * @return another separator that the row may have, in words to append; empty if there is none
   */
  public static String hint(List<String> names, byte separator) {
    if (names.size() != 1) {
      return "";
    }
    for (int i = 0; i < OTHERS.length(); i++) {
      char other = OTHERS.charAt(i);
      if (other != separator && names.get(0).indexOf(other) >= 0) {
        String shown = other == '\t' ? "\\t" : String.valueOf(other);
        return "; is the separator '%s'? use --separator '%s'".formatted(shown, shown);
      }
    }
    return "";
  }
}
