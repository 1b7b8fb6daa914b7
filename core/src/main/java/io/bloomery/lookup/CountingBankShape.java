package io.bloomery.lookup;

import io.bloomery.QueryCost;
import io.bloomery.internal.bits.Counters;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import java.util.Objects;

/**
 * The shape of a bank of counting Bloom filters: the bits of a {@link BankShape} for queries, and a
 * counter per bit for deletes.
 *
 * @param bank the bits
 * @param counterBits width of a counter in bits, 2 … 16
 */
public record CountingBankShape(BankShape bank, @FieldName("counter bits") int counterBits)
    implements Shape, QueryCost {

  /** The default width of a counter. */
  public static final int DEFAULT_COUNTER_BITS = 4;

  public CountingBankShape {
    Objects.requireNonNull(bank, "bank");
    Arguments.inRange("counterBits", counterBits, 2, 16);
    Arguments.inRange("rows", bank.rows(), 2, mostRows(bank, counterBits));
  }

  private static long mostRows(BankShape bank, int counterBits) {
    return MAX_BITS / Long.SIZE * (Long.SIZE / counterBits) / bank.filters();
  }

  /**
   * A bank with 4-bit counters.
   *
   * @param bank the bits
   * @return the shape
   * @throws IllegalArgumentException if the counters are larger than {@link Shape#MAX_BITS}
   */
  public static CountingBankShape of(BankShape bank) {
    Sizing.requireAtMost("rows", bank.rows(), 2, mostRows(bank, DEFAULT_COUNTER_BITS));
    return new CountingBankShape(bank, DEFAULT_COUNTER_BITS);
  }

  /**
   * The smallest bank with one filter of 4-bit counters per set in which every filter has a given
   * rate.
   *
   * @param sets number of sets, 1 … {@link BankShape#MAX_SETS}
   * @param keysPerSet keys that the largest set has at a time, 1 or more
   * @param falsePositiveRate the rate of each filter, in (0, 1)
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static CountingBankShape forSets(int sets, long keysPerSet, double falsePositiveRate) {
    return of(BankShape.forSets(sets, keysPerSet, falsePositiveRate));
  }

  /**
   * The smallest bank with one filter of 4-bit counters per set that reports keys of no set at most
   * at a given rate.
   *
   * @param expectedKeys distinct keys of all sets together, evenly distributed, 1 … {@link
   *     Shape#MAX_KEYS}
   * @param falsePositiveRate how often a key of no set may have an answer, in (0, 1)
   * @param sets number of sets
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static CountingBankShape forKeys(long expectedKeys, double falsePositiveRate, int sets) {
    return of(BankShape.forKeys(expectedKeys, falsePositiveRate, sets, BankShape.ONE_HOT));
  }

  /**
   * The best bank with one filter of 4-bit counters per set in a given memory.
   *
   * @param expectedKeys distinct keys of all sets together, evenly distributed, 1 … {@link
   *     Shape#MAX_KEYS}
   * @param bits the budget
   * @param sets number of sets
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingBankShape forBudget(long expectedKeys, long bits, int sets) {
    Sizing.requireBudget(bits, Long.SIZE);
    long whole = bits - Long.SIZE; // the counters of the last word
    long bank = whole / (1 + DEFAULT_COUNTER_BITS);
    return of(BankShape.forBudget(expectedKeys, bank, sets, BankShape.ONE_HOT));
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

  /** {@inheritDoc} Here: that of the bits. */
  @Override
  public int hashBits() {
    return bank.hashBits();
  }

  /** {@inheritDoc} Here: that of the bits; counters are read to change. */
  @Override
  public int memoryAccesses() {
    return bank.memoryAccesses();
  }
}
