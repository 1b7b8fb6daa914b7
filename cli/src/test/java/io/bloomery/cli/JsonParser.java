package io.bloomery.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one JSON text strictly; numbers become {@code Double}. */
public final class JsonParser {

  private final String text;
  private int at;

  private JsonParser(String text) {
    this.text = text;
  }

  public static Map<?, ?> object(String line) {
    if (!line.endsWith("\n") || line.indexOf('\n') != line.length() - 1) {
      throw new IllegalArgumentException("not one line: " + line);
    }
    JsonParser parser = new JsonParser(line);
    Map<?, ?> object = (Map<?, ?>) parser.value();
    if (parser.at != line.length() - 1) {
      throw new IllegalArgumentException("more than one value: " + line);
    }
    return object;
  }

  private Object value() {
    char c = text.charAt(at);
    if (c == '{') {
      return object();
    }
    if (c == '[') {
      return list();
    }
    if (c == '"') {
      return string();
    }
    int start = at;
    while ("0123456789+-.eEtrufalsn".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String word = text.substring(start, at);
    return switch (word) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> Double.valueOf(word);
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    if (text.startsWith("{}", at)) {
      at += 2;
      return object;
    }
    do {
      at++;
      String name = string();
      expect(':');
      object.put(name, value());
    } while (text.charAt(at) == ',');
    expect('}');
    return object;
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    if (text.startsWith("[]", at)) {
      at += 2;
      return list;
    }
    do {
      at++;
      list.add(value());
    } while (text.charAt(at) == ',');
    expect(']');
    return list;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        throw new IllegalArgumentException("control character in " + text);
      }
      if (c == '\\') {
        c = text.charAt(at++);
        if (c == 'u') {
          c = (char) Integer.parseInt(text.substring(at, at + 4), 16);
          at += 4;
        }
      }
      string.append(c);
    }
    at++;
    return string.toString();
  }

  private void expect(char c) {
    if (text.charAt(at++) != c) {
      throw new IllegalArgumentException(c + " expected at " + (at - 1) + " of " + text);
    }
  }
}
