package io.bloomery;

import io.bloomery.hash.Funnel;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A filter with deletes. Each implementation documents what happens when a key is removed that was
 * never added but is reported present.
 *
 * <p>A removal that returns {@code false} has changed nothing: the key is certainly absent, or this
 * kind cannot remove it and still reports it present. {@code mightContain} distinguishes the two;
 * kinds in which only the first can happen say so.
 */
public interface RemovableFilter extends AddableFilter {

  /**
   * Removes a key by its hash.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
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
   * Removes a byte-string key given as a range of an array.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
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
   * Removes a character.
   *
   * @param key the key, which counts as text
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
   */
  default boolean remove(char key) {
    return removeHash(hasher().hash(key));
  }

  /**
   * Removes a UUID.
   *
   * @param key the key
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
   */
  default boolean remove(UUID key) {
    return removeHash(hasher().hash(key));
  }

  /**
   * Removes a byte-string key, given as the bytes remaining in a buffer.
   *
   * @param key the key; its position and limit stay as they are
   * @return {@code true}: removed; {@code false}: nothing was removed, see {@link #removeHash}
   */
  default boolean remove(ByteBuffer key) {
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

  /**
   * A thread-safe view of a filter with deletes that can be saved: queries and saves share a read
   * lock, changes take the write lock. It saves the filter itself, so the file opens as the
   * filter's own class.
   */
  public static final class Locked extends LockedFilter.WithDeletes implements Storable {

    Locked(RemovableFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }

    /**
     * A view with a lock of its own.
     *
     * @param filter a filter with deletes, which must no longer be used directly
     * @param <F> the filter's type
     * @return a filter that any number of threads may use and save
     */
    public static <F extends RemovableFilter & Storable> Locked of(F filter) {
      return of(filter, new ReentrantReadWriteLock());
    }

    /**
     * A view with a lock that other code may hold too.
     *
     * @param filter a filter with deletes
     * @param lock guards the filter; a thread that holds its write lock may do anything with the
     *     filter, one that holds its read lock may copy or save it
     * @param <F> the filter's type
     * @return a filter that any number of threads may use and save
     */
    public static <F extends RemovableFilter & Storable> Locked of(F filter, ReadWriteLock lock) {
      return new Locked(filter, lock);
    }
  }
}
