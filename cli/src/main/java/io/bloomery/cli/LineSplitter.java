package io.bloomery.cli;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A key a line. A line ends with {@code \n} or {@code \r\n}; the last one may lack its end. Bytes
 * are never decoded.
 */
final class LineSplitter implements Splitter {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;

  @Override
  public int lastEnd(Block block, int from) {
    byte[] bytes = block.bytes();
    int end = block.length();
    while (end > from && bytes[end - 1] != '\n') {
      end--;
    }
    return end > from ? end : 0;
  }

  @Override
  public void split(Block block) {
    byte[] bytes = block.bytes();
    int length = block.length();
    int start = 0;
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      for (long found = newlines((long) LONGS.get(bytes, at)); found != 0; found &= found - 1) {
        int end = at + (Long.numberOfTrailingZeros(found) >>> 3);
        line(block, bytes, start, end);
        start = end + 1;
      }
    }
    for (; at < length; at++) {
      if (bytes[at] == '\n') {
        line(block, bytes, start, at);
        start = at + 1;
      }
    }
    if (start < length) {
      block.add(start, length, start, length);
    }
  }

  /** The highest bit of each byte that is {@code \n}. */
  private static long newlines(long bytes) {
    long zeros = bytes ^ NEWLINES;
    return ~(((zeros & LOW_BITS) + LOW_BITS) | zeros | LOW_BITS);
  }

  private static void line(Block block, byte[] bytes, int start, int end) {
    int keyEnd = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
    block.add(start, end + 1, start, keyEnd);
  }

  @Override
  public byte[] recordEnd() {
    return new byte[] {'\n'};
  }
}
