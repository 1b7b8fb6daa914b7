package io.bloomery;

import io.bloomery.hash.Funnel;
import java.util.Objects;

/** A filter to which keys can be added at any time. */
public interface AddableFilter extends HashedFilter {

  /**
   * Adds a key by its hash.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return {@code true}: the filter changed, so the key is certainly new; {@code false}: the key
   *     is probably in the filter already
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  boolean addHash(long hash);

  /**
   * Adds many keys.
   *
   * @param hashes keys' hashes, computed by {@link #hasher()}
   * @param from the first to add
   * @param to one past the last to add
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  default void addHashes(long[] hashes, int from, int to) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.checkFromToIndex(from, to, hashes.length);
    for (int i = from; i < to; i++) {
      addHash(hashes[i]);
    }
  }

  /**
   * Adds a text key, which is hashed as its UTF-8 bytes.
   *
   * @param key the key
   * @return {@code true}: certainly new; {@code false}: probably seen before
   */
  default boolean add(CharSequence key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a byte-string key.
   *
   * @param key the key
   * @return {@code true}: certainly new; {@code false}: probably seen before
   */
  default boolean add(byte[] key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return {@code true}: certainly new; {@code false}: probably seen before
   */
  default boolean add(byte[] bytes, int offset, int length) {
    return addHash(hasher().hash(bytes, offset, length));
  }

  /**
   * Adds a number, which is hashed as its 8 bytes little-endian.
   *
   * @param key the key
   * @return {@code true}: certainly new; {@code false}: probably seen before
   */
  default boolean add(long key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code true}: certainly new; {@code false}: probably seen before
   */
  default <T> boolean add(T key, Funnel<? super T> funnel) {
    return addHash(hasher().hash(key, funnel));
  }
}
