package io.bloomery.security.deny;

import io.bloomery.tools.name.Octets;
import java.text.Normalizer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of hosts in the one form in which they are compared: lower case, without a dot at the end,
 * and labels with letters beyond ASCII in Punycode, as today's browsers write them. Such letters
 * are first mapped by the compatibility form of Unicode (NFKC) and to lower case.
 */
final class Names {

  /** The longest name, without a dot at the end. */
  static final int MOST_CHARACTERS = 253;

  private static final int MOST_OF_LABEL = 63;
  private static final char IDEOGRAPHIC_STOP = '\u3002';
  private static final char DOTTED_I = '\u0130'; // its lower case has two code points
  private static final int FIRST_CODE_POINT = 0x80;
  private static final Pattern NUMBER = Pattern.compile("\\d+|0x[0-9a-f]*"); // as a last label

  private Names() {}

  /**
   * The form of a name.
   *
   * @return null if it is not the name of a host: an empty or long label, other characters than
   *     letters, digits, hyphens and underscores, or a number as its last label
   */
  static @Nullable String canonical(String text) {
    String name = ascii(text);
    if (name == null) {
      return null;
    }
    if (name.endsWith(".")) {
      name = name.substring(0, name.length() - 1);
    }
    if (name.isEmpty() || name.length() > MOST_CHARACTERS) {
      return null;
    }
    int start = 0;
    for (int at = 0; at <= name.length(); at++) {
      if (at == name.length() || name.charAt(at) == '.') {
        if (at == start || at - start > MOST_OF_LABEL) {
          return null;
        }
        start = at + 1;
      } else if (!isOfLabel(name.charAt(at))) {
        return null;
      }
    }
    return NUMBER.matcher(name.substring(name.lastIndexOf('.') + 1)).matches() ? null : name;
  }

  private static boolean isOfLabel(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  }

  /** The part of ASCII in lower case. */
  static String lowerCase(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      out.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
    }
    return out.toString();
  }

  /** A name in lower case and ASCII, whose ASCII characters may be any; null if it has none. */
  static @Nullable String ascii(String text) {
    if (Octets.isAscii(text)) {
      return lowerCase(text);
    }
    if (text.length() > MOST_CHARACTERS || !text.codePoints().allMatch(Names::isWritten)) {
      return null;
    }
    StringBuilder out = new StringBuilder();
    for (String label : mapped(text).split("\\.", -1)) {
      out.append(out.length() == 0 ? "" : ".");
      out.append(Octets.isAscii(label) ? label : "xn--" + Punycode.encode(label));
    }
    return out.toString();
  }

  private static boolean isWritten(int c) {
    return c < FIRST_CODE_POINT
        || (Character.isDefined(c)
            && !Character.isISOControl(c)
            && !Character.isSpaceChar(c)
            && Character.getType(c) != Character.SURROGATE);
  }

  private static String mapped(String text) {
    String compatible = Normalizer.normalize(text, Normalizer.Form.NFKC);
    StringBuilder out = new StringBuilder();
    compatible
        .codePoints()
        .forEach(
            c -> {
              if (c == DOTTED_I) {
                out.append("i\u0307");
              } else {
                out.appendCodePoint(c == IDEOGRAPHIC_STOP ? '.' : Character.toLowerCase(c));
              }
            });
    return Normalizer.normalize(out, Normalizer.Form.NFKC);
  }
}
