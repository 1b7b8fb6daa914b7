package io.bloomery.plan;

/**
 * The cost by which {@link Planner} ranks, which states it; shapes with internal alternatives use
 * it too.
 */
public final class Cost {

  /** A filter is queried about this often for each key that is added. */
  static final int QUERIES_PER_KEY = 20;

  /** Negligible memory: a filter's objects beside its table, and its share of a page. */
  static final int SMALL_BITS = 2048 * Byte.SIZE;

  /** Negligible memory compared with the keys, each of which takes many times as much. */
  static final int SMALL_BITS_PER_KEY = 1;

  /** An uncontended lock. */
  static final double LOCK_NANOS = 20;

  /** The limit of a 64-bit hash, so that exact answers are not rated infinitely good. */
  static final double MOST_REJECTION = 57;

  private static final double LEAST_REJECTION = 1e-9;

  /** How much more a rate weighs than memory, where memory is given. */
  static final double RATE_WEIGHT = 2;

  private final Needs needs;
  private final double mostRejection;

  /**
   * The cost of filters that meet these needs.
   *
   * @param needs keys, a rate or a budget, and what weighs more
   */
  public Cost(Needs needs) {
    this.needs = needs;
    this.mostRejection =
        needs.rate().isPresent() ? enough(needs.rate().getAsDouble()) : MOST_REJECTION;
  }

  /** One more fingerprint bit than the given rate requires, since fingerprints have whole bits. */
  private static double enough(double rate) {
    double given = log2(1 / rate);
    return Math.min(MOST_REJECTION, given + Math.min(1, given));
  }

  /**
   * What a filter costs.
   *
   * @param bits its size
   * @param rate its rate
   * @param queryNanos how long a query takes
   * @param addNanos how long it takes to add a key
   * @return the cost; less is better
   */
  public double of(long bits, double rate, double queryNanos, double addNanos) {
    double time = queryNanos + addNanos / QUERIES_PER_KEY;
    double memory = ((double) bits + SMALL_BITS) / needs.keys() + SMALL_BITS_PER_KEY;
    double accuracy = Math.pow(rejection(rate), needs.rate().isPresent() ? 1 : RATE_WEIGHT);
    return time * Math.pow(memory / accuracy, needs.preference().memoryWeight());
  }

  private double rejection(double rate) {
    double rejection = rate > 0 ? log2(1 / rate) : MOST_REJECTION;
    return Math.max(LEAST_REJECTION, Math.min(mostRejection, rejection));
  }

  private static double log2(double number) {
    return Math.log(number) / Math.log(2);
  }
}
