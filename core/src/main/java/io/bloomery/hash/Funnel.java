package io.bloomery.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.UUID;

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
  void funnel(T object, KeyFields into);

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
    return (number, into) -> into.putPlain(KeyFields.bytesOf(number.longValue()));
  }

  /**
   * The funnel of small whole numbers: the key is the same as that of the {@code int} itself, which
   * is that of the {@code long} of the same value.
   *
   * @return writes 8 bytes little-endian and nothing else
   */
  static Funnel<Integer> ints() {
    return (number, into) -> into.putPlain(KeyFields.bytesOf(number.longValue()));
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
    return (uuid, into) -> into.putPlain(KeyFields.bytesOf(uuid));
  }
}
