package io.bloomery.cli.spill;

import io.bloomery.cli.input.KeySink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Byte strings in few large arrays. They are added one after another and leave all at once. */
public final class Arena {

  private static final int PAGE_BYTES = 1 << 20;

  private final List<byte[]> pages = new ArrayList<>();
  private byte[] page = new byte[0];
  private int used;
  private long bytes;

  /** Copies a byte string here and gives its place. */
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

  /** Whether the byte string at a place, as long as the given one, equals it. */
  boolean equals(long place, byte[] other, int offset, int length) {
    int start = (int) place;
    return Arrays.equals(page(place), start, start + length, other, offset, offset + length);
  }

  /** Gives the {@code length} bytes at a place. */
  public void get(long place, int length, KeySink sink) {
    sink.key(page(place), (int) place, length);
  }

  private byte[] page(long place) {
    return pages.get((int) (place >>> Integer.SIZE));
  }

  /** How much memory it takes. */
  public long bytes() {
    return bytes;
  }
}
