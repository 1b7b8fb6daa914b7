package io.bloomery.internal.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.internal.bits.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Texts in a frame: for each the number of its UTF-8 bytes, 4 bytes little-endian, and the bytes;
 * zeros fill up the last word.
 */
public final class Labels {

  /** The most bytes that all texts take. */
  public static final long MAX_BYTES = Integer.MAX_VALUE - 16L;

  private Labels() {}

  /** How many bytes the texts take. */
  public static long bytes(List<String> labels) {
    long bytes = 0;
    for (String label : labels) {
      bytes += Integer.BYTES + label.getBytes(UTF_8).length;
    }
    return bytes;
  }

  /** The words of a section. */
  public static Words encode(List<String> labels) {
    int words = Math.toIntExact((bytes(labels) + 7) / 8);
    ByteBuffer buffer = ByteBuffer.allocate(words * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (String label : labels) {
      byte[] text = label.getBytes(UTF_8);
      buffer.putInt(text.length).put(text);
    }
    long[] values = new long[words];
    buffer.rewind().asLongBuffer().get(values);
    return Words.copyOf(values, false);
  }

  /** The texts of section {@code index}: {@code count} distinct ones in {@code bytes} bytes. */
  public static List<String> decode(Frame frame, int index, long count, long bytes)
      throws IOException {
    Words words = frame.bits(index, bytes * 8);
    ByteBuffer buffer =
        ByteBuffer.allocate((int) words.length() * 8).order(ByteOrder.LITTLE_ENDIAN);
    words.copyTo(0, buffer.asLongBuffer());
    buffer.limit((int) bytes);
    List<String> labels = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      int length = buffer.remaining() < Integer.BYTES ? -1 : buffer.getInt();
      if (length < 0 || length > buffer.remaining()) {
        throw frame.problem("label " + i + " does not fit into its section");
      }
      ByteBuffer text = buffer.slice().limit(length);
      buffer.position(buffer.position() + length);
      try {
        labels.add(UTF_8.newDecoder().decode(text).toString());
      } catch (CharacterCodingException e) {
        throw frame.problem("label " + i + " is not UTF-8");
      }
    }
    if (buffer.hasRemaining() || new HashSet<>(labels).size() < labels.size()) {
      throw frame.problem(
          "labels that are not " + count + " different ones in " + bytes + " bytes");
    }
    return List.copyOf(labels);
  }
}
