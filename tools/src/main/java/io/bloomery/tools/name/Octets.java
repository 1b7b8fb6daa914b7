package io.bloomery.tools.name;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Text that keeps bytes: it is decoded as UTF-8, and a byte that is not part of it becomes a lone
 * surrogate, U+DC80 to U+DCFF, as Python's {@code surrogateescape} does it. Arguments of the
 * command line and names of files are such texts, so that keys and files with any bytes pass
 * through strings unchanged.
 *
 * <p>The JVM makes paths of strings in the encoding of the locale. Paths made here have the bytes
 * of the text in every locale: by way of a {@code file:} URI, whose escapes the JDK takes as bytes.
 */
public final class Octets {

  private static final char FIRST = '\uDC80';
  private static final char LAST = '\uDCFF';
  private static final int BASE = 0xDC00;
  private static final Path ROOT = Path.of("/"); // absolute where names are bytes
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private Octets() {}

  /** The text that stands for these bytes. */
  public static String text(byte[] bytes) {
    return text(bytes, 0, bytes.length);
  }

  /** The text that stands for some of these bytes. */
  public static String text(byte[] bytes, int offset, int length) {
    String plain = new String(bytes, offset, length, UTF_8);
    return plain.indexOf('\uFFFD') < 0 ? plain : escaped(bytes, offset, length);
  }

  private static String escaped(byte[] bytes, int offset, int length) {
    CharsetDecoder decoder =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
    CharBuffer out = CharBuffer.allocate(length);
    CoderResult result = decoder.decode(in, out, true);
    while (result.isError()) {
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (BASE + (in.get() & 0xFF)));
      }
      decoder.reset();
      result = decoder.decode(in, out, true);
    }
    return out.flip().toString();
  }

  /** The bytes that a text stands for. Other lone surrogates become {@code ?}. */
  public static byte[] bytes(String text) {
    int next = escape(text, 0);
    if (next == text.length()) {
      return text.getBytes(UTF_8);
    }
    byte[] bytes = new byte[3 * text.length()];
    int count = 0;
    int from = 0;
    while (from < text.length()) {
      byte[] plain = text.substring(from, next).getBytes(UTF_8);
      System.arraycopy(plain, 0, bytes, count, plain.length);
      count += plain.length;
      if (next < text.length()) {
        bytes[count++] = (byte) text.charAt(next);
      }
      from = next + 1;
      next = escape(text, from);
    }
    return Arrays.copyOf(bytes, count);
  }

  /** Whether all of the text is UTF-8. */
  public static boolean isText(String text) {
    return escape(text, 0) == text.length();
  }

  /** Where the next byte that is not UTF-8 stands, or the length of the text. */
  private static int escape(String text, int from) {
    int i = from;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i += 2;
      } else if (c >= FIRST && c <= LAST) {
        return i;
      } else {
        i++;
      }
    }
    return Math.min(i, text.length());
  }

  /** The file of this name. */
  public static Path path(String name) {
    if (isPlain(name) || !ROOT.isAbsolute()) {
      return Path.of(name);
    }
    byte[] bytes = bytes(name);
    boolean absolute = bytes[0] == '/';
    StringBuilder uri = new StringBuilder(absolute ? "file://" : "file:///");
    for (byte b : bytes) {
      if (b == '/') {
        uri.append('/');
      } else {
        uri.append('%').append(HEX.toHexDigits(b));
      }
    }
    Path path = Path.of(URI.create(uri.toString()));
    return absolute ? path : path.subpath(0, path.getNameCount());
  }

  /** The name of a file; what {@link #path} takes. */
  public static String name(Path file) {
    String name = file.toString();
    if ((isPlain(name) && name.indexOf('\uFFFD') < 0) || !ROOT.isAbsolute()) {
      return name;
    }
    String uri = ROOT.resolve(file).toUri().getRawPath();
    byte[] bytes = new byte[uri.length()];
    int count = 0;
    for (int i = file.isAbsolute() ? 0 : 1; i < uri.length(); i++) {
      if (uri.charAt(i) == '%') {
        bytes[count++] = (byte) HexFormat.fromHexDigits(uri, i + 1, i + 3);
        i += 2;
      } else {
        bytes[count++] = (byte) uri.charAt(i);
      }
    }
    boolean directory = count > 1 && bytes[count - 1] == '/'; // which the JDK has looked up
    return text(bytes, 0, directory ? count - 1 : count);
  }

  /** A file by its whole name, whether or not the JVM can decode the current directory. */
  public static Path absolute(Path file) {
    if (file.isAbsolute()) {
      return file;
    }
    try {
      return Path.of("").toRealPath().resolve(file);
    } catch (IOException e) {
      return file.toAbsolutePath(); // the current directory is gone
    }
  }

  /** Opens a file or a pipe. */
  public static InputStream open(String name) throws IOException {
    // A stream of a channel cannot tell how much of a pipe is available.
    return isPlain(name) ? new FileInputStream(name) : Files.newInputStream(path(name));
  }

  /** Whether the JVM itself converts a text to the right bytes. */
  private static boolean isPlain(String text) {
    return isAscii(text)
        || ("UTF-8".equals(System.getProperty("sun.jnu.encoding")) && isText(text));
  }

  /** Whether all of the text is ASCII. */
  public static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
