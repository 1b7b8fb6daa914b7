package io.bloomery.net.scan;

import io.bloomery.net.match.PrefixOptions;
import io.bloomery.net.match.PrefixTable;
import io.bloomery.net.message.WebMessages;
import io.bloomery.net.scan.TrafficScanner.Hit;
import io.bloomery.net.scan.TrafficScanner.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The lines of a list of indicators, each in the table of its kind. */
final class Indicators {

  private static final Pattern NAME =
      Pattern.compile(
          "(\\*?\\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\\.)+[a-z0-9-]*[a-z][a-z0-9-]*\\.?");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}");
  private static final Pattern ADDRESS = Pattern.compile("[0-9a-f.:]*[.:][0-9a-f.:]*(/[0-9]+)?");

  /** Strings of one kind, each with the indicator that it belongs to. */
  static final class Table {
    private final ByteTable bytes = new ByteTable();
    private int[] indicators = new int[16];

    private void add(byte[] key, long hash, int indicator) {
      int number = bytes.add(key, hash);
      if (number == indicators.length) {
        indicators = Arrays.copyOf(indicators, number * 2);
      }
      if (number == bytes.size() - 1) {
        indicators[number] = indicator;
      }
    }

    ByteTable bytes() {
      return bytes;
    }

    int[] indicators() {
      return indicators;
    }

    /** The indicator of a string; -1 if it is none. */
    int find(byte[] key, long hash) {
      int number = bytes.find(key, 0, key.length, hash);
      return number < 0 ? -1 : indicators[number];
    }

    boolean isEmpty() {
      return bytes.size() == 0;
    }
  }

  final ContentHash hash = new ContentHash();
  final Table strings = new Table();
  final Table names = new Table();
  final Table urls = new Table();
  final Table digests = new Table();
  private final PrefixTable.Builder prefixes;
  private final ByteTable texts = new ByteTable();
  private final int most;
  private byte[] kinds = new byte[16];
  private final long[] perKind = new long[Kind.values().length];

  Indicators(int most, long maxBytes) {
    this.most = most;
    this.prefixes = PrefixTable.builder(PrefixOptions.standard().withMaxBytes(maxBytes));
  }

  /** Adds what a line says. */
  void line(String line) {
    String text = line.strip();
    if (text.isEmpty() || text.charAt(0) == '#' || text.charAt(0) == ';') {
      return;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (text.charAt(0) == '"' || text.charAt(0) == '|') {
      byte[] string = string(text);
      int indicator = note(text, Kind.STRING);
      strings.add(string, hash.of(string, 0, string.length), indicator);
    } else if (text.indexOf("://") > 0) {
      url(text);
    } else if (HASH.matcher(lower).matches()) {
      byte[] digest = HexFormat.of().parseHex(lower);
      digests.add(digest, hash.of(digest, 0, digest.length), note(lower, Kind.HASH));
    } else if (ADDRESS.matcher(lower).matches()) {
      prefixes.line(lower + "\t" + texts.size()); // refuses what is no prefix
      note(lower, Kind.ADDRESS);
    } else if (lower.length() <= Names.MOST && NAME.matcher(lower).matches()) {
      String name = lower.replaceFirst("^\\*?\\.", "").replaceFirst("\\.$", "");
      byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
      names.add(bytes, Names.backwards(hash, bytes, bytes.length), note(name, Kind.DOMAIN));
    } else {
      throw new IllegalArgumentException(
          "'%s' is no domain, URL, address, digest or \"string\" in quotes".formatted(text));
    }
  }

  private void url(String text) {
    byte[] url = WebMessages.url(text);
    byte[] literal = text.getBytes(StandardCharsets.UTF_8);
    if (url == null || literal.length > ByteStrings.MOST) {
      throw new IllegalArgumentException(
          "'%s' is no URL of up to %d bytes".formatted(text, ByteStrings.MOST));
    }
    int indicator = note(text, Kind.URL);
    urls.add(url, hash.of(url, 0, url.length), indicator);
    strings.add(literal, hash.of(literal, 0, literal.length), indicator);
  }

  private int note(String text, Kind kind) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    long hashed = hash.of(bytes, 0, bytes.length);
    int before = texts.size();
    if (before == most && texts.find(bytes, 0, bytes.length, hashed) < 0) {
      throw new IllegalArgumentException("the list has more than %,d indicators".formatted(most));
    }
    int number = texts.add(bytes, hashed);
    if (number == before) {
      kinds = number == kinds.length ? Arrays.copyOf(kinds, number * 2) : kinds;
      kinds[number] = (byte) kind.number();
      perKind[kind.number()]++;
    }
    return number;
  }

  Hit hit(int indicator, long nanos, String flow, long position, boolean isChoice) {
    String text = new String(texts.get(indicator), StandardCharsets.UTF_8);
    return new Hit(text, Kind.of(kinds[indicator]), nanos, flow, position, isChoice);
  }

  long count(Kind kind) {
    return perKind[kind.number()];
  }

  PrefixTable prefixes() {
    return prefixes.build();
  }

  /** The digests that are listed, as the names of their algorithms. */
  List<String> algorithms() {
    List<String> names = new ArrayList<>();
    boolean[] lengths = new boolean[33];
    for (int i = 0; i < digests.bytes().size(); i++) {
      lengths[digests.bytes().length(i)] = true;
    }
    if (lengths[16]) {
      names.add("MD5");
    }
    if (lengths[20]) {
      names.add("SHA-1");
    }
    if (lengths[32]) {
      names.add("SHA-256");
    }
    return names;
  }

  long memory() {
    return texts.memory() + urls.bytes().memory() + digests.bytes().memory() + kinds.length;
  }

  /** The bytes of a string: characters, and between | bytes as hexadecimal digits. */
  static byte[] string(String text) {
    boolean isQuoted = text.charAt(0) == '"';
    int end = isQuoted ? text.length() - 1 : text.length();
    if (isQuoted && (end < 1 || text.charAt(end) != '"')) {
      throw new IllegalArgumentException(text + " lacks the quote at its end");
    }
    StringBuilder hex = new StringBuilder();
    int at = isQuoted ? 1 : 0;
    while (at < end) {
      char next = text.charAt(at);
      if (next == '|') {
        int close = text.indexOf('|', at + 1);
        if (close < 0 || close >= end) {
          throw new IllegalArgumentException(text + " lacks a | behind hexadecimal digits");
        }
        hex.append(text.substring(at + 1, close).replace(" ", ""));
        at = close + 1;
      } else {
        if (!isQuoted || next == '"') {
          throw new IllegalArgumentException(
              text + " has '" + next + "' outside of |; write \\\" for a quote");
        }
        boolean isEscaped = next == '\\' && at + 1 < end;
        int code = text.codePointAt(isEscaped ? at + 1 : at);
        byte[] utf8 = Character.toString(code).getBytes(StandardCharsets.UTF_8);
        hex.append(HexFormat.of().formatHex(utf8));
        at += (isEscaped ? 1 : 0) + Character.charCount(code);
      }
    }
    byte[] bytes;
    try {
      bytes = HexFormat.of().parseHex(hex);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          text + " has between | what is not pairs of hexadecimal digits", e);
    }
    if (bytes.length < ByteStrings.LEAST || bytes.length > ByteStrings.MOST) {
      throw new IllegalArgumentException(
          "%s has %d bytes; strings of %d to %d can be found"
              .formatted(text, bytes.length, ByteStrings.LEAST, ByteStrings.MOST));
    }
    return bytes;
  }
}
