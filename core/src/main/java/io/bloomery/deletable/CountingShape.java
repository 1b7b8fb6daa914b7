package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.CountingMath;
import java.util.Objects;

/**
 * The shape of a counting Bloom filter: a standard Bloom filter whose bits are counters.
 *
 * @param cells number of counters (its {@code bits}), probes and partition, as of the Bloom filter
 *     that it answers like
 * @param counterBits width of a counter in bits, 2 … 16
 */
public record CountingShape(BloomShape cells, int counterBits) implements Shape {

  /** The narrowest counter. */
  public static final int MIN_COUNTER_BITS = 2;

  /** The widest counter. */
  public static final int MAX_COUNTER_BITS = 16;

  /**
   * The default width, at which about one of 10^16 counters of a filter of the right size
   * overflows.
   */
  public static final int DEFAULT_COUNTER_BITS = 4;

  /**
   * Checks the fields.
   *
   * @param cells number of counters, probes and partition
   * @param counterBits width of a counter in bits
   * @throws IllegalArgumentException if the width is outside its range or the size is above {@link
   *     Shape#MAX_BITS}
   */
  public CountingShape {
    Objects.requireNonNull(cells, "cells");
    int perWord = perWord(counterBits);
    Arguments.inRange("counters", cells.bits(), 1, MAX_BITS / Long.SIZE * perWord);
  }

  /**
   * The smallest filter, in units of 64 counters, whose exact rate at {@code keys} keys is at most
   * {@code rate}.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @param counterBits width of a counter in bits, 2 … 16
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountingShape forKeys(long keys, double rate, int counterBits) {
    perWord(counterBits);
    return new CountingShape(BloomShape.forKeys(keys, rate), counterBits);
  }

  /**
   * The best filter for a number of keys in a given memory.
   *
   * @param keys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 counters … {@link Shape#MAX_BITS}; rounded down to whole units of 64
   *     counters
   * @param counterBits width of a counter in bits, 2 … 16
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingShape forBudget(long keys, long bits, int counterBits) {
    int perWord = perWord(counterBits);
    long unit = (Long.SIZE + perWord - 1L) / perWord * Long.SIZE;
    long counters = Sizing.requireBudget(bits, unit) / Long.SIZE * perWord;
    return new CountingShape(BloomShape.forBudget(keys, counters), counterBits);
  }

  private static int perWord(int counterBits) {
    return Long.SIZE
        / Arguments.inRange("counterBits", counterBits, MIN_COUNTER_BITS, MAX_COUNTER_BITS);
  }

  /** {@inheritDoc} Here: whole words of 64 bits, as many counters in each as fit. */
  @Override
  public long sizeInBits() {
    int perWord = perWord(counterBits);
    return (cells.bits() + perWord - 1) / perWord * Long.SIZE;
  }

  /** {@inheritDoc} Here: that of the Bloom filter with a bit for each counter. */
  @Override
  public double falsePositiveRate(long keys) {
    return cells.falsePositiveRate(keys);
  }

  /**
   * The expected rate at which a key that was not added is reported to have been added {@code
   * threshold} times or more.
   *
   * @param insertions additions of other keys, each of another key, 0 … {@link Shape#MAX_LOAD}; for
   *     keys that come again and again it is a lower bound only
   * @param threshold 1 … the highest value of a counter, {@link CountingMath#MAX_EXACT_THRESHOLD}
   *     at most
   * @return the rate
   */
  public double thresholdRate(long insertions, int threshold) {
    Sizing.requireLoad(insertions);
    int most = Math.min(maxCount(), CountingMath.MAX_EXACT_THRESHOLD);
    Arguments.inRange("threshold", threshold, 1, most);
    int probes = cells.probes();
    return cells.partitioned()
        ? Math.pow(
            CountingMath.countAtLeastProbability(cells.bits() / probes, insertions, 1, threshold),
            probes)
        : CountingMath.exactThresholdRate(cells.bits(), insertions, probes, threshold);
  }

  /**
   * The expected number of counters that more is added to than they can hold.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the number, also a bound of the probability that there is one
   */
  public double expectedOverflows(long keys) {
    return CountingMath.overflowBound(
        cells.bits(), Sizing.requireLoad(keys), cells.probes(), maxCount() + 1);
  }

  /**
   * The highest value of a counter.
   *
   * @return {@code 2^counterBits - 1}
   */
  public int maxCount() {
    return (1 << counterBits) - 1;
  }
}
