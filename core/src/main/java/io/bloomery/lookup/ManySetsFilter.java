package io.bloomery.lookup;

import io.bloomery.LookupFilter;
import io.bloomery.hash.Funnel;

/**
 * A filter that answers "which of many sets hold this key?". Sets are numbered from 0. The sets
 * that a key was added to are always among the answers; other sets are with the probability that
 * each implementation states.
 *
 * <p>If several sets are reported, a caller may take all of them ({@link #setsOf(long) setsOf}),
 * like a switch that forwards to every port; the first ({@link #get(long) get}); or none, and
 * reclassify the key ({@link #getOnly(long) getOnly}).
 */
public interface ManySetsFilter extends LookupFilter {

  /**
   * How many sets there are.
   *
   * @return 1 or more
   */
  int sets();

  /**
   * Adds a key to a set by its hash.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param set 0 … {@link #sets} - 1
   * @return {@code true}: the filter changed, so the key was certainly not in the set; {@code
   *     false}: it was probably there before
   * @throws IllegalStateException if the filter is a read-only view of a mapped file
   */
  boolean addHash(long hash, int set);

  /**
   * All sets that may hold a key, without allocating.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @param hits receives the answer: bit {@code i}, counted from the lowest bit of {@code hits[0]},
   *     says whether set i may hold the key. All words that hold an answer are overwritten
   * @return the number of sets
   * @throws IndexOutOfBoundsException if {@code hits} is shorter than {@code (sets + 63) / 64}
   */
  int setsOfHash(long hash, long[] hits);

  /**
   * The one set that may hold a key.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return the set, or {@link #ABSENT} if there is none or more than one
   */
  long getOnlyHash(long hash);

  /**
   * {@inheritDoc}
   *
   * @return the lowest of the sets that may hold the key, unless the implementation has a more
   *     likely one; or {@link #ABSENT}
   */
  @Override
  long getHash(long hash);

  /**
   * All sets that may hold a key.
   *
   * @param hash the key's hash by {@link #hasher()}
   * @return their numbers, ascending
   */
  default int[] setsOfHash(long hash) {
    long[] hits = new long[(sets() + Long.SIZE - 1) / Long.SIZE];
    int[] found = new int[setsOfHash(hash, hits)];
    int count = 0;
    for (int i = 0; i < hits.length; i++) {
      for (long left = hits[i]; left != 0; left &= left - 1) {
        found[count++] = i * Long.SIZE + Long.numberOfTrailingZeros(left);
      }
    }
    return found;
  }

  /**
   * All sets that may hold a text key.
   *
   * @param key the key
   * @return their numbers, ascending
   */
  default int[] setsOf(CharSequence key) {
    return setsOfHash(hasher().hash(key));
  }

  /**
   * All sets that may hold a byte-string key.
   *
   * @param key the key
   * @return their numbers, ascending
   */
  default int[] setsOf(byte[] key) {
    return setsOfHash(hasher().hash(key));
  }

  /**
   * All sets that may hold a number.
   *
   * @param key the key
   * @return their numbers, ascending
   */
  default int[] setsOf(long key) {
    return setsOfHash(hasher().hash(key));
  }

  /**
   * All sets that may hold a character.
   *
   * @param key the key, which counts as text
   * @return their numbers, ascending
   */
  default int[] setsOf(char key) {
    return setsOfHash(hasher().hash(key));
  }

  /**
   * All sets that may hold an object.
   *
   * @param key the object
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return their numbers, ascending
   */
  default <T> int[] setsOf(T key, Funnel<? super T> funnel) {
    return setsOfHash(hasher().hash(key, funnel));
  }

  /**
   * The one set that may hold a text key.
   *
   * @param key the key
   * @return the set, or {@link #ABSENT} if there is none or more than one
   */
  default long getOnly(CharSequence key) {
    return getOnlyHash(hasher().hash(key));
  }

  /**
   * The one set that may hold a byte-string key.
   *
   * @param key the key
   * @return the set, or {@link #ABSENT} if there is none or more than one
   */
  default long getOnly(byte[] key) {
    return getOnlyHash(hasher().hash(key));
  }

  /**
   * The one set that may hold a number.
   *
   * @param key the key
   * @return the set, or {@link #ABSENT} if there is none or more than one
   */
  default long getOnly(long key) {
    return getOnlyHash(hasher().hash(key));
  }

  /**
   * The one set that may hold a character.
   *
   * @param key the key, which counts as text
   * @return the set, or {@link #ABSENT} if there is none or more than one
   */
  default long getOnly(char key) {
    return getOnlyHash(hasher().hash(key));
  }

  /**
   * Adds a text key to a set.
   *
   * @param key the key
   * @param set 0 … {@link #sets} - 1
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  default boolean add(CharSequence key, int set) {
    return addHash(hasher().hash(key), set);
  }

  /**
   * Adds a byte-string key to a set.
   *
   * @param key the key
   * @param set 0 … {@link #sets} - 1
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  default boolean add(byte[] key, int set) {
    return addHash(hasher().hash(key), set);
  }

  /**
   * Adds a number to a set.
   *
   * @param key the key
   * @param set 0 … {@link #sets} - 1
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  default boolean add(long key, int set) {
    return addHash(hasher().hash(key), set);
  }

  /**
   * Adds a character to a set.
   *
   * @param key the key, which counts as text
   * @param set 0 … {@link #sets} - 1
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  default boolean add(char key, int set) {
    return addHash(hasher().hash(key), set);
  }

  /**
   * Adds an object to a set.
   *
   * @param key the object
   * @param set 0 … {@link #sets} - 1
   * @param funnel writes the object's fields
   * @param <T> the object's type
   * @return {@code true}: certainly new there; {@code false}: probably there before
   */
  default <T> boolean add(T key, int set, Funnel<? super T> funnel) {
    return addHash(hasher().hash(key, funnel), set);
  }
}
