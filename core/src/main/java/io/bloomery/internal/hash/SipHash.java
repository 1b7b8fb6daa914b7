package io.bloomery.internal.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012): 64 bits under a
 * 128-bit key. Implemented here because hash4j has no keyed function; tested against the paper's
 * vectors.
 */
public final class SipHash {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long k0;
  private final long k1;

  /** The function under a key of 16 bytes. */
  public SipHash(byte[] key) {
    k0 = (long) LONG.get(key, 0);
    k1 = (long) LONG.get(key, Long.BYTES);
  }

  /** The hash of a range of bytes. */
  public long hash(byte[] bytes, int offset, int length) {
    State s = new State(k0, k1);
    int whole = offset + (length & ~7);
    for (int i = offset; i < whole; i += Long.BYTES) {
      s.absorb((long) LONG.get(bytes, i));
    }
    long last = (long) length << 56;
    for (int i = whole, shift = 0; i < offset + length; i++, shift += 8) {
      last |= (bytes[i] & 0xFFL) << shift;
    }
    s.absorb(last);
    return s.finish();
  }

  /** The hash of a number's 8 bytes little-endian. */
  public long hash(long key) {
    return hash(k0, k1, key);
  }

  /** The hash of a number's 8 bytes little-endian under a key of two numbers. */
  public static long hash(long k0, long k1, long key) {
    State s = new State(k0, k1);
    s.absorb(key);
    s.absorb((long) Long.BYTES << 56);
    return s.finish();
  }

  /** The four lanes; scalar-replaced by the compiler, so a hash allocates nothing. */
  private static final class State {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(long k0, long k1) {
      v0 = k0 ^ 0x736f6d6570736575L;
      v1 = k1 ^ 0x646f72616e646f6dL;
      v2 = k0 ^ 0x6c7967656e657261L;
      v3 = k1 ^ 0x7465646279746573L;
    }

    void absorb(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    long finish() {
      v2 ^= 0xFF;
      round();
      round();
      round();
      round();
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
