package io.bloomery.foreign.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash64A of byte strings (Appleby 2008): MurmurHash2 for 64-bit machines. */
public final class Murmur64A {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0xc6a4a7935bd1e995L;
  private static final int SHIFT = 47;

  private Murmur64A() {}

  /** The hash of a range of an array. */
  public static long hash(byte[] bytes, int offset, int length, long seed) {
    long hash = seed ^ length * MULTIPLIER;
    int end = offset + (length & -Long.BYTES);
    for (int at = offset; at < end; at += Long.BYTES) {
      long word = (long) LONGS.get(bytes, at) * MULTIPLIER;
      hash = (hash ^ (word ^ word >>> SHIFT) * MULTIPLIER) * MULTIPLIER;
    }
    int rest = length & (Long.BYTES - 1);
    if (rest > 0) {
      long tail = 0;
      for (int i = 0; i < rest; i++) {
        tail |= (bytes[end + i] & 0xffL) << (i * Byte.SIZE);
      }
      hash = (hash ^ tail) * MULTIPLIER;
    }
    hash = (hash ^ hash >>> SHIFT) * MULTIPLIER;
    return hash ^ hash >>> SHIFT;
  }
}
