package io.bloomery.lookup;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A builder that takes keys of every type, each with a value, one at a time or many at once. Every
 * method returns the builder itself.
 *
 * @param <B> the builder's own type
 */
abstract sealed class PuttingBuilder<B extends PuttingBuilder<B>> permits MapBuilder {

  PuttingBuilder() {}

  abstract B self();

  /**
   * The hasher that turns keys into hashes.
   *
   * @return the hasher of the filter that is built
   */
  public abstract Hasher hasher();

  /**
   * Gives a key a value by the key's hash.
   *
   * @param hash the key's hash computed by {@link #hasher()}
   * @param value 0 or more
   * @return this builder
   */
  public abstract B putHash(long hash, long value);

  /**
   * Gives a text key a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(CharSequence key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a byte-string key a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(byte[] key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a value to a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @param value 0 or more
   * @return this builder
   */
  public final B put(byte[] bytes, int offset, int length, long value) {
    return putHash(hasher().hash(bytes, offset, length), value);
  }

  /**
   * Gives a number a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(long key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a character a value.
   *
   * @param key the key, which counts as text
   * @param value 0 or more
   * @return this builder
   */
  public final B put(char key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a UUID a value.
   *
   * @param key the key
   * @param value 0 or more
   * @return this builder
   */
  public final B put(UUID key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives a value to a byte-string key, given as the bytes remaining in a buffer.
   *
   * @param key the key; its position and limit stay as they are
   * @param value 0 or more
   * @return this builder
   */
  public final B put(ByteBuffer key, long value) {
    return putHash(hasher().hash(key), value);
  }

  /**
   * Gives an object a value.
   *
   * @param key the object
   * @param funnel writes its fields
   * @param value 0 or more
   * @param <T> the object's type
   * @return this builder
   */
  public final <T> B put(T key, Funnel<? super T> funnel, long value) {
    return putHash(hasher().hash(key, funnel), value);
  }

  /**
   * Gives text keys their values.
   *
   * @param map keys and values, which are whole numbers, 0 or more
   * @return this builder
   */
  public final B putAll(Map<? extends CharSequence, ? extends Number> map) {
    map.forEach((key, value) -> put(key, exact(value)));
    return self();
  }

  private static long exact(Number value) {
    long whole = Objects.requireNonNull(value, "value").longValue();
    if ((double) whole != value.doubleValue()) {
      throw new IllegalArgumentException("value = " + value + " is not a whole number");
    }
    return whole;
  }
}
