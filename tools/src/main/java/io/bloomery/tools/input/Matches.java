package io.bloomery.tools.input;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The places of one byte value, found in eight bytes at a time. */
final class Matches {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;

  private final byte value;
  private final long everywhere; // the value in all eight places

  /** Of this value. */
  Matches(byte value) {
    this.value = value;
    this.everywhere = (value & 0xFF) * ONES;
  }

  /** The highest bit of each of eight bytes that has the value, the first byte as the lowest. */
  long in(byte[] bytes, int at) {
    long zeros = (long) LONGS.get(bytes, at) ^ everywhere;
    return ~(((zeros & LOW_BITS) + LOW_BITS) | zeros | LOW_BITS);
  }

  /** How many of the bytes {@code from…to-1} have the value. */
  int count(byte[] bytes, int from, int to) {
    int count = 0;
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      count += Long.bitCount(in(bytes, at));
    }
    for (; at < to; at++) {
      count += bytes[at] == value ? 1 : 0;
    }
    return count;
  }
}
