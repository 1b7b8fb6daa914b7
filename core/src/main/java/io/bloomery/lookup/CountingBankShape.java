package io.bloomery.lookup;

import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a bank of counting Bloom filters: the bits of a {@link BankShape} for queries, and a
 * counter for each of them for removals.
 *
 * @param bank the bits
 * @param counterBits width of a counter in bits, 2 … 16
 */
public record CountingBankShape(BankShape bank, int counterBits) implements Shape {

  /** The width of counters if nothing else is said. */
  public static final int DEFAULT_COUNTER_BITS = 4;

  /**
   * Checks the fields.
   *
   * @param bank the bits
   * @param counterBits width of a counter in bits
   * @throws IllegalArgumentException if the width is outside its range or the size is above {@link
   *     Shape#MAX_BITS}
   */
  public CountingBankShape {
    Objects.requireNonNull(bank, "bank");
    Arguments.inRange("counterBits", counterBits, 2, 16);
    Arguments.inRange(
        "rows", bank.rows(), 2, MAX_BITS / Long.SIZE * (Long.SIZE / counterBits) / bank.filters());
  }

  /**
   * The smallest bank with a filter of 4-bit counters for each set that answers for other keys at
   * most at a rate.
   *
   * @param keys distinct keys of all sets together, evenly spread, 1 … {@link Shape#MAX_KEYS}
   * @param rate how often a key of no set may have an answer, in (0, 1)
   * @param sets number of sets
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static CountingBankShape forKeys(long keys, double rate, int sets) {
    return new CountingBankShape(
        BankShape.forKeys(keys, rate, sets, BankShape.ONE_HOT), DEFAULT_COUNTER_BITS);
  }

  /**
   * The best bank with a filter of 4-bit counters for each set in a given memory.
   *
   * @param keys distinct keys of all sets together, evenly spread, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget
   * @param sets number of sets
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingBankShape forBudget(long keys, long bits, int sets) {
    Sizing.requireBudget(bits, Long.SIZE);
    long whole = bits - Long.SIZE; // the counters of the last word
    long bank = whole / (1 + DEFAULT_COUNTER_BITS);
    return new CountingBankShape(
        BankShape.forBudget(keys, bank, sets, BankShape.ONE_HOT), DEFAULT_COUNTER_BITS);
  }

  /**
   * How many counters there are.
   *
   * @return one for each bit that a key can set
   */
  public long counters() {
    return bank.rows() * bank.filters();
  }

  /** {@inheritDoc} Here: that of the bits and that of the counters, in whole words. */
  @Override
  public long sizeInBits() {
    return bank.sizeInBits() + Counters.wordsFor(counters(), counterBits) * Long.SIZE;
  }

  /** {@inheritDoc} Here: that of the bits. */
  @Override
  public double falsePositiveRate(long keys) {
    return bank.falsePositiveRate(keys);
  }
}
