package io.bloomery;

import io.bloomery.hash.Funnel;
import io.bloomery.hash.Hasher;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;

/**
 * A filter that represents every key by one 64-bit hash. Only {@link #hasher()} sees keys, so
 * filters with equal hashers can share hashes.
 *
 * <p>The key methods are implemented here once. In a program that uses many kinds, each costs three
 * virtual calls; filters built for speed override the methods for numbers, which then cost one.
 */
public interface HashedFilter extends Filter {

  /**
   * The hasher that turns keys into hashes.
   *
   * @return the hasher this filter was created with
   */
  Hasher hasher();

  /**
   * Looks up a key by its hash.
   *
   * @param hash the key's hash, computed by {@link #hasher()}
   * @return {@code false}: certainly absent; {@code true}: probably present
   */
  boolean mightContainHash(long hash);

  /**
   * Looks up many keys in one call, which lets cache misses overlap.
   *
   * @param hashes keys' hashes, computed by {@link #hasher()}
   * @param from the first to look up
   * @param to one past the last to look up
   * @param hits receives the answers: bit {@code i - from}, counted from the lowest bit of {@code
   *     hits[0]}, is the answer for {@code hashes[i]}. All words that hold an answer are
   *     overwritten; unused bits of the last one become zero
   * @return the number of hits
   * @throws IndexOutOfBoundsException if the range is outside {@code hashes} or {@code hits} is
   *     shorter than {@code (to - from + 63) / 64}
   */
  default int mightContainHashes(long[] hashes, int from, int to, long[] hits) {
    checkBatch(hashes, from, to, hits);
    int total = 0;
    for (int start = from, word = 0; start < to; start += Long.SIZE, word++) {
      int end = Math.min(start + Long.SIZE, to);
      long answers = 0;
      for (int i = start; i < end; i++) {
        answers |= (mightContainHash(hashes[i]) ? 1L : 0L) << (i - start);
      }
      hits[word] = answers;
      total += Long.bitCount(answers);
    }
    return total;
  }

  /**
   * Checks the arguments of {@link #mightContainHashes}; every implementation must call it.
   *
   * @param hashes keys' hashes
   * @param from the first to look up
   * @param to one past the last to look up
   * @param hits receives the answers
   */
  static void checkBatch(long[] hashes, int from, int to, long[] hits) {
    Objects.requireNonNull(hashes, "hashes");
    Objects.requireNonNull(hits, "hits");
    Objects.checkFromToIndex(from, to, hashes.length);
    int words = (int) (((long) to - from + Long.SIZE - 1) >>> 6);
    if (hits.length < words) {
      throw new IndexOutOfBoundsException(
          "hits has " + hits.length + " words; " + (to - from) + " answers need " + words);
    }
  }

  @Override
  default boolean mightContain(CharSequence key) {
    return mightContainHash(hasher().hash(key));
  }

  @Override
  default boolean mightContain(byte[] key) {
    return mightContainHash(hasher().hash(key));
  }

  @Override
  default boolean mightContain(byte[] bytes, int offset, int length) {
    return mightContainHash(hasher().hash(bytes, offset, length));
  }

  @Override
  default boolean mightContain(long key) {
    return mightContainHash(hasher().hash(key));
  }

  @Override
  default boolean mightContain(char key) {
    return mightContainHash(hasher().hash(key));
  }

  @Override
  default boolean mightContain(UUID key) {
    return mightContainHash(hasher().hash(key));
  }

  @Override
  default boolean mightContain(ByteBuffer key) {
    return mightContainHash(hasher().hash(key));
  }

  @Override
  default <T> boolean mightContain(T key, Funnel<? super T> funnel) {
    return mightContainHash(hasher().hash(key, funnel));
  }
}
