package io.bloomery.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON that others wrote: maps, lists, texts, truth values; numbers are {@code Double}. */
public final class Json {

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** The value in a resource of the tests. */
  public static Object resource(String name) {
    try (InputStream in = Json.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalArgumentException("no resource " + name);
      }
      return parse(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value of a text. */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.blanks();
    if (json.at != text.length()) {
      throw json.problem("the end");
    }
    return value;
  }

  private Object value() {
    blanks();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> list();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    at++;
    for (char end = open('}'); end != '}'; end = next('}')) {
      blanks();
      String name = string();
      expect(':');
      object.put(name, value());
    }
    return object;
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    at++;
    for (char end = open(']'); end != ']'; end = next(']')) {
      list.add(value());
    }
    return list;
  }

  /** The closing sign if nothing is inside, otherwise a comma. */
  private char open(char close) {
    blanks();
    if (peek() == close) {
      at++;
      return close;
    }
    return ',';
  }

  /** The sign after a value. */
  private char next(char close) {
    blanks();
    char sign = text.charAt(at++);
    if (sign != ',' && sign != close) {
      throw problem(", or " + close);
    }
    return sign;
  }

  private void expect(char sign) {
    blanks();
    if (text.charAt(at++) != sign) {
      throw problem(String.valueOf(sign));
    }
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
      out.append(c == '\\' ? escaped() : c);
    }
    return out.toString();
  }

  private char escaped() {
    char c = text.charAt(at++);
    return switch (c) {
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> (char) Integer.parseInt(text.substring(at, at += 4), 16);
      default -> c;
    };
  }

  private Object word() {
    int start = at;
    while (at < text.length() && ",]}: \t\r\n".indexOf(text.charAt(at)) < 0) {
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

  private char peek() {
    return text.charAt(at);
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException problem(String expected) {
    return new IllegalArgumentException("character " + at + ": expected " + expected);
  }
}
