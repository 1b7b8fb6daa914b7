package io.bloomery.tools.problem;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.tools.name.Octets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/**
 * Escapes characters that a terminal would interpret: control characters become {@code \x1b},
 * {@code \n}, {@code \r}, those beyond ASCII and the ones that reverse the direction of text {@code
 * \u202e}, and bytes that are not UTF-8 {@code \xff}. Everything else stays as it is, tabs
 * included.
 *
 * <p>On one line this is reversible: a backslash is doubled where it could be read as the beginning
 * of an escape. Lines that pass to a terminal keep their backslashes.
 */
public final class Visible {

  private final OutputStream out;
  private final boolean lines;
  private final byte[] begun = new byte[4]; // of a character, or \r
  private int length;
  private int wanted;

  /** Writes to {@code out}; line ends stay as they are if {@code lines}. */
  public Visible(OutputStream out, boolean lines) {
    this.out = out;
    this.lines = lines;
  }

  /** A text on one line. */
  public static String line(String text) {
    int first = 0;
    while (first < text.length() && text.charAt(first) != '\\' && !isObeyed(text.charAt(first))) {
      first++;
    }
    return first == text.length() && Octets.isText(text) ? text : shown(Octets.bytes(text), false);
  }

  /** A text whose line ends stay as they are. */
  public static String lines(String text) {
    return shown(Octets.bytes(text), true);
  }

  private static String shown(byte[] bytes, boolean lines) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 16);
    write(out, lines, bytes, 0, bytes.length);
    return out.toString(UTF_8);
  }

  /** Some bytes on one line. */
  public static byte[] line(byte[] bytes, int offset, int length) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 16);
    write(out, false, bytes, offset, length);
    return out.toByteArray();
  }

  private static void write(OutputStream out, boolean lines, byte[] bytes, int offset, int length) {
    try {
      Visible visible = new Visible(out, lines);
      for (int i = offset; i < offset + length; i++) {
        if (bytes[i] == '\\' && !lines && isAmbiguous(bytes, i + 1, offset + length)) {
          visible.add((byte) '\\');
        }
        visible.add(bytes[i]);
      }
      visible.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // out is in memory
    }
  }

  /** Whether what follows a backslash could be taken for the rest of an escape. */
  private static boolean isAmbiguous(byte[] bytes, int next, int end) {
    if (next == end) {
      return false;
    }
    return switch (bytes[next]) {
      case '\\', 'n', 'r', 0x7F -> true;
      case 'x' -> isHex(bytes, next + 1, next + 3, end);
      case 'u' -> isHex(bytes, next + 1, next + 5, end);
      default -> bytes[next] < ' '; // is perhaps escaped itself
    };
  }

  private static boolean isHex(byte[] bytes, int from, int to, int end) {
    int i = from;
    while (i < Math.min(to, end) && HexFormat.isHexDigit(bytes[i])) {
      i++;
    }
    return i == to;
  }

  /** Writes some bytes, of which the last may be the beginning of a character. */
  public void write(byte[] bytes, int offset, int count) throws IOException {
    for (int i = offset; i < offset + count; i++) {
      add(bytes[i]);
    }
  }

  /** Writes what was begun. */
  public void end() throws IOException {
    int count = length;
    length = 0;
    for (int i = 0; i < count; i++) {
      show(begun[i] == '\r' ? "\\r" : "\\x%02x".formatted(begun[i] & 0xFF));
    }
  }

  private void add(byte next) throws IOException {
    if (length > 0 && begun[0] == '\r' && next == '\n' && lines) {
      length = 0;
      out.write('\r');
      out.write('\n');
    } else if (length > 0 && begun[0] != '\r' && isContinued(next)) {
      begun[length++] = next;
      if (length == wanted) {
        length = 0;
        character();
      }
    } else {
      end();
      begin(next);
    }
  }

  private void begin(byte next) throws IOException {
    int value = next & 0xFF;
    if (value == '\r' || (value >= 0xC2 && value <= 0xF4)) {
      begun[0] = next;
      length = 1;
      wanted = value < 0xE0 ? 2 : value < 0xF0 ? 3 : 4;
    } else if (value == '\n' && !lines) {
      show("\\n");
    } else if (value >= 0x80 || (value != '\n' && isObeyed(value))) {
      show("\\x%02x".formatted(value));
    } else {
      out.write(value);
    }
  }

  /** Whether a byte goes on with the character: no overlong form, no surrogate, in range. */
  private boolean isContinued(byte next) {
    int value = next & 0xFF;
    int least = 0x80;
    int most = 0xBF;
    if (length == 1) {
      switch (begun[0] & 0xFF) {
        case 0xE0 -> least = 0xA0;
        case 0xED -> most = 0x9F;
        case 0xF0 -> least = 0x90;
        case 0xF4 -> most = 0x8F;
        default -> {}
      }
    }
    return value >= least && value <= most;
  }

  private void character() throws IOException {
    int point = new String(begun, 0, wanted, UTF_8).codePointAt(0);
    if (isObeyed(point)) {
      show("\\u%04x".formatted(point));
    } else {
      out.write(begun, 0, wanted);
    }
  }

  private void show(String ascii) throws IOException {
    out.write(ascii.getBytes(US_ASCII));
  }

  /** Control characters but the tab, line separators, and marks of direction. */
  public static boolean isObeyed(int point) {
    return (point < ' ' && point != '\t')
        || (point >= 0x7F && point <= 0x9F)
        || point == 0x061C
        || (point >= 0x200E && point <= 0x200F)
        || (point >= 0x2028 && point <= 0x202E)
        || (point >= 0x2066 && point <= 0x2069);
  }
}
