package io.bloomery.frozen;

import io.bloomery.AddableFilter;
import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A builder that takes keys of the same types as {@link AddableFilter}, one by one or many at once.
 * Every method returns the builder itself.
 *
 * @param <B> the builder's own type
 */
abstract class AddingBuilder<B extends AddingBuilder<B>> {

  /** For the builders of static filters. */
  protected AddingBuilder() {}

  /**
   * This builder.
   *
   * @return this
   */
  protected abstract B self();

  /**
   * The hasher that turns keys into hashes.
   *
   * @return the hasher of the filter that is built
   */
  public abstract Hasher hasher();

  /**
   * Adds a key by its hash.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return this builder
   */
  public abstract B addHash(long hash);

  /**
   * Adds many keys by their hashes.
   *
   * @param hashes keys' hashes, computed by {@link #hasher()}; not kept
   * @param from the first to add
   * @param to one past the last to add
   * @return this builder
   */
  public abstract B addHashes(long[] hashes, int from, int to);

  /**
   * Adds a text key, which is hashed as its UTF-8 bytes.
   *
   * @param key the key
   * @return this builder
   */
  public final B add(CharSequence key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a byte-string key.
   *
   * @param key the key
   * @return this builder
   */
  public final B add(byte[] key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return this builder
   */
  public final B add(byte[] bytes, int offset, int length) {
    return addHash(hasher().hash(bytes, offset, length));
  }

  /**
   * Adds a number, which is hashed as its 8 bytes little-endian.
   *
   * @param key the key
   * @return this builder
   */
  public final B add(long key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a character, which is hashed as text.
   *
   * @param key the key, which counts as text
   * @return this builder
   */
  public final B add(char key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a UUID, which is hashed as its 16 bytes, most significant first.
   *
   * @param key the key
   * @return this builder
   */
  public final B add(UUID key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a byte-string key, given as the bytes between a buffer's position and its limit, neither
   * of which changes.
   *
   * @param key the key; its position and limit stay as they are
   * @return this builder
   */
  public final B add(ByteBuffer key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return this builder
   */
  public final <T> B add(T key, Funnel<? super T> funnel) {
    return addHash(hasher().hash(key, funnel));
  }

  /**
   * Adds text keys one after another.
   *
   * @param keys the keys
   * @return this builder
   */
  public final B addAll(Iterable<? extends CharSequence> keys) {
    Objects.requireNonNull(keys, "keys").forEach(this::add);
    return self();
  }

  /**
   * Adds text keys one after another, also those of a parallel stream.
   *
   * @param keys the keys; the stream is consumed and stays open
   * @return this builder
   */
  public final B addAll(Stream<? extends CharSequence> keys) {
    Objects.requireNonNull(keys, "keys").sequential().forEach(this::add);
    return self();
  }

  /**
   * Adds numbers one after another, each hashed as its 8 bytes little-endian.
   *
   * @param keys the keys; the stream is consumed and stays open
   * @return this builder
   */
  public final B addAll(LongStream keys) {
    Objects.requireNonNull(keys, "keys").sequential().forEach(this::add);
    return self();
  }

  /**
   * Adds objects one after another. For single values use {@link Funnel#uuids()} and the like.
   *
   * @param keys the objects
   * @param funnel writes an object's fields
   * @param <T> the objects' type
   * @return this builder
   */
  public final <T> B addAll(Iterable<? extends T> keys, Funnel<? super T> funnel) {
    Objects.requireNonNull(keys, "keys").forEach(key -> add(key, funnel));
    return self();
  }

  /**
   * Adds objects one after another, like {@link #addAll(Stream)}.
   *
   * @param keys the objects; the stream is consumed and stays open
   * @param funnel writes an object's fields
   * @param <T> the objects' type
   * @return this builder
   */
  public final <T> B addAll(Stream<? extends T> keys, Funnel<? super T> funnel) {
    Objects.requireNonNull(keys, "keys").sequential().forEach(key -> add(key, funnel));
    return self();
  }
}
