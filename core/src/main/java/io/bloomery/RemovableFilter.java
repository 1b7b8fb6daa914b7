package io.bloomery;

import io.bloomery.hash.Funnel;

/**
 * A filter with deletes. Each implementation says what happens when a key is removed that was never
 * added but is reported present.
 *
 * <p>A removal that returns {@code false} has changed nothing: the key is certainly absent, or this
 * kind cannot remove it and still reports it present. {@code mightContain} tells the two apart;
 * kinds in which only the first happens say so.
 */
public interface RemovableFilter extends AddableFilter {

  /**
   * Removes a key by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return {@code true}: removed, as far as the filter can tell; {@code false}: nothing was
   *     removed, because the key is certainly absent or because this kind cannot remove it
   */
  boolean removeHash(long hash);

  /**
   * Removes a text key.
   *
   * @param key the key
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
   */
  default boolean remove(CharSequence key) {
    return removeHash(hasher().hash(key));
  }

  /**
   * Removes a byte-string key.
   *
   * @param key the key
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
   */
  default boolean remove(byte[] key) {
    return removeHash(hasher().hash(key));
  }

  /**
   * Removes a key that is part of an array.
   *
   * @param bytes the array
   * @param offset where the key begins
   * @param length how many bytes it has
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
   */
  default boolean remove(byte[] bytes, int offset, int length) {
    return removeHash(hasher().hash(bytes, offset, length));
  }

  /**
   * Removes a number.
   *
   * @param key the key
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
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
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
   */
  default <T> boolean remove(T key, Funnel<? super T> funnel) {
    return removeHash(hasher().hash(key, funnel));
  }
}
