package io.bloomery.tools.spill;

import io.bloomery.tools.input.KeySink;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Byte strings in a few large arrays. They are added one by one and freed all at once. */
public final class Arena {

  private static final VarHandle BIG_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final int PAGE_BYTES = 1 << 20;

  private final List<byte[]> pages = new ArrayList<>();
  private byte[] page = new byte[0];
  private int used;
  private long bytes;

  /** Copies a byte string into the arena and returns its position. */
  public long add(byte[] from, int offset, int length) {
    if (length > page.length - used || pages.isEmpty()) {
      page = new byte[Math.max(length, pages.isEmpty() ? PAGE_BYTES / 16 : PAGE_BYTES)];
      pages.add(page);
      bytes += page.length;
      used = 0;
    }
    System.arraycopy(from, offset, page, used, length);
    long place = (long) (pages.size() - 1) << Integer.SIZE | used;
    used += length;
    return place;
  }

  /** Whether the byte string at a position, of the same length as the given one, equals it. */
  boolean equals(long place, byte[] other, int offset, int length) {
    int start = (int) place;
    return Arrays.equals(page(place), start, start + length, other, offset, offset + length);
  }

  /**
   * Up to eight of the {@code length} bytes at a position, the first as the highest, then zeros.
   */
  long word(long place, int length) {
    byte[] bytes = page(place);
    int start = (int) place;
    if (length >= Long.BYTES) {
      return (long) BIG_ENDIAN.get(bytes, start);
    }
    long word = 0;
    for (int i = 0; i < length; i++) {
      word |= (bytes[start + i] & 0xFFL) << (Long.SIZE - Byte.SIZE * (i + 1));
    }
    return word;
  }

  /** Compares two byte strings, byte by byte, as unsigned numbers. */
  int compare(long place, int length, long other, int otherLength) {
    int start = (int) place;
    int otherStart = (int) other;
    return Arrays.compareUnsigned(
        page(place), start, start + length, page(other), otherStart, otherStart + otherLength);
  }

  /** Passes the {@code length} bytes at a position to the sink. */
  public void get(long place, int length, KeySink sink) {
    sink.key(page(place), (int) place, length);
  }

  private byte[] page(long place) {
    return pages.get((int) (place >>> Integer.SIZE));
  }

  /** The memory used, in bytes. */
  public long bytes() {
    return bytes;
  }
}
