package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the fields that identify an object. Every field is stored with its length, so that the
 * pairs ("ab", "c") and ("a", "bc") have different hashes.
 *
 * @param <T> the object's type
 */
@FunctionalInterface
public interface Funnel<T> {

  /**
   * Writes an object's fields, always the same ones in the same order.
   *
   * @param object the object
   * @param into where to write
   */
  void funnel(T object, Fields into);

  /**
   * The funnel of text: the key is the same as that of the text itself.
   *
   * @return writes the UTF-8 bytes and nothing else
   */
  static Funnel<CharSequence> text() {
    return (text, into) -> into.putPlain(text.toString().getBytes(UTF_8));
  }

  /**
   * The funnel of whole numbers: the key is the same as that of the {@code long} itself.
   *
   * @return writes 8 bytes little-endian and nothing else
   */
  static Funnel<Long> longs() {
    return (number, into) -> into.putPlain(Fields.bytesOf(number.longValue()));
  }

  /**
   * The funnel of small whole numbers: the key is the same as that of the {@code int} itself, which
   * is that of the {@code long} of the same value.
   *
   * @return writes 8 bytes little-endian and nothing else
   */
  static Funnel<Integer> ints() {
    return (number, into) -> into.putPlain(Fields.bytesOf(number.longValue()));
  }

  /**
   * The funnel of byte strings: the key is the byte string itself.
   *
   * @return writes the bytes and nothing else
   */
  static Funnel<byte[]> bytes() {
    return (bytes, into) -> into.putPlain(bytes);
  }

  /**
   * The funnel of UUIDs: the key is the same as that of the UUID itself.
   *
   * @return writes 16 bytes, most significant first, and nothing else
   */
  static Funnel<UUID> uuids() {
    return (uuid, into) -> into.putPlain(Fields.bytesOf(uuid));
  }

  /**
   * The funnel of rows of text, such as several columns of a table: the key is the same as that of
   * the row as a line of CSV, {@code Lovelace,Ada}, which is what {@code bloom build --column
   * last,first} stores. Values with a comma, a quote or a line end are in quotes, and quotes in
   * them are doubled (RFC 4180). A row of one value is that value; one of empty values only is
   * empty. All other different rows of two or more values have different keys.
   *
   * @return writes the UTF-8 bytes of that line, without a line end, and nothing else
   */
  static Funnel<Iterable<? extends CharSequence>> rows() {
    return (row, into) -> into.putPlain(Fields.line(row).getBytes(UTF_8));
  }

  /**
   * The bytes of a composite key, written by a {@link Funnel}: each field is its length as 4 bytes
   * little-endian, then its bytes. A different value, or null, has different bytes.
   *
   * <pre>{@code
   * Funnel<Order> funnel =
   *     (order, into) ->
   *         into.put(order.id()).put(order.status()).putNullable(order.coupon(), Funnel.text());
   * }</pre>
   *
   * <p>Not thread-safe.
   */
  public static final class Fields {

    private static final VarHandle INT =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle BIG_ENDIAN =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes = new byte[64];
    private int length;

    Fields() {}

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
      Fields fields = new Fields();
      funnel.funnel(key, fields);
      return Arrays.copyOf(fields.bytes, fields.length);
    }

    /** A row as a line of CSV. */
    private static String line(Iterable<? extends CharSequence> row) {
      StringBuilder line = new StringBuilder();
      int values = 0;
      boolean empty = true;
      String value = "";
      for (CharSequence each : row) {
        if (values++ > 0) {
          line.append(',');
        }
        value = each.toString();
        empty &= value.isEmpty();
        boolean quoted =
            value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        line.append(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
      }
      return empty ? "" : values == 1 ? value : line.toString();
    }

    /** The 8 bytes that represent a number as a key, little-endian. */
    static byte[] bytesOf(long key) {
      byte[] bytes = new byte[Long.BYTES];
      LONG.set(bytes, 0, key);
      return bytes;
    }

    /**
     * The 16 bytes that represent a UUID as a key, most significant first, as its text shows them.
     *
     * @param key the UUID
     * @return its bytes
     */
    public static byte[] bytesOf(UUID key) {
      byte[] bytes = new byte[2 * Long.BYTES];
      BIG_ENDIAN.set(bytes, 0, key.getMostSignificantBits());
      BIG_ENDIAN.set(bytes, Long.BYTES, key.getLeastSignificantBits());
      return bytes;
    }

    /**
     * The bytes between a buffer's position and its limit, neither of which changes.
     *
     * @param key the buffer
     * @return a copy
     */
    public static byte[] bytesOf(ByteBuffer key) {
      byte[] bytes = new byte[key.remaining()];
      key.get(key.position(), bytes);
      return bytes;
    }

    /**
     * Writes text as its UTF-8 bytes.
     *
     * @param text the field
     * @return this
     */
    public Fields put(CharSequence text) {
      return put(Objects.requireNonNull(text, "text").toString().getBytes(UTF_8));
    }

    /**
     * Writes a byte string.
     *
     * @param field the field
     * @return this
     */
    public Fields put(byte[] field) {
      Objects.requireNonNull(field, "field");
      reserve(Integer.BYTES + (long) field.length);
      INT.set(bytes, length, field.length);
      System.arraycopy(field, 0, bytes, length + Integer.BYTES, field.length);
      length += Integer.BYTES + field.length;
      return this;
    }

    /**
     * Writes the bytes between a buffer's position and its limit, neither of which changes.
     *
     * @param field the field
     * @return this
     */
    public Fields put(ByteBuffer field) {
      return put(bytesOf(Objects.requireNonNull(field, "field")));
    }

    /**
     * Writes a UUID as its 16 bytes, most significant first.
     *
     * @param field the field
     * @return this
     */
    public Fields put(UUID field) {
      return put(bytesOf(Objects.requireNonNull(field, "field")));
    }

    /**
     * Writes an enum constant as its name, so that the order of the constants may change.
     *
     * @param constant the field
     * @return this
     */
    public Fields put(Enum<?> constant) {
      return put(Objects.requireNonNull(constant, "constant").name());
    }

    /**
     * Writes a character as text.
     *
     * @param character the field
     * @return this
     */
    public Fields put(char character) {
      return put(String.valueOf(character));
    }

    /**
     * Writes a truth value as one byte, 0 or 1.
     *
     * @param value the field
     * @return this
     */
    public Fields put(boolean value) {
      return put(new byte[] {(byte) (value ? 1 : 0)});
    }

    /**
     * Writes a real number as its 8 bytes little-endian, as {@link Double#doubleToLongBits} gives
     * them: NaN is one value, 0.0 and -0.0 are two. A {@code float} is the {@code double} of the
     * same value.
     *
     * @param number the field
     * @return this
     */
    public Fields put(double number) {
      return put(Double.doubleToLongBits(number));
    }

    /**
     * Writes an object as one field, which holds what its funnel writes.
     *
     * @param object the field
     * @param funnel writes the object's own fields
     * @param <T> the object's type
     * @return this
     */
    public <T> Fields put(T object, Funnel<? super T> funnel) {
      return put(bytesOf(object, funnel));
    }

    /**
     * Writes an object as {@link #put(Object, Funnel)} does, or null as the length −1 without
     * bytes, which no value has.
     *
     * @param object the field, or null
     * @param funnel writes the object's own fields, such as {@link Funnel#text()}
     * @param <T> the object's type
     * @return this
     */
    public <T> Fields putNullable(@Nullable T object, Funnel<? super T> funnel) {
      if (object != null) {
        return put(object, funnel);
      }
      reserve(Integer.BYTES);
      INT.set(bytes, length, -1);
      length += Integer.BYTES;
      return this;
    }

    /**
     * Writes bytes as they are, without a length. For a key that is a single value and must equal
     * the key of that value: {@link Funnel#text()} and the like use this. Among other fields, the
     * end of these bytes is not marked.
     *
     * @param plain the bytes
     * @return this
     */
    public Fields putPlain(byte[] plain) {
      Objects.requireNonNull(plain, "plain");
      reserve(plain.length);
      System.arraycopy(plain, 0, bytes, length, plain.length);
      length += plain.length;
      return this;
    }

    /**
     * Writes a number as 8 bytes little-endian. An {@code int} is the {@code long} of the same
     * value.
     *
     * @param number the field
     * @return this
     */
    public Fields put(long number) {
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
}
