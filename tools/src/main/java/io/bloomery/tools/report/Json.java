package io.bloomery.tools.report;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, numbers and booleans as one line of JSON. */
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

  private static void appendText(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
