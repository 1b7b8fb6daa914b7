package io.bloomery;

import java.io.IOException;

/**
 * Collects the hashes of all keys, then builds the filter. Every kind that can be built from keys
 * alone has one, whether its filter accepts keys one at a time or is static; {@link
 * io.bloomery.plan.Plan#builder} starts it.
 *
 * <p>Threads: one at a time, unless the variant {@linkplain Variant#supports supports} {@link
 * Writers#MANY}.
 */
public interface FilterBuilder {

  /**
   * Adds keys by their hashes.
   *
   * @param hashes keys' hashes, computed by the filter's hasher; the array may be reused after the
   *     call
   * @param from the first to add
   * @param to one past the last to add
   */
  void addHashes(long[] hashes, int from, int to);

  /**
   * Builds the filter of all keys. Called once, after the last add.
   *
   * @return the filter, which is also {@link Storable}
   * @throws IOException if a temporary file of hashes cannot be read
   */
  HashedFilter build() throws IOException;
}
