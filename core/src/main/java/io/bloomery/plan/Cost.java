package io.bloomery.plan;

/**
 * The cost by which {@link Planner} ranks, which states it; shapes that have a choice of their own
 * choose by it too.
 */
public final class Cost {

  /** A filter is queried about this often for each key that is added. */
  static final int QUERIES_PER_KEY = 20;

  /** What nobody notices: the objects of a filter beside its table, and its share of a page. */
  static final int SMALL_BITS = 2048 * Byte.SIZE;

  /** What nobody notices beside keys, each of which takes many times as much. */
  static final int SMALL_BITS_PER_KEY = 1;

  /** A lock that nobody else wants. */
  static final double LOCK_NANOS = 20;

  /** No 64-bit hash rejects more, so that exact answers are not infinitely good. */
  static final double MOST_REJECTION = 57;

  private static final double LEAST_REJECTION = 1e-9;

  private final Needs needs;
  private final double mostRejection;

  /**
   * The cost of filters that are to meet these needs.
   *
   * @param needs keys, a rate or a budget, and what weighs more
   */
  public Cost(Needs needs) {
    this.needs = needs;
    this.mostRejection =
        needs.rate().isPresent() ? enough(needs.rate().getAsDouble()) : MOST_REJECTION;
  }

  /** A bit of fingerprint more than the given rate asks for, since they come in whole bits. */
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
    return time * Math.pow(memory / rejection(rate), needs.preference().memoryWeight());
  }

  private double rejection(double rate) {
    double rejection = rate > 0 ? log2(1 / rate) : MOST_REJECTION;
    return Math.max(LEAST_REJECTION, Math.min(mostRejection, rejection));
  }

  private static double log2(double number) {
    return Math.log(number) / Math.log(2);
  }
}
