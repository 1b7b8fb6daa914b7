package io.bloomery.cli.input;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.cli.console.StandardOutput;
import java.util.HexFormat;

/** Prints keys, alone or after something about them, with the ends that they had in the input. */
public final class KeyPrinter {

  private final StandardOutput out;
  private final Splitter splitter;

  /** Prints keys that {@code splitter} found. */
  public KeyPrinter(StandardOutput out, Splitter splitter) {
    this.out = out;
    this.splitter = splitter;
  }

  /** Prints a key as it is. */
  public void print(byte[] bytes, int offset, int length) {
    byte[] end = splitter.recordEnd();
    out.write(bytes, offset, length);
    out.write(end, 0, end.length);
  }

  /** Prints a key after a text; in hexadecimal digits, a line each, if keys are no text. */
  public void print(String before, byte[] bytes, int offset, int length) {
    write(before);
    if (splitter.isText()) {
      print(bytes, offset, length);
    } else {
      write(text(bytes, offset, length));
      out.write('\n');
    }
  }

  /** A key as a text for programs. */
  public String text(byte[] bytes, int offset, int length) {
    return splitter.isText()
        ? new String(bytes, offset, length, UTF_8)
        : HexFormat.of().formatHex(bytes, offset, offset + length);
  }

  private void write(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    out.write(bytes, 0, bytes.length);
  }

  /** Hands on what was printed. */
  public void flush() {
    out.flush();
  }
}
