package io.bloomery;

import io.bloomery.hash.Funnel;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * A filter that answers "which value does this key have?". A stored key returns a value, as each
 * implementation describes; any other key returns {@link #ABSENT}, or with probability {@link
 * #falsePositiveRate()} the value of some stored key.
 *
 * <p>{@link #mightContain(CharSequence) mightContain} is false if and only if the value is {@code
 * ABSENT}.
 */
public interface LookupFilter extends HashedFilter {

  /** The result for a key that certainly has no value. */
  long ABSENT = -1;

  /**
   * The value of a key.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  long getHash(long hash);

  @Override
  default boolean mightContainHash(long hash) {
    return getHash(hash) != ABSENT;
  }

  /**
   * The value of a text key.
   *
   * @param key the key
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default long get(CharSequence key) {
    return getHash(hasher().hash(key));
  }

  /**
   * The value of a byte-string key.
   *
   * @param key the key
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default long get(byte[] key) {
    return getHash(hasher().hash(key));
  }

  /**
   * The value of a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default long get(byte[] bytes, int offset, int length) {
    return getHash(hasher().hash(bytes, offset, length));
  }

  /**
   * The value of a number.
   *
   * @param key the key
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default long get(long key) {
    return getHash(hasher().hash(key));
  }

  /**
   * The value of a character.
   *
   * @param key the key, which counts as text
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default long get(char key) {
    return getHash(hasher().hash(key));
  }

  /**
   * The value of a UUID.
   *
   * @param key the key
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default long get(UUID key) {
    return getHash(hasher().hash(key));
  }

  /**
   * The value of a byte-string key, given as the bytes remaining in a buffer.
   *
   * @param key the key; its position and limit stay as they are
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default long get(ByteBuffer key) {
    return getHash(hasher().hash(key));
  }

  /**
   * The value of an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return its value, 0 or more, or {@link #ABSENT}
   */
  default <T> long get(T key, Funnel<? super T> funnel) {
    return getHash(hasher().hash(key, funnel));
  }
}
