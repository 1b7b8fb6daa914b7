package io.bloomery.deletable;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BlockShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.CountingMath;
import java.util.Objects;

/**
 * The shape of a blocked Bloom filter with a counter for each of its bits.
 *
 * @param cells blocks and hashes per key of the blocked Bloom filter with the same answers; its
 *     bits are the counters
 * @param counterBits width of a counter in bits, 2 … 8
 */
public record BlockedCountingShape(BlockShape cells, @FieldName("counter bits") int counterBits)
    implements Shape, QueryCost {

  /** The narrowest counter. */
  public static final int MIN_COUNTER_BITS = 2;

  /** The widest counter. */
  public static final int MAX_COUNTER_BITS = 8;

  /** The default width. */
  public static final int DEFAULT_COUNTER_BITS = 4;

  private static final int BLOCK = 512;

  public BlockedCountingShape {
    Objects.requireNonNull(cells, "cells");
    Arguments.inRange("counters", cells.sizeInBits(), 1, mostCounters(counterBits));
  }

  /**
   * A shape with 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BlockedCountingShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_COUNTER_BITS);
  }

  /**
   * A shape within 4 % of the smallest whose exact rate at {@code expectedKeys} keys is at most
   * {@code falsePositiveRate}, with few words per key.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param counterBits width of a counter in bits, 2 … 8
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static BlockedCountingShape forKeys(
      long expectedKeys, double falsePositiveRate, int counterBits) {
    long most = mostCounters(counterBits);
    BlockShape cells = BlockShape.forKeys(expectedKeys, falsePositiveRate);
    if (cells.sizeInBits() > most) {
      throw Sizing.tooLarge(
          "a blocked counting filter of " + counterBits + "-bit counters",
          expectedKeys,
          falsePositiveRate);
    }
    return new BlockedCountingShape(cells, counterBits);
  }

  /**
   * The filter of 512-counter blocks with 4-bit counters and the lowest rate within a memory
   * budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 2048 … {@link Shape#MAX_BITS}
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BlockedCountingShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, DEFAULT_COUNTER_BITS);
  }

  /**
   * The filter of 512-counter blocks with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, a block of counters … {@link Shape#MAX_BITS}; rounded down to whole
   *     blocks
   * @param counterBits width of a counter in bits, 2 … 8
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static BlockedCountingShape forBudget(long expectedKeys, long bits, int counterBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    mostCounters(counterBits);
    long counters = Sizing.requireBudget(bits, (long) BLOCK * counterBits) / counterBits;
    return new BlockedCountingShape(
        BlockShape.forBudget(expectedKeys, counters, BLOCK), counterBits);
  }

  private static long mostCounters(int counterBits) {
    return MAX_BITS
        / Arguments.inRange("counterBits", counterBits, MIN_COUNTER_BITS, MAX_COUNTER_BITS);
  }

  @Override
  public long sizeInBits() {
    return cells.sizeInBits() * counterBits;
  }

  /** {@inheritDoc} Here: that of the blocked Bloom filter with a bit for each counter. */
  @Override
  public double falsePositiveRate(long keys) {
    return cells.falsePositiveRate(keys);
  }

  /**
   * The expected number of counters that receive more increments than they can hold. A key adds 1
   * to {@code hashesPerKey} different counters, so each gets a binomial number.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the number, also a bound on the probability that there is any
   */
  public double expectedOverflows(long keys) {
    double share = (double) cells.hashesPerKey() / cells.sizeInBits();
    return cells.sizeInBits()
        * CountingMath.binomialTail(Sizing.requireLoad(keys), share, maxCount() + 1);
  }

  /**
   * The highest value of a counter.
   *
   * @return {@code 2^(counterBits - 1)}: one bit marks a counter above 0
   */
  public int maxCount() {
    return 1 << (counterBits - 1);
  }

  /** {@inheritDoc} Here: that of the cells, each a counter. */
  @Override
  public int hashBits() {
    return cells.hashBits();
  }

  /** {@inheritDoc} Here: that of the cells: a query reads one bit of each counter. */
  @Override
  public int memoryAccesses() {
    return cells.memoryAccesses();
  }
}
