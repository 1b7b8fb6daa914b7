package io.bloomery.net.stream;

import io.bloomery.hash.Hasher;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Two addresses and a number, as a key of a table whose hashes strangers cannot foresee. */
final class FlowId {

  /** Makes keys, under one secret. */
  static final class Maker {
    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final Hasher hasher;
    private final byte[] bytes = new byte[5 * Long.BYTES];

    Maker(Hasher hasher) {
      if (!hasher.isKeyed()) {
        throw new IllegalArgumentException("hasher has no key, and addresses come from strangers");
      }
      this.hasher = hasher;
    }

    FlowId of(long sourceHigh, long sourceLow, long targetHigh, long targetLow, long number) {
      LONGS.set(bytes, 0, sourceHigh);
      LONGS.set(bytes, 8, sourceLow);
      LONGS.set(bytes, 16, targetHigh);
      LONGS.set(bytes, 24, targetLow);
      LONGS.set(bytes, 32, number);
      long hash = hasher.hash(bytes, 0, bytes.length);
      return new FlowId(new long[] {sourceHigh, sourceLow, targetHigh, targetLow, number}, hash);
    }
  }

  private final long[] parts;
  private final long hash;

  private FlowId(long[] parts, long hash) {
    this.parts = parts;
    this.hash = hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FlowId id && hash == id.hash && Arrays.equals(parts, id.parts);
  }

  @Override
  public int hashCode() {
    return (int) hash;
  }
}
