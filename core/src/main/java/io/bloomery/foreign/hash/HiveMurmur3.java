package io.bloomery.foreign.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hive's 64-bit variant of MurmurHash3, which ORC uses, too: one of the two lanes of x64_128 over
 * words of 8 bytes. It is not one half of the 128-bit hash.
 */
public final class HiveMurmur3 {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FIRST = 0x87c37b91114253d5L;
  private static final long SECOND = 0x4cf5ad432745937fL;
  private static final long ADDEND = 0x52dce729L;
  private static final long SEED = 104729;

  private HiveMurmur3() {}

  /** The hash of a range of an array, with Hive's seed. */
  public static long hash64(byte[] bytes, int offset, int length) {
    long hash = SEED;
    int end = offset + (length & -Long.BYTES);
    for (int at = offset; at < end; at += Long.BYTES) {
      hash ^= mixed((long) LONGS.get(bytes, at));
      hash = Long.rotateLeft(hash, 27) * 5 + ADDEND;
    }
    long tail = 0;
    for (int i = 0; i < (length & (Long.BYTES - 1)); i++) {
      tail |= (bytes[end + i] & 0xffL) << (i * Byte.SIZE);
    }
    return finished(hash ^ mixed(tail) ^ length);
  }

  private static long mixed(long word) {
    return Long.rotateLeft(word * FIRST, 31) * SECOND;
  }

  private static long finished(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
