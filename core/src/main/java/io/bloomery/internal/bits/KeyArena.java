package io.bloomery.internal.bits;

import java.util.Arrays;

/** Keys concatenated in one array, with duplicates. At most 2 GiB. */
public final class KeyArena {

  private static final int MOST = Integer.MAX_VALUE - 16;

  private byte[] bytes = new byte[1 << 10];
  private int[] ends = new int[1 << 7];
  private int count;

  /** Whether there is room for another key of this length. */
  public boolean fits(int length) {
    return length <= MOST - start(count) && count < MOST;
  }

  public void add(byte[] from, int offset, int length) {
    int start = start(count);
    if (!fits(length)) {
      throw new IllegalArgumentException(
          "a set has at most " + MOST + " bytes of keys; " + count + " keys are full");
    }
    if (start + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(MOST, Math.max(2L * start, start + length)));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, (int) Math.min(MOST, 2L * count));
    }
    System.arraycopy(from, offset, bytes, start, length);
    ends[count++] = start + length;
  }

  public int count() {
    return count;
  }

  public byte[] bytes() {
    return bytes;
  }

  public int start(int key) {
    return key == 0 ? 0 : ends[key - 1];
  }

  public int length(int key) {
    return ends[key] - start(key);
  }

  public byte[] copy(int key) {
    return Arrays.copyOfRange(bytes, start(key), ends[key]);
  }

  public boolean equals(int key, byte[] other, int offset, int length) {
    return Arrays.equals(bytes, start(key), ends[key], other, offset, offset + length);
  }
}
