package io.bloomery.membership;

import io.bloomery.HashedFilter;

/** Counts answers, one query at a time. */
final class Hits {

  private Hits() {}

  /** How many of the hashes the filter reports present. */
  static long count(HashedFilter filter, long[] hashes) {
    long hits = 0;
    for (long hash : hashes) {
      hits += filter.mightContainHash(hash) ? 1 : 0;
    }
    return hits;
  }
}
