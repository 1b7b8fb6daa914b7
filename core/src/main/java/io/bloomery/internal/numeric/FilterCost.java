package io.bloomery.internal.numeric;

import java.util.OptionalDouble;

/**
 * The cost by which the planner ranks, defined there; shapes with internal alternatives use it too.
 */
public final class FilterCost {

  /** How much more time weighs where one thread at a time may change a filter: others wait. */
  public static final double LOCKED = 1.25;

  /** An uncontended lock. */
  public static final double LOCK_NANOS = 20;

  /** The assumed number of queries per added key. */
  private static final int QUERIES_PER_KEY = 20;

  /** Negligible memory: a filter's objects apart from its table, and its share of a page. */
  private static final int SMALL_BITS = 2048 * Byte.SIZE;

  /** Negligible memory: a key itself takes many times as much. */
  private static final int SMALL_BITS_PER_KEY = 1;

  /** The limit of a 64-bit hash, so that exact answers are not rated infinitely good. */
  private static final double MOST_REJECTION = 57;

  private static final double LEAST_REJECTION = 1e-9;

  /** The weight of the rate where memory is given. */
  private static final double RATE_WEIGHT = 2;

  private final long keys;
  private final double rateWeight;
  private final double memoryWeight;
  private final double mostRejection;

  /**
   * The cost of filters for a number of keys.
   *
   * @param keys how many
   * @param rate the rate that is wanted; empty if the memory is given
   * @param memoryWeight how many percent of time a percent of memory is worth
   */
  public FilterCost(long keys, OptionalDouble rate, double memoryWeight) {
    this.keys = keys;
    this.rateWeight = rate.isPresent() ? 1 : RATE_WEIGHT;
    this.memoryWeight = memoryWeight;
    this.mostRejection = rate.isPresent() ? enough(rate.getAsDouble()) : MOST_REJECTION;
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
    double memory = ((double) bits + SMALL_BITS) / keys + SMALL_BITS_PER_KEY;
    double accuracy = Math.pow(rejection(rate), rateWeight);
    return time * Math.pow(memory / accuracy, memoryWeight);
  }

  private double rejection(double rate) {
    double rejection = rate > 0 ? log2(1 / rate) : MOST_REJECTION;
    return Math.max(LEAST_REJECTION, Math.min(mostRejection, rejection));
  }

  private static double log2(double number) {
    return Math.log(number) / Math.log(2);
  }
}
