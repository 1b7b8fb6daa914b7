package io.bloomery;

import io.bloomery.hash.Funnel;

/**
 * A set that answers "is this key in it?" with <em>certainly not</em> or <em>probably</em>.
 *
 * <p>Every key is a byte string: text is its UTF-8 bytes, a {@code long} its 8 bytes little-endian.
 * The empty key is a key like any other.
 */
public interface Filter {

  /**
   * Asks for a text key, which is hashed as its UTF-8 bytes.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(CharSequence key);

  /**
   * Asks for a byte-string key.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(byte[] key);

  /**
   * Asks for a key that is a part of an array.
   *
   * @param bytes the array
   * @param offset where the key begins
   * @param length how many bytes it has
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(byte[] bytes, int offset, int length);

  /**
   * Asks for a number, which is hashed as its 8 bytes little-endian.
   *
   * @param key the key
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContain(long key);

  /**
   * Asks for an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  <T> boolean mightContain(T key, Funnel<? super T> funnel);

  /**
   * The probability that a key that was never added is answered {@code true}, expected at the
   * present fill by the variant's own formula. Reads the whole filter, so it costs time
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
