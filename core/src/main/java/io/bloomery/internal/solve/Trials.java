package io.bloomery.internal.solve;

import io.bloomery.ConstructionException;

/** What is said when no seed worked. */
final class Trials {

  private Trials() {}

  /**
   * The exception to throw.
   *
   * @param what the table and its keys
   * @param otherwise what else may be wrong than the keys, and helps; empty if nothing
   */
  static ConstructionException failed(String what, int trials, long seed, String otherwise) {
    return new ConstructionException(
        ("%s: none of %d trials with seed %d worked, which does not happen by chance. The keys were"
                + " chosen against the seed, or their hashes are not uniform%s; a hash with a"
                + " secret key withstands chosen keys")
            .formatted(what, trials, seed, otherwise));
  }
}
