package io.bloomery.tools.report;

import io.bloomery.tools.name.Octets;
import io.bloomery.tools.problem.Visible;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps, lists, strings, numbers and booleans as one line of JSON. Where a name has bytes
 * that are not UTF-8, the text is in the form of {@link Visible}, and a field with all of its bytes
 * in Base64 follows: {@code "fileBase64"} after {@code "file"}.
 */
final class Json {

  private Json() {}

  /** The value as JSON; a number that JSON cannot represent becomes null. */
  static String of(Object value) {
    StringBuilder out = new StringBuilder();
    append(out, value);
    return out.toString();
  }

  private static void append(StringBuilder out, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        appendText(out, entry.getKey().toString());
        out.append(':');
        append(out, entry.getValue());
        separator = ",";
        Object exact = exact(entry.getValue());
        if (exact != null) {
          appendText(out.append(separator), entry.getKey() + "Base64");
          append(out.append(':'), exact);
        }
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      out.append('[');
      for (Iterator<?> all = list.iterator(); all.hasNext(); ) {
        append(out, all.next());
        out.append(all.hasNext() ? "," : "");
      }
      out.append(']');
    } else if (value instanceof String text) {
      appendText(out, text);
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      out.append("null");
    } else {
      out.append(value);
    }
  }

  /** The bytes in Base64 of a text that is not UTF-8, or of texts one of which is not; or null. */
  private static @Nullable Object exact(@Nullable Object value) {
    if (value instanceof String text && !Octets.isText(text)) {
      return Base64.getEncoder().encodeToString(Octets.bytes(text));
    }
    if (value instanceof List<?> list && list.stream().anyMatch(each -> exact(each) != null)) {
      Base64.Encoder encoder = Base64.getEncoder();
      return list.stream()
          .map(each -> encoder.encodeToString(Octets.bytes(String.valueOf(each))))
          .toList();
    }
    return null;
  }

  private static void appendText(StringBuilder out, String exact) {
    String text = Octets.isText(exact) ? exact : Visible.line(exact);
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (Visible.isObeyed(c)
          || c == '\t'
          || (Character.isSurrogate(c) && !isPair(text, i))) {
        out.append("\\u").append(HexFormat.of().toHexDigits(c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
  }
}
