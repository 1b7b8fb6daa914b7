package io.bloomery.internal.code;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/** Converts byte strings to numbers, for filters that store numbers without hashing. */
public final class Numbers {

  /** The result for a byte string that is not a number of 0 or more. */
  public static final long NONE = -1;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Numbers() {}

  /** The number whose 8 bytes little-endian these are; negative if there is none. */
  public static long of(byte[] bytes, int offset, int length) {
    Objects.requireNonNull(bytes, "bytes");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return length == Long.BYTES ? (long) LONG.get(bytes, offset) : NONE;
  }

  /** The same for a whole key. */
  public static long of(byte[] key) {
    Objects.requireNonNull(key, "key");
    return of(key, 0, key.length);
  }

  /** The same for the UTF-8 bytes of a text. */
  public static long of(CharSequence key) {
    Objects.requireNonNull(key, "key");
    return key.length() <= Long.BYTES ? of(key.toString().getBytes(UTF_8)) : NONE;
  }

  /** The 8 bytes little-endian of a number. */
  public static byte[] bytes(long number) {
    byte[] bytes = new byte[Long.BYTES];
    LONG.set(bytes, 0, number);
    return bytes;
  }
}
