package io.bloomery.foreign.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Cassandra's MurmurHash3 x64_128. It takes the up to 15 bytes after the last whole block as signed
 * numbers, so keys with such bytes above 127 hash differently from {@link Murmur3}.
 */
public final class CassandraMurmur3 {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int BLOCK = 2 * Long.BYTES;
  private static final long FIRST = 0x87c37b91114253d5L;
  private static final long SECOND = 0x4cf5ad432745937fL;

  private CassandraMurmur3() {}

  /** The 128-bit hash with seed 0: the first half, then the second. */
  public static long[] hash128(byte[] bytes, int offset, int length) {
    long first = 0;
    long second = 0;
    int end = offset + (length & -BLOCK);
    for (int at = offset; at < end; at += BLOCK) {
      first ^= mixedFirst((long) LONGS.get(bytes, at));
      first = (Long.rotateLeft(first, 27) + second) * 5 + 0x52dce729;
      second ^= mixedSecond((long) LONGS.get(bytes, at + Long.BYTES));
      second = (Long.rotateLeft(second, 31) + first) * 5 + 0x38495ab5;
    }
    int rest = length & (BLOCK - 1);
    second ^= mixedSecond(signedTail(bytes, end + Long.BYTES, rest - Long.BYTES));
    first ^= mixedFirst(signedTail(bytes, end, Math.min(rest, Long.BYTES)));
    first ^= length;
    second ^= length;
    first += second;
    second += first;
    first = finished(first);
    second = finished(second);
    first += second;
    return new long[] {first, second + first};
  }

  private static long signedTail(byte[] bytes, int from, int count) {
    long tail = 0;
    for (int i = 0; i < count; i++) {
      tail ^= (long) bytes[from + i] << (i * Byte.SIZE);
    }
    return tail;
  }

  private static long mixedFirst(long word) {
    return Long.rotateLeft(word * FIRST, 31) * SECOND;
  }

  private static long mixedSecond(long word) {
    return Long.rotateLeft(word * SECOND, 33) * FIRST;
  }

  private static long finished(long hash) {
    long mixed = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
