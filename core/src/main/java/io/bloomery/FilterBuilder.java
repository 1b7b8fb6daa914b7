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

  /**
   * Receives progress reports during a long build. Called on the building thread, so it should
   * return quickly; an exception thrown here aborts the build.
   */
  @FunctionalInterface
  public interface Progress {

    /** Ignores all progress. */
    Progress NONE = (phase, done, total) -> {};

    /** The first phase: reading keys. */
    String READ = "read";

    /** Ordering keys; each new trial restarts here. */
    String ORDER = "order";

    /** Searching for a solution. */
    String SOLVE = "solve";

    /** The last phase: writing the filter's table. */
    String FILL = "fill";

    /**
     * Reports progress within a phase.
     *
     * @param phase one of the names above; a kind may skip some
     * @param done the number of keys done, increasing within a phase
     * @param total the number of keys in all, or 0 while unknown
     */
    void report(String phase, long done, long total);
  }
}
