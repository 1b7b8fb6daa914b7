package io.bloomery.net.scan;

import java.util.Arrays;

/** Byte strings, each with a number from 0 on, found by hashes of {@link ContentHash}. */
final class ByteTable {

  private static final int MOST_BYTES = Integer.MAX_VALUE - 16;

  private byte[] bytes = new byte[256];
  private int[] ends = new int[16];
  private int[] slots = new int[32]; // number + 1
  private int[] checks = new int[32]; // the upper half of the hash, from which its place follows
  private int count;

  /** Adds a string if it is new; returns its number. */
  int add(byte[] key, long hash) {
    int known = find(key, 0, key.length, hash);
    if (known >= 0) {
      return known;
    }
    int start = start(count);
    if (start > MOST_BYTES - key.length) {
      throw new IllegalArgumentException("all indicators together exceed 2 GiB");
    }
    if (start + key.length > bytes.length) {
      long size = Math.max((long) start + key.length, bytes.length * 3L / 2);
      bytes = Arrays.copyOf(bytes, (int) Math.min(MOST_BYTES, size));
    }
    System.arraycopy(key, 0, bytes, start, key.length);
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
    }
    ends[count++] = start + key.length;
    if (2 * count > slots.length) {
      grow();
    }
    put(slots, checks, count, (int) (hash >>> Integer.SIZE));
    return count - 1;
  }

  private void grow() {
    int[] larger = new int[slots.length * 2];
    int[] moved = new int[slots.length * 2];
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] != 0) {
        put(larger, moved, slots[i], checks[i]);
      }
    }
    slots = larger;
    checks = moved;
  }

  private static void put(int[] slots, int[] checks, int number, int check) {
    int mask = slots.length - 1;
    int at = spread(check) & mask;
    while (slots[at] != 0) {
      at = (at + 1) & mask;
    }
    slots[at] = number;
    checks[at] = check;
  }

  private static int spread(int check) {
    return (check * 0x9E3779B1) ^ (check >>> 15);
  }

  /** The number of a string; -1 if it is none of these. */
  int find(byte[] from, int at, int length, long hash) {
    int check = (int) (hash >>> Integer.SIZE);
    int mask = slots.length - 1;
    for (int i = spread(check) & mask; slots[i] != 0; i = (i + 1) & mask) {
      int number = slots[i] - 1;
      if (checks[i] == check
          && Arrays.equals(bytes, start(number), ends[number], from, at, at + length)) {
        return number;
      }
    }
    return -1;
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  int size() {
    return count;
  }

  int length(int number) {
    return ends[number] - start(number);
  }

  /** A byte of a string. */
  byte at(int number, int index) {
    return bytes[start(number) + index];
  }

  byte[] get(int number) {
    return Arrays.copyOfRange(bytes, start(number), ends[number]);
  }

  long memory() {
    return bytes.length + 4L * (ends.length + slots.length + checks.length);
  }
}
