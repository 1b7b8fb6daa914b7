package io.bloomery;

import io.bloomery.hash.Funnel;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * An approximate set: a lookup answers <em>certainly absent</em> or <em>probably present</em>.
 *
 * <p>Every key is a byte string: text and a {@code char} are their UTF-8 bytes, a {@code long} its
 * 8 bytes little-endian, a UUID its 16 bytes. An {@code int} is the {@code long} of the same value.
 * The empty byte string is a valid key.
 */
public interface Filter {

  /**
   * Looks up a text key, which is hashed as its UTF-8 bytes.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(CharSequence key);

  /**
   * Looks up a byte-string key.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(byte[] key);

  /**
   * Looks up a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(byte[] bytes, int offset, int length);

  /**
   * Looks up a number, which is hashed as its 8 bytes little-endian.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(long key);

  /**
   * Looks up a character, which is hashed as text.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  default boolean mightContain(char key) {
    return mightContain(String.valueOf(key));
  }

  /**
   * Looks up a UUID, which is hashed as its 16 bytes, most significant first.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  default boolean mightContain(UUID key) {
    return mightContain(Funnel.Fields.bytesOf(key));
  }

  /**
   * Looks up a byte-string key, given as the bytes between a buffer's position and its limit,
   * neither of which changes.
   *
   * @param key the key; its position and limit stay as they are
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  default boolean mightContain(ByteBuffer key) {
    return mightContain(Funnel.Fields.bytesOf(key));
  }

  /**
   * Looks up an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  <T> boolean mightContain(T key, Funnel<? super T> funnel);

  /**
   * The expected false-positive rate at the current fill: the probability that a key that was never
   * added is reported present, by the kind's own formula. Reads the whole filter, so it takes time
   * proportional to {@link #sizeInBits()}.
   *
   * @return a probability, 0 for an empty filter
   */
  double falsePositiveRate();

  /**
   * The memory of the filter's table, without object headers.
   *
   * @return bits
   */
  long sizeInBits();
}
