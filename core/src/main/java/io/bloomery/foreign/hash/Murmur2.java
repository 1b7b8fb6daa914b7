package io.bloomery.foreign.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash2 of byte strings (Appleby 2008). */
public final class Murmur2 {

  private static final int FACTOR = 0x5bd1e995;
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Murmur2() {}

  /**
   * The 32-bit hash as Hadoop computes it. The last 1 to 3 bytes are signed and the last of them is
   * the lowest; MurmurHash2 itself takes them unsigned and the other way round. Equal for lengths
   * that are multiples of 4.
   */
  public static int hadoopHash32(byte[] bytes, int offset, int length, int seed) {
    int end = offset + length;
    int blocks = offset + (length & ~3);
    int hash = seed ^ length;
    for (int i = offset; i < blocks; i += Integer.BYTES) {
      int block = (int) INTS.get(bytes, i) * FACTOR;
      hash = hash * FACTOR ^ (block ^ block >>> 24) * FACTOR;
    }
    if (blocks < end) {
      for (int i = blocks; i < end; i++) {
        hash ^= bytes[i] << ((end - 1 - i) * Byte.SIZE);
      }
      hash *= FACTOR;
    }
    hash = (hash ^ hash >>> 13) * FACTOR;
    return hash ^ hash >>> 15;
  }
}
