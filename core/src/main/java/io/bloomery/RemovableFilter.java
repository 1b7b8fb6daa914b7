package io.bloomery;

import io.bloomery.hash.Funnel;

/**
 * A filter that keys may leave again. Each implementation says what happens when a key is removed
 * that was never added but is answered "probably present".
 */
public interface RemovableFilter extends AddableFilter {

  /**
   * Removes a key by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return {@code false}: the key was certainly absent and nothing changed; {@code true}: removed
   */
  boolean removeHash(long hash);

  /**
   * Removes a text key.
   *
   * @param key the key
   * @return {@code false}: certainly absent, nothing changed; {@code true}: removed
   */
  default boolean remove(CharSequence key) {
    return removeHash(hasher().hash(key));
  }

  /**
   * Removes a byte-string key.
   *
   * @param key the key
   * @return {@code false}: certainly absent, nothing changed; {@code true}: removed
   */
  default boolean remove(byte[] key) {
    return removeHash(hasher().hash(key));
  }

  /**
   * Removes a key that is a part of an array.
   *
   * @param bytes the array
   * @param offset where the key begins
   * @param length how many bytes it has
   * @return {@code false}: certainly absent, nothing changed; {@code true}: removed
   */
  default boolean remove(byte[] bytes, int offset, int length) {
    return removeHash(hasher().hash(bytes, offset, length));
  }

  /**
   * Removes a number.
   *
   * @param key the key
   * @return {@code false}: certainly absent, nothing changed; {@code true}: removed
   */
  default boolean remove(long key) {
    return removeHash(hasher().hash(key));
  }

  /**
   * Removes an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code false}: certainly absent, nothing changed; {@code true}: removed
   */
  default <T> boolean remove(T key, Funnel<? super T> funnel) {
    return removeHash(hasher().hash(key, funnel));
  }
}
