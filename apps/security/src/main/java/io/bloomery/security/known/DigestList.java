package io.bloomery.security.known;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomery.security.known.KnownOptions.Digest;
import io.bloomery.tools.name.Octets;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one list: digests in hexadecimal, alone or before a name as {@code sha256sum} writes
 * them, its lines with {@code --tag}, the output of hashdeep, or CSV with a header as the National
 * Software Reference Library publishes it.
 */
final class DigestList {

  /** What a line is. */
  enum Line {
    /** A digest. */
    DIGEST,
    /** A header, a comment, or nothing. */
    OTHER,
    /** Neither. */
    BROKEN
  }

  private enum Form {
    PLAIN,
    HASHDEEP,
    CSV
  }

  private static final int UNKNOWN = -1;
  private static final byte[] HASHDEEP = "%%%% ".getBytes(ISO_8859_1);

  private @Nullable Digest digest; // null until a line decides
  private @Nullable Form form; // null until the first line was read
  private int digestColumn = UNKNOWN;
  private int sizeColumn = UNKNOWN;
  private int nameColumn = UNKNOWN;
  private byte[] value = {};
  private @Nullable String name;
  private long size;
  private String problem = "";

  /**
   * A list that has not been read.
   *
   * @param digest the digest that it must hold; null: as its first digest shows
   */
  DigestList(@Nullable Digest digest) {
    this.digest = digest;
  }

  /** Which digest the list holds; null if no line has decided. */
  @Nullable Digest digest() {
    return digest;
  }

  /** The digest of the last line. */
  byte[] value() {
    return value;
  }

  /** The name of the file in the last line; null if it has none. */
  @Nullable String name() {
    return name;
  }

  /** The size of the file in the last line, negative if it has none. */
  long size() {
    return size;
  }

  /** What is wrong with the last line. */
  String problem() {
    return problem;
  }

  /** Reads a line. */
  Line read(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && (bytes[end - 1] == ' ' || bytes[end - 1] == '\t')) {
      end--;
    }
    name = null;
    size = UNKNOWN;
    if (from == end) {
      return Line.OTHER;
    }
    if (begins(HASHDEEP, bytes, from, end)) {
      form = Form.HASHDEEP;
      return columns(fields(bytes, from + HASHDEEP.length, end)) ? Line.OTHER : first(bytes, from);
    }
    if (form == null) {
      List<String> fields = fields(bytes, from, end);
      form = fields.size() > 1 && isHeader(fields) ? Form.CSV : Form.PLAIN;
      if (form == Form.CSV) {
        return columns(fields) ? Line.OTHER : broken("the header has no column of " + label());
      }
    }
    if (bytes[from] == '#') {
      return Line.OTHER;
    }
    return form == Form.PLAIN ? plain(bytes, from, to, end) : row(fields(bytes, from, to));
  }

  /** The first line of hashdeep has no columns, but its version. */
  private Line first(byte[] bytes, int from) {
    return bytes[from + HASHDEEP.length] == 'H'
        ? Line.OTHER
        : broken("the header has no column of " + label());
  }

  private Line broken(String why) {
    problem = why;
    return Line.BROKEN;
  }

  private String label() {
    return digest == null ? "SHA-256, SHA-1 or MD5" : digest.label();
  }

  private static boolean begins(byte[] start, byte[] bytes, int from, int to) {
    if (to - from <= start.length) {
      return false;
    }
    for (int i = 0; i < start.length; i++) {
      if (bytes[from + i] != start[i]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHeader(List<String> fields) {
    return fields.stream().anyMatch(field -> digestOf(field) != null);
  }

  private static @Nullable Digest digestOf(String column) {
    String plain = column.strip().replace("-", "").toUpperCase(Locale.ROOT);
    for (Digest each : Digest.values()) {
      if (each.name().equals(plain)) {
        return each;
      }
    }
    return null;
  }

  /** Takes a header; returns whether it has a column of the digest. */
  private boolean columns(List<String> header) {
    digestColumn = UNKNOWN;
    for (Digest each : Digest.values()) {
      for (int i = 0; i < header.size() && digestColumn == UNKNOWN; i++) {
        if ((digest == null || digest == each) && digestOf(header.get(i)) == each) {
          digestColumn = i;
          digest = each;
        }
      }
    }
    List<String> names =
        header.stream().map(each -> each.strip().toLowerCase(Locale.ROOT)).toList();
    sizeColumn = Math.max(names.indexOf("size"), names.indexOf("filesize"));
    nameColumn = form == Form.HASHDEEP ? names.indexOf("filename") : UNKNOWN;
    return digestColumn != UNKNOWN;
  }

  private Line row(List<String> fields) {
    if (digestColumn == UNKNOWN) {
      return broken("the header has no column of " + label());
    }
    if (digestColumn >= fields.size()) {
      return broken("there are fewer columns than in the header");
    }
    String field = fields.get(digestColumn).strip();
    if (digest == null || field.length() != 2 * digest.length() || !take(field)) {
      return broken("the column of " + label() + " does not hold one");
    }
    if (nameColumn != UNKNOWN && nameColumn < fields.size()) {
      name = String.join(",", fields.subList(nameColumn, fields.size())); // which may have commas
    }
    if (nameColumn != UNKNOWN && sizeColumn != UNKNOWN) {
      size = number(fields.get(sizeColumn));
    }
    return Line.DIGEST;
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }

  private Line plain(byte[] bytes, int from, int to, int end) {
    boolean escaped = bytes[from] == '\\';
    int start = escaped ? from + 1 : from;
    int stop = start;
    while (stop < end && Character.digit(bytes[stop], 16) >= 0) {
      stop++;
    }
    if (stop < end && !isSeparator(bytes[stop])) {
      return tagged(bytes, start, to, end, escaped);
    }
    if (!take(new String(bytes, start, stop - start, ISO_8859_1))) {
      return broken("does not begin with " + expected());
    }
    if (to - stop > 2 && bytes[stop] == ' ' && (bytes[stop + 1] == ' ' || bytes[stop + 1] == '*')) {
      name = name(bytes, stop + 2, to, escaped);
    }
    return Line.DIGEST;
  }

  private static boolean isSeparator(byte next) {
    return next == ' ' || next == '\t' || next == ':' || next == ',' || next == ';';
  }

  /** {@code SHA256 (name) = 0123…}. */
  private Line tagged(byte[] bytes, int start, int to, int end, boolean escaped) {
    String line = new String(bytes, start, end - start, ISO_8859_1);
    int open = line.indexOf(" (");
    int close = line.lastIndexOf(") = ");
    Digest tag = open < 0 || close < open ? null : digestOf(line.substring(0, open));
    if (tag == null) {
      return broken("does not begin with " + expected());
    }
    if (digest == null) {
      digest = tag;
    }
    if (digest != tag || !take(line.substring(close + 4))) {
      return broken("does not end with " + expected());
    }
    name = name(bytes, start + open + 2, Math.min(to, start + close), escaped);
    return Line.DIGEST;
  }

  private String expected() {
    return digest == null
        ? "64, 40 or 32 hexadecimal digits"
        : "%d hexadecimal digits, a digest of %s".formatted(2 * digest.length(), digest.label());
  }

  /** Takes a digest in hexadecimal; returns whether it is one. */
  private boolean take(String hex) {
    if (digest == null) {
      for (Digest each : Digest.values()) {
        if (hex.length() == 2 * each.length()) {
          digest = each;
        }
      }
    }
    if (digest == null || hex.length() != 2 * digest.length()) {
      return false;
    }
    byte[] bytes = new byte[digest.length()];
    for (int i = 0; i < bytes.length; i++) {
      int high = Character.digit(hex.charAt(2 * i), 16);
      int low = Character.digit(hex.charAt(2 * i + 1), 16);
      if ((high | low) < 0) {
        return false;
      }
      bytes[i] = (byte) (high << 4 | low);
    }
    value = bytes;
    return true;
  }

  /** A name, of which {@code sha256sum} escapes backslashes and line ends. */
  private static String name(byte[] bytes, int from, int to, boolean escaped) {
    if (!escaped) {
      return Octets.text(bytes, from, to - from);
    }
    ByteArrayOutputStream plain = new ByteArrayOutputStream(to - from);
    for (int i = from; i < to; i++) {
      boolean pair = bytes[i] == '\\' && i + 1 < to;
      i += pair ? 1 : 0;
      plain.write(!pair ? bytes[i] : bytes[i] == 'n' ? '\n' : bytes[i] == 'r' ? '\r' : bytes[i]);
    }
    return Octets.text(plain.toByteArray());
  }

  /** The fields between commas, without quotes. */
  private List<String> fields(byte[] bytes, int from, int to) {
    boolean quotes = form != Form.HASHDEEP;
    List<String> fields = new ArrayList<>();
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    boolean quoted = false;
    for (int i = from; i < to; i++) {
      if (quotes && bytes[i] == '"') {
        boolean pair = quoted && i + 1 < to && bytes[i + 1] == '"';
        quoted = pair || !quoted;
        if (pair) {
          field.write('"');
          i++;
        }
      } else if (bytes[i] == ',' && !quoted) {
        fields.add(Octets.text(field.toByteArray()));
        field.reset();
      } else {
        field.write(bytes[i]);
      }
    }
    fields.add(Octets.text(field.toByteArray()));
    return fields;
  }
}
