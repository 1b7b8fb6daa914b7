package io.bloomery.tools.input;

import io.bloomery.tools.problem.UnreadFormatException;
import java.io.IOException;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Brotli data have no mark; a name that ends with .br and content that is not text give them away.
 */
final class BrotliFile {

  private static final int LOOKED_AT = 512;

  private BrotliFile() {}

  /** Refuses Brotli data; leaves the source, which takes back 512 bytes, as it was. */
  static void refuse(String name, PushbackInputStream source) throws IOException {
    if (!name.toLowerCase(Locale.ROOT).endsWith(".br")) {
      return;
    }
    byte[] start = source.readNBytes(LOOKED_AT);
    source.unread(start);
    if (!isText(start)) {
      throw new UnreadFormatException(
          FileMark.NOT_KEYS + "packed by Brotli; brotli -dc %s | bloom … reads it".formatted(name));
    }
  }

  /** Whether bytes are UTF-8 that may be cut off at the end, without control characters. */
  private static boolean isText(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer text = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), text, false);
    text.flip();
    return !result.isError()
        && text.chars().allMatch(c -> !Character.isISOControl(c) || Character.isWhitespace(c));
  }
}
