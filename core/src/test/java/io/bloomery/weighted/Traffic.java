package io.bloomery.weighted;

import static org.assertj.core.api.Assertions.assertThat;

import io.bloomery.HashedFilter;

/**
 * The false positives of a stream of queries, against what the filter's fill predicts for each key.
 * A key that is queried often errs always or never, so that the deviation is that of the keys and
 * not of the queries, and rare errors of heavy keys make the upper tail long.
 */
final class Traffic {

  private double queries;
  private double hits;
  private double expected;
  private double variance;
  private double heaviest;

  /** Queries for an absent key, by their weight, which errs with a given probability. */
  void add(HashedFilter filter, long hash, double weight, double probability) {
    queries += weight;
    hits += filter.mightContainHash(hash) ? weight : 0;
    expected += weight * probability;
    variance += weight * weight * probability * (1 - probability);
    heaviest = Math.max(heaviest, weight);
  }

  /** Queries for an absent key of a weighted filter, whose fill is known. */
  void add(ClassedFilter<?, ?> filter, double fill, long hash, double weight) {
    add(filter, hash, weight, Math.pow(fill, filter.hashesOf(hash)));
  }

  /** The share of queries that erred. */
  double measured() {
    return hits / queries;
  }

  /** The share that was to be expected. */
  double expected() {
    return expected / queries;
  }

  /** By how much more queries were to err than at a given rate. */
  double excess(double rate) {
    return expected - rate * queries;
  }

  /** Five deviations below, and above as much as Bernstein's bound allows with that probability. */
  void assertAsExpected() {
    double sigmas = 5;
    double third = sigmas * sigmas * heaviest / 6;
    double above = third + Math.sqrt(third * third + sigmas * sigmas * variance);
    assertThat(hits)
        .as("queries that erred, of %s", queries)
        .isBetween(expected - sigmas * Math.sqrt(variance), expected + above);
  }
}
