package io.bloomery;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Objects;

/**
 * Collects ordered keys, then builds a {@link RangeFilter} of them. Keys come in any order, and may
 * come again. One thread at a time.
 */
public interface RangeFilterBuilder {

  /**
   * Adds a number.
   *
   * @param key the key
   * @return this
   * @throws IllegalArgumentException if the filter will hold byte strings
   */
  RangeFilterBuilder add(long key);

  /**
   * Adds a byte string, or a number as its 8 bytes little-endian.
   *
   * @param bytes an array, which may be reused after the call
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return this
   * @throws IllegalArgumentException if the filter will hold numbers and the key has not 8 bytes
   */
  RangeFilterBuilder add(byte[] bytes, int offset, int length);

  /**
   * Adds a byte string, or a number as its 8 bytes little-endian.
   *
   * @param key the key
   * @return this
   * @throws IllegalArgumentException if the filter will hold numbers and the key has not 8 bytes
   */
  default RangeFilterBuilder add(byte[] key) {
    return add(key, 0, Objects.requireNonNull(key, "key").length);
  }

  /**
   * Adds a text as its UTF-8 bytes.
   *
   * @param key the key
   * @return this
   * @throws IllegalArgumentException if the filter will hold numbers and the key has not 8 bytes
   */
  default RangeFilterBuilder add(CharSequence key) {
    return add(Objects.requireNonNull(key, "key").toString().getBytes(UTF_8));
  }

  /**
   * Adds a character as text.
   *
   * @param key the key
   * @return this
   * @throws IllegalArgumentException if the filter will hold numbers
   */
  default RangeFilterBuilder add(char key) {
    return add(String.valueOf(key));
  }

  /**
   * Builds the filter of all keys. Called once, after the last add.
   *
   * @return the filter
   */
  RangeFilter build();
}
