package io.bloomery;

import io.bloomery.hash.Funnel;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A filter that answers "how often was this key added?". Each implementation says whether its count
 * can be too low, and how much too high it is expected to be.
 *
 * <p>{@link #mightContain(CharSequence) mightContain} is false if and only if the count is 0.
 */
public interface FrequencyFilter extends AddableFilter {

  /**
   * This filter with deletes, for kinds of which only some variants have them. Both share all
   * counters.
   *
   * @return this filter or a view of it; empty if keys cannot be removed
   */
  default Optional<? extends RemovableFilter> removable() {
    return this instanceof RemovableFilter filter ? Optional.of(filter) : Optional.empty();
  }

  /**
   * How often a key was added.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return the estimated number of additions, 0 if certainly none
   */
  long countHash(long hash);

  /**
   * Adds a key several times at once.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @param times how often, 0 or more; 0 changes nothing
   * @return {@code true}: certainly not added before the call; {@code false}: probably added
   *     before, or {@code times} is 0
   * @throws IllegalArgumentException if {@code times} is below 0
   */
  boolean addHash(long hash, long times);

  /**
   * Whether a count is an upper bound: never below the number of additions, unless that reached
   * {@link #maxCount}.
   *
   * @return true, except for kinds whose counts may be too low
   */
  default boolean isUpperBound() {
    return true;
  }

  /**
   * The error of counts, for kinds that bound it.
   *
   * @param total the sum of all counts
   * @param tooHighByAtMost the most by which a count is too high
   * @param exceptForShare the share of the keys whose counts may be higher than that, 0 … 1
   * @param saturatedCounters how many counters cannot count further, so that counts may be too low
   */
  record CountError(
      long total, long tooHighByAtMost, double exceptForShare, long saturatedCounters) {}

  /**
   * The error of counts at the current fill.
   *
   * @return empty if the kind guarantees no bound
   */
  default Optional<CountError> countError() {
    return Optional.empty();
  }

  /**
   * The highest count that can be reported; it means that many or more.
   *
   * @return 2^63 - 1 where counts are unbounded
   */
  default long maxCount() {
    return Long.MAX_VALUE;
  }

  @Override
  default boolean addHash(long hash) {
    return addHash(hash, 1);
  }

  @Override
  default boolean mightContainHash(long hash) {
    return countHash(hash) > 0;
  }

  /**
   * How often a text key was added.
   *
   * @param key the key
   * @return the estimated number of additions, 0 if certainly none
   */
  default long count(CharSequence key) {
    return countHash(hasher().hash(key));
  }

  /**
   * How often a byte-string key was added.
   *
   * @param key the key
   * @return the estimated number of additions, 0 if certainly none
   */
  default long count(byte[] key) {
    return countHash(hasher().hash(key));
  }

  /**
   * How often a byte-string key, given as a range of an array, was added.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @return the estimated number of additions, 0 if certainly none
   */
  default long count(byte[] bytes, int offset, int length) {
    return countHash(hasher().hash(bytes, offset, length));
  }

  /**
   * How often a number was added.
   *
   * @param key the key
   * @return the estimated number of additions, 0 if certainly none
   */
  default long count(long key) {
    return countHash(hasher().hash(key));
  }

  /**
   * How often a character was added.
   *
   * @param key the key, which counts as text
   * @return the estimated number of additions, 0 if certainly none
   */
  default long count(char key) {
    return countHash(hasher().hash(key));
  }

  /**
   * How often a UUID was added.
   *
   * @param key the key
   * @return the estimated number of additions, 0 if certainly none
   */
  default long count(UUID key) {
    return countHash(hasher().hash(key));
  }

  /**
   * How often a key, given as the bytes remaining in a buffer, was added.
   *
   * @param key the key; its position and limit stay as they are
   * @return the estimated number of additions, 0 if certainly none
   */
  default long count(ByteBuffer key) {
    return countHash(hasher().hash(key));
  }

  /**
   * How often an object was added.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return the estimated number of additions, 0 if certainly none
   */
  default <T> long count(T key, Funnel<? super T> funnel) {
    return countHash(hasher().hash(key, funnel));
  }

  /**
   * Adds a text key several times at once.
   *
   * @param key the key
   * @param times how often, 0 or more
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(CharSequence key, long times) {
    return addHash(hasher().hash(key), times);
  }

  /**
   * Adds a byte-string key several times at once.
   *
   * @param key the key
   * @param times how often, 0 or more
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(byte[] key, long times) {
    return addHash(hasher().hash(key), times);
  }

  /**
   * Adds a byte-string key, given as a range of an array, several times at once.
   *
   * @param bytes the array
   * @param offset the index of the key's first byte
   * @param length the key's length in bytes
   * @param times how often, 0 or more
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(byte[] bytes, int offset, int length, long times) {
    return addHash(hasher().hash(bytes, offset, length), times);
  }

  /**
   * Adds a number several times at once.
   *
   * @param key the key
   * @param times how often, 0 or more
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(long key, long times) {
    return addHash(hasher().hash(key), times);
  }

  /**
   * Adds a character several times at once.
   *
   * @param key the key, which counts as text
   * @param times how often, 0 or more
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(char key, long times) {
    return addHash(hasher().hash(key), times);
  }

  /**
   * Adds a UUID several times at once.
   *
   * @param key the key
   * @param times how often, 0 or more
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(UUID key, long times) {
    return addHash(hasher().hash(key), times);
  }

  /**
   * Adds a byte-string key, given as the bytes remaining in a buffer, several times at once.
   *
   * @param key the key; its position and limit stay as they are
   * @param times how often, 0 or more
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default boolean add(ByteBuffer key, long times) {
    return addHash(hasher().hash(key), times);
  }

  /**
   * Adds an object several times at once.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param times how often, 0 or more
   * @param <T> the object's type
   * @return {@code true}: certainly not added before the call; {@code false}: probably added before
   */
  default <T> boolean add(T key, Funnel<? super T> funnel, long times) {
    return addHash(hasher().hash(key, funnel), times);
  }

  /**
   * A thread-safe view of a counting filter that can be saved: queries and saves share a read lock,
   * changes take the write lock. It saves the filter itself, so the file opens as the filter's own
   * class.
   */
  public static final class Locked extends LockedFilter.WithCounts implements Storable {

    Locked(FrequencyFilter filter, ReadWriteLock lock) {
      super(filter, lock);
    }

    /**
     * A view with a lock of its own.
     *
     * @param filter a filter that counts keys, which must no longer be used directly
     * @param <F> the filter's type
     * @return a filter that any number of threads may use and save
     */
    public static <F extends FrequencyFilter & Storable> Locked of(F filter) {
      return of(filter, new ReentrantReadWriteLock());
    }

    /**
     * A view with a lock that other code may hold too.
     *
     * @param filter a filter that counts keys
     * @param lock guards the filter; a thread that holds its write lock may do anything with the
     *     filter, one that holds its read lock may copy or save it
     * @param <F> the filter's type
     * @return a filter that any number of threads may use and save
     */
    public static <F extends FrequencyFilter & Storable> Locked of(F filter, ReadWriteLock lock) {
      return new Locked(filter, lock);
    }
  }
}
