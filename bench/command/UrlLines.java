package io.bloomery.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.SplittableRandom;

/**
 * Writes lines like those of a web log: URLs, 40 % of which came before, anywhere. Equal arguments
 * give equal files.
 */
public final class UrlLines {

  private static final byte[][] HOSTS =
      bytes(
          "https://www.example.com/",
          "https://shop.example.org/",
          "https://cdn.example.net/",
          "https://news.example.co.uk/",
          "https://api.example.io/",
          "https://images.example.com/",
          "http://m.example.com/",
          "https://example.de/");
  private static final byte[][] FOLDERS =
      bytes(
          "products/",
          "articles/",
          "users/",
          "search/",
          "static/img/",
          "v2/items/",
          "category/garden/",
          "help/");
  private static final byte[] QUERY = "?ref=".getBytes(US_ASCII);
  private static final byte[] MORE = "&utm_source=newsletter&page=".getBytes(US_ASCII);
  private static final int REPEATED_PERCENT = 40;

  private final byte[] buffer = new byte[1 << 20];
  private int filled;

  private UrlLines() {}

  /** Takes the number of bytes, reached with the last line, and the file; prints two counts. */
  public static void main(String... args) throws IOException {
    new UrlLines().write(Long.parseLong(args[0]), args[1]);
  }

  private void write(long size, String file) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long lines = 0;
    long different = 0;
    long written = 0;
    try (OutputStream out = new FileOutputStream(file)) {
      while (written + filled < size) {
        boolean repeated = different > 0 && random.nextInt(100) < REPEATED_PERCENT;
        line(repeated ? random.nextLong(different) : different++);
        lines++;
        if (filled > buffer.length - 256) {
          out.write(buffer, 0, filled);
          written += filled;
          filled = 0;
        }
      }
      out.write(buffer, 0, filled);
    }
    System.out.println(lines + " " + different);
  }

  /** Everything in a line follows from its number. */
  private void line(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L;
    mixed ^= mixed >>> 32;
    put(HOSTS[(int) (mixed & 7)]);
    put(FOLDERS[(int) (mixed >>> 3 & 7)]);
    put(number, 10);
    put(QUERY);
    put(mixed >>> 16, 16);
    if ((mixed >>> 6 & 7) == 0) {
      put(MORE);
      put(mixed >>> 52, 10);
    }
    buffer[filled++] = '\n';
  }

  private void put(byte[] text) {
    System.arraycopy(text, 0, buffer, filled, text.length);
    filled += text.length;
  }

  private void put(long number, int radix) {
    int digits = 1;
    for (long left = number / radix; left > 0; left /= radix) {
      digits++;
    }
    long left = number;
    for (int i = digits - 1; i >= 0; i--) {
      buffer[filled + i] = (byte) Character.forDigit((int) (left % radix), radix);
      left /= radix;
    }
    filled += digits;
  }

  private static byte[][] bytes(String... texts) {
    byte[][] all = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      all[i] = texts[i].getBytes(US_ASCII);
    }
    return all;
  }
}
