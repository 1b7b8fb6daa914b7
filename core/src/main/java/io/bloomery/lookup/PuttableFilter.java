package io.bloomery.lookup;

import io.bloomery.LookupFilter;
import io.bloomery.hash.Funnel;

/**
 * A lookup filter to which keys and their values are added one at a time. A key may be put
 * repeatedly; its value is then the join of all its values, such as the highest, and never
 * decreases.
 */
interface PuttableFilter extends LookupFilter {

  /**
   * Gives a key a value by the key's hash, which is joined with its existing ones.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param value the value, in the implementation's range
   * @return {@code true}: the filter changed, so the key certainly did not have this value or one
   *     above it; {@code false}: it probably did, and nothing changed
   * @throws IllegalArgumentException if the value is outside its range
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  boolean putHash(long hash, long value);

  /**
   * Gives a text key a value.
   *
   * @param key the key
   * @param value the value
   * @return as {@link #putHash}
   */
  default boolean put(CharSequence key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a byte-string key a value.
   *
   * @param key the key
   * @param value the value
   * @return as {@link #putHash}
   */
  default boolean put(byte[] key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a number a value.
   *
   * @param key the key
   * @param value the value
   * @return as {@link #putHash}
   */
  default boolean put(long key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a character a value.
   *
   * @param key the key, which counts as text
   * @param value the value
   * @return as {@link #putHash}
   */
  default boolean put(char key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives an object a value.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param value the value
   * @param <T> the object's type
   * @return as {@link #putHash}
   */
  default <T> boolean put(T key, Funnel<? super T> funnel, long value) {
    return putHash(hasher().hash(key, funnel), value);
  }
}
