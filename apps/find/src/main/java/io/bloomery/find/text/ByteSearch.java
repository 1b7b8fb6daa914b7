package io.bloomery.find.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Finds a sequence of bytes. A sequence of 16 bytes or more is aligned with the text from left to
 * right; the last two bytes under it determine how far it can be moved without missing a match,
 * mostly its length minus one (Horspool 1980 with pairs, as Baeza-Yates proposed). Of shorter ones,
 * eight positions are tested at a time, by the two bytes that are rarest in a sample of the text;
 * where the rarest is rare enough, 32 positions by this byte alone come first. Immutable and
 * thread-safe.
 */
public final class ByteSearch {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final int STEP = 4 * Long.BYTES;
  private static final int SAMPLE = 1 << 12;
  private static final int RARE = 64; // occurs in fewer than one byte in 64

  private static final int LONG = 16; // shorter ones would be moved too little at a time
  private static final int SLOTS = 1 << 12;
  private static final int MAX_STEP = 0xFF;

  private final byte[] key;
  private final byte[] steps; // how far each pair of bytes moves the sequence; none if it is short
  private final int again; // how far it is moved where its last pair is
  private final int first; // offset of the rarest byte
  private final int second; // offset of the next rarest; the same if there is no other
  private final long firsts; // the byte in all eight places
  private final long seconds;
  private final boolean rare;

  /**
   * Takes the sequence, which must not be empty, and an array that starts with text like that to be
   * searched.
   */
  public ByteSearch(byte[] key, byte[] text, int length) {
    int[] counts = new int[256];
    int sample = key.length < LONG ? Math.min(SAMPLE, length) : 0;
    for (int i = 0; i < sample; i++) {
      counts[text[i] & 0xFF]++;
    }
    this.key = key.clone();
    this.first = rarest(counts, -1);
    this.second = key.length == 1 ? first : rarest(counts, first);
    this.firsts = (key[first] & 0xFF) * ONES;
    this.seconds = (key[second] & 0xFF) * ONES;
    this.rare = counts[key[first] & 0xFF] * RARE < sample;
    this.steps = key.length < LONG ? new byte[0] : steps(key);
    this.again = steps.length == 0 ? 1 : steps[SLOTS] & 0xFF;
  }

  /** The step of each slot; one more is that of the last pair, apart from its own place. */
  private static byte[] steps(byte[] key) {
    byte[] steps = new byte[SLOTS + 1];
    int last = key.length - 2;
    Arrays.fill(steps, (byte) Math.min(MAX_STEP, last + 1));
    for (int i = 0; i < last; i++) {
      steps[slot(key[i], key[i + 1])] = (byte) Math.min(MAX_STEP, last - i);
    }
    int slot = slot(key[last], key[last + 1]);
    steps[SLOTS] = steps[slot];
    steps[slot] = 0;
    return steps;
  }

  private static int slot(byte first, byte second) {
    return ((first << 4) ^ (second & 0xFF)) & (SLOTS - 1);
  }

  private int rarest(int[] counts, int except) {
    int rarest = except == 0 ? 1 : 0;
    for (int i = rarest + 1; i < key.length; i++) {
      if (i != except && counts[key[i] & 0xFF] < counts[key[rarest] & 0xFF]) {
        rarest = i;
      }
    }
    return rarest;
  }

  /** The first position of the sequence in a range, or {@code to} if it is not there. */
  public int find(byte[] bytes, int from, int to) {
    return steps.length == 0 ? findShort(bytes, from, to) : findLong(bytes, from, to);
  }

  private int findLong(byte[] bytes, int from, int to) {
    byte[] table = steps;
    int before = key.length - 1;
    int end = from + before;
    while (end < to) {
      int step = table[slot(bytes[end - 1], bytes[end])] & 0xFF;
      if (step == 0) {
        if (isAt(bytes, end - before)) {
          return end - before;
        }
        step = again;
      }
      end += step;
    }
    return to;
  }

  private int findShort(byte[] bytes, int from, int to) {
    int last = to - key.length;
    int at = from;
    for (; at <= last - (STEP - 1); at += STEP) {
      if (!rare || hasFirst(bytes, at + first)) {
        for (int group = at; group < at + STEP; group += Long.BYTES) {
          int place = find(bytes, group);
          if (place >= 0) {
            return place;
          }
        }
      }
    }
    for (; at <= last; at++) {
      if (isAt(bytes, at)) {
        return at;
      }
    }
    return to;
  }

  /** Whether the rarest byte is perhaps among 32. */
  private boolean hasFirst(byte[] bytes, int at) {
    long a = (long) LONGS.get(bytes, at) ^ firsts;
    long b = (long) LONGS.get(bytes, at + Long.BYTES) ^ firsts;
    long c = (long) LONGS.get(bytes, at + 2 * Long.BYTES) ^ firsts;
    long d = (long) LONGS.get(bytes, at + 3 * Long.BYTES) ^ firsts;
    return ((((a - ONES) & ~a) | ((b - ONES) & ~b) | ((c - ONES) & ~c) | ((d - ONES) & ~d)) & HIGHS)
        != 0;
  }

  /** The first of eight positions where the sequence is, or -1. */
  private int find(byte[] bytes, int at) {
    long differences =
        ((long) LONGS.get(bytes, at + first) ^ firsts)
            | ((long) LONGS.get(bytes, at + second) ^ seconds);
    // Marks every zero byte, and perhaps bytes above one, which are compared needlessly.
    for (long marks = (differences - ONES) & ~differences & HIGHS; marks != 0; marks &= marks - 1) {
      int place = at + (Long.numberOfTrailingZeros(marks) >>> 3);
      if (isAt(bytes, place)) {
        return place;
      }
    }
    return -1;
  }

  private boolean isAt(byte[] bytes, int place) {
    return Arrays.equals(bytes, place, place + key.length, key, 0, key.length);
  }
}
