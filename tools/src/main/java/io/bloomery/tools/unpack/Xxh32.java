package io.bloomery.tools.unpack;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The 32-bit xxHash with seed 0, which lz4 checks its frames by. */
final class Xxh32 {

  private static final int STRIPE = 16;
  private static final int P1 = 0x9E3779B1;
  private static final int P2 = 0x85EBCA77;
  private static final int P3 = 0xC2B2AE3D;
  private static final int P4 = 0x27D4EB2F;
  private static final int P5 = 0x165667B1;
  private static final int P1_PLUS_P2 = 0x24234428; // modulo 2^32

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] rest = new byte[STRIPE];
  private int rested; // bytes in it
  private long length;
  private int a;
  private int b;
  private int c;
  private int d;

  /** Of no bytes yet. */
  Xxh32() {
    reset();
  }

  /** Discards all bytes. */
  void reset() {
    rested = 0;
    length = 0;
    a = P1_PLUS_P2;
    b = P2;
    c = 0;
    d = -P1;
  }

  /** Takes more bytes. */
  void update(byte[] bytes, int offset, int count) {
    int at = offset;
    int end = offset + count;
    length += count;
    if (rested > 0) {
      int more = Math.min(STRIPE - rested, count);
      System.arraycopy(bytes, at, rest, rested, more);
      rested += more;
      at += more;
      if (rested == STRIPE) {
        stripe(rest, 0);
        rested = 0;
      }
    }
    for (; end - at >= STRIPE; at += STRIPE) {
      stripe(bytes, at);
    }
    if (at < end) {
      System.arraycopy(bytes, at, rest, 0, end - at);
      rested = end - at;
    }
  }

  private void stripe(byte[] bytes, int at) {
    a = round(a, word(bytes, at));
    b = round(b, word(bytes, at + 4));
    c = round(c, word(bytes, at + 8));
    d = round(d, word(bytes, at + 12));
  }

  private static int round(int lane, int word) {
    return Integer.rotateLeft(lane + word * P2, 13) * P1;
  }

  private static int word(byte[] bytes, int at) {
    return (int) WORDS.get(bytes, at);
  }

  /** The hash of all bytes so far. */
  int value() {
    int hash =
        length < STRIPE
            ? P5
            : Integer.rotateLeft(a, 1)
                + Integer.rotateLeft(b, 7)
                + Integer.rotateLeft(c, 12)
                + Integer.rotateLeft(d, 18);
    hash += (int) length;
    int at = 0;
    for (; rested - at >= Integer.BYTES; at += Integer.BYTES) {
      hash = Integer.rotateLeft(hash + word(rest, at) * P3, 17) * P4;
    }
    for (; at < rested; at++) {
      hash = Integer.rotateLeft(hash + (rest[at] & 0xFF) * P5, 11) * P1;
    }
    hash = (hash ^ hash >>> 15) * P2;
    hash = (hash ^ hash >>> 13) * P3;
    return hash ^ hash >>> 16;
  }
}
