package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/**
 * The bytes of a composite key, written by a {@link Funnel}: each field is its length as 4 bytes
 * little-endian, then its bytes. Not thread-safe.
 */
public final class KeyFields {

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private byte[] bytes = new byte[64];
  private int length;

  KeyFields() {}

  /**
   * The byte string that represents an object as a key.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param <T> the object's type
   * @return each field as its length, 4 bytes little-endian, then its bytes
   */
  public static <T> byte[] bytesOf(T key, Funnel<? super T> funnel) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(funnel, "funnel");
    KeyFields fields = new KeyFields();
    funnel.funnel(key, fields);
    return Arrays.copyOf(fields.bytes, fields.length);
  }

  /**
   * Writes text as its UTF-8 bytes.
   *
   * @param text the field
   * @return this
   */
  public KeyFields put(CharSequence text) {
    return put(Objects.requireNonNull(text, "text").toString().getBytes(UTF_8));
  }

  /**
   * Writes a byte string.
   *
   * @param field the field
   * @return this
   */
  public KeyFields put(byte[] field) {
    Objects.requireNonNull(field, "field");
    reserve(Integer.BYTES + (long) field.length);
    INT.set(bytes, length, field.length);
    System.arraycopy(field, 0, bytes, length + Integer.BYTES, field.length);
    length += Integer.BYTES + field.length;
    return this;
  }

  /**
   * Writes a number as 8 bytes little-endian.
   *
   * @param number the field
   * @return this
   */
  public KeyFields put(long number) {
    reserve(Integer.BYTES + Long.BYTES);
    INT.set(bytes, length, Long.BYTES);
    LONG.set(bytes, length + Integer.BYTES, number);
    length += Integer.BYTES + Long.BYTES;
    return this;
  }

  private void reserve(long more) {
    long needed = length + more;
    if (needed > bytes.length) {
      if (needed > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException("key of " + needed + " bytes; at most 2147483639");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, needed * 2));
    }
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
