package io.bloomery;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A filter to which keys can be added at any time. */
public interface AddableFilter extends HashedFilter {

  /**
   * Adds a key by its hash.
   *
   * <p>If several threads add the same new key at the same time, the filter may change for each of
   * them, and several get {@code true}; {@link Filters#oneWinner} lets exactly one have it. This
   * holds for all methods that add a key.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return {@code true}: the filter changed, so the key was certainly not in it before the call;
   *     {@code false}: it probably was
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
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(CharSequence key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a byte-string key.
   *
   * @param key the key
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
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
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(byte[] bytes, int offset, int length) {
    return addHash(hasher().hash(bytes, offset, length));
  }

  /**
   * Adds a number, which is hashed as its 8 bytes little-endian.
   *
   * @param key the key
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(long key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a character, which is hashed as text.
   *
   * @param key the key, which counts as text
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(char key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a UUID, which is hashed as its 16 bytes, most significant first.
   *
   * @param key the key
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(UUID key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds a byte-string key, given as the bytes between a buffer's position and its limit, neither
   * of which changes.
   *
   * @param key the key; its position and limit stay as they are
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(ByteBuffer key) {
    return addHash(hasher().hash(key));
  }

  /**
   * Adds an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default <T> boolean add(T key, Funnel<? super T> funnel) {
    return addHash(hasher().hash(key, funnel));
  }

  /**
   * Adds text keys one after another.
   *
   * @param keys the keys
   */
  default void addAll(Iterable<? extends CharSequence> keys) {
    Hasher hasher = hasher();
    KeyBatch batch = new KeyBatch(this);
    keys.forEach(key -> batch.add(hasher.hash(key)));
    batch.flush();
  }

  /**
   * Adds text keys one after another, also those of a parallel stream; to fill a filter from
   * several threads, use {@link Filters#collector}.
   *
   * @param keys the keys; the stream is consumed and stays open
   */
  default void addAll(Stream<? extends CharSequence> keys) {
    Hasher hasher = hasher();
    KeyBatch batch = new KeyBatch(this);
    keys.sequential().forEach(key -> batch.add(hasher.hash(key)));
    batch.flush();
  }

  /**
   * Adds numbers one after another, each hashed as its 8 bytes little-endian.
   *
   * @param keys the keys; the stream is consumed and stays open
   */
  default void addAll(LongStream keys) {
    Hasher hasher = hasher();
    KeyBatch batch = new KeyBatch(this);
    keys.sequential().forEach(key -> batch.add(hasher.hash(key)));
    batch.flush();
  }

  /**
   * Adds objects one after another. For single values use {@link Funnel#uuids()} and the like.
   *
   * @param keys the objects
   * @param funnel writes an object's fields
   * @param <T> the objects' type
   */
  default <T> void addAll(Iterable<? extends T> keys, Funnel<? super T> funnel) {
    Hasher hasher = hasher();
    KeyBatch batch = new KeyBatch(this);
    keys.forEach(key -> batch.add(hasher.hash(key, funnel)));
    batch.flush();
  }

  /**
   * Adds objects one after another, like {@link #addAll(Stream)}.
   *
   * @param keys the objects; the stream is consumed and stays open
   * @param funnel writes an object's fields
   * @param <T> the objects' type
   */
  default <T> void addAll(Stream<? extends T> keys, Funnel<? super T> funnel) {
    Hasher hasher = hasher();
    KeyBatch batch = new KeyBatch(this);
    keys.sequential().forEach(key -> batch.add(hasher.hash(key, funnel)));
    batch.flush();
  }

  /**
   * A thread-safe view of an addable filter that can be saved: queries and saves share a read lock,
   * changes take the write lock. It saves the filter itself, so the file opens as the filter's own
   * class.
   */
  public static final class Locked extends LockedFilter<AddableFilter>
      implements AddableFilter, Storable {

    Locked(AddableFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }

    /**
     * A view with a lock of its own.
     *
     * @param filter an addable filter, which must no longer be used directly
     * @param <F> the filter's type
     * @return a filter that any number of threads may use and save
     */
    public static <F extends AddableFilter & Storable> Locked of(F filter) {
      return of(filter, new ReentrantReadWriteLock());
    }

    /**
     * A view with a lock that other code may hold too.
     *
     * @param filter an addable filter
     * @param lock guards the filter; a thread that holds its write lock may do anything with the
     *     filter, one that holds its read lock may copy or save it
     * @param <F> the filter's type
     * @return a filter that any number of threads may use and save
     */
    public static <F extends AddableFilter & Storable> Locked of(F filter, ReadWriteLock lock) {
      return new Locked(filter, lock);
    }
  }
}
