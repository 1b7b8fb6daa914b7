package io.bloomery.foreign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomery.hash.Funnel;
import java.util.Objects;

/** A filter of another system to which keys can be added. Concurrent use needs a lock. */
public interface AddableForeignFilter extends ForeignFilter {

  /**
   * Adds a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  boolean add(byte[] bytes, int offset, int length);

  /**
   * Adds a byte-string key.
   *
   * @param key the key
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  default boolean add(byte[] key) {
    return add(Objects.requireNonNull(key, "key"), 0, key.length);
  }

  /**
   * Adds a text key, its UTF-8 bytes.
   *
   * @param key the key
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  default boolean add(CharSequence key) {
    return add(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /**
   * Adds an integer, encoded as {@link #mightContain(long)} encodes it.
   *
   * @param key the key
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  default boolean add(long key) {
    return add(ForeignFilter.littleEndian(key));
  }

  /**
   * Adds a character, encoded as {@link #mightContain(long)} encodes it.
   *
   * @param key the key, which counts as text
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  default boolean add(char key) {
    return add(String.valueOf(key));
  }

  /**
   * Adds an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code true}: certainly new; {@code false}: probably added before
   */
  default <T> boolean add(T key, Funnel<? super T> funnel) {
    return add(Funnel.Fields.bytesOf(key, funnel));
  }
}
