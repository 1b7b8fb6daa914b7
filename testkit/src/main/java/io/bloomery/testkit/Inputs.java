package io.bloomery.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** Content of files that tests read. */
public final class Inputs {

  private Inputs() {}

  /** The numbers from 0 on, one per line. */
  public static String numbers(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(i).append('\n');
    }
    return lines.toString();
  }

  /** A text as gzip compresses it. */
  public static byte[] gzip(String text) throws IOException {
    return gzip(text.getBytes(UTF_8));
  }

  /** Bytes as gzip compresses them. */
  public static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }
}
