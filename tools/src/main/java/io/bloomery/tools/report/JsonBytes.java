package io.bloomery.tools.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

/**
 * Bytes that are mostly text, in JSON: {@code "key"} is the text. Where the bytes are not UTF-8 it
 * has U+FFFD for what cannot be decoded, and {@code "keyBytes"} next to it holds all bytes in
 * Base64.
 */
public final class JsonBytes {

  private JsonBytes() {}

  /** Adds some bytes under a name. */
  public static void put(
      Map<String, Object> fields, String name, byte[] bytes, int offset, int length) {
    String text = new String(bytes, offset, length, UTF_8);
    fields.put(name, text);
    if (text.indexOf('\uFFFD') >= 0) {
      byte[] exact = Arrays.copyOfRange(bytes, offset, offset + length);
      if (!Arrays.equals(exact, text.getBytes(UTF_8))) {
        fields.put(name + "Bytes", Base64.getEncoder().encodeToString(exact));
      }
    }
  }
}
