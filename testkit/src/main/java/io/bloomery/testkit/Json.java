package io.bloomery.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads JSON strictly as in RFC 8259: maps, lists, texts, truth values; numbers are {@code Double}.
 */
public final class Json {

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private final String text;
  private final String allowedBlanks;
  private int at;

  private Json(String text, String allowedBlanks) {
    this.text = text;
    this.allowedBlanks = allowedBlanks;
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
    return new Json(text, " \t\r\n").whole();
  }

  /** The object of one line that ends with a line feed and has no other blanks between values. */
  public static Map<?, ?> object(String line) {
    if (!line.endsWith("\n")) {
      throw new IllegalArgumentException("not a line: " + line);
    }
    return (Map<?, ?>) new Json(line.substring(0, line.length() - 1), "").whole();
  }

  /** The objects of lines, one each. */
  public static List<Map<?, ?>> lines(String text) {
    List<Map<?, ?>> objects = new ArrayList<>();
    text.lines().forEach(line -> objects.add(object(line + "\n")));
    return objects;
  }

  private Object whole() {
    Object value = value();
    blanks();
    if (at != text.length()) {
      throw problem("the end");
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
    char sign = take();
    if (sign != ',' && sign != close) {
      throw problem(", or " + close);
    }
    return sign;
  }

  private void expect(char sign) {
    blanks();
    if (take() != sign) {
      throw problem(String.valueOf(sign));
    }
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    for (char c = take(); c != '"'; c = take()) {
      if (c < ' ') {
        throw problem("no control character");
      }
      out.append(c == '\\' ? escaped() : c);
    }
    return out.toString();
  }

  private char escaped() {
    char c = take();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> (char) Integer.parseInt(text.substring(at, at += 4), 16);
      default -> throw problem("an escape");
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
      default -> {
        if (!NUMBER.matcher(word).matches()) {
          throw problem("a value");
        }
        yield Double.valueOf(word);
      }
    };
  }

  private char peek() {
    if (at == text.length()) {
      throw problem("more");
    }
    return text.charAt(at);
  }

  private char take() {
    char c = peek();
    at++;
    return c;
  }

  private void blanks() {
    while (at < text.length() && allowedBlanks.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException problem(String expected) {
    return new IllegalArgumentException(
        "character " + at + ": expected " + expected + " in " + text);
  }
}
