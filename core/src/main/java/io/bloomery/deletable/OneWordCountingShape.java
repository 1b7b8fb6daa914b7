package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.WordShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.CountingMath;
import io.bloomery.theory.WordMath;

/**
 * The shape of a counting filter that keeps all counters of a key in one group of 32 … 512 bits: a
 * Bloom-1 filter with counters instead of bits. Source: Qiao, Li and Chen, "Fast Bloom Filters and
 * Their Generalization", sec. 5.
 *
 * <p>Deviation: the published rate, {@link WordMath#bloom1Rate} with the counters of a group as
 * bits of a word, treats the counters of a group as independent and is too low; this one is exact,
 * like that of {@link WordShape}.
 *
 * @param groups number of groups l, at least 1; {@code groups · groupBits} at most {@link
 *     Shape#MAX_BITS}
 * @param groupBits width of a group w in bits: 32, 64, 72, 128, 256 or 512
 * @param counterBits width of a counter b in bits: 2, 4, 8 or 16, at most an eighth of the group
 * @param hashesPerKey hashes per key k, 1 … {@link Shape#MAX_HASHES_PER_KEY}
 */
public record OneWordCountingShape(
    @FieldName("groups") long groups,
    @FieldName("group bits") int groupBits,
    @FieldName("counter bits") int counterBits,
    @FieldName("probes") int hashesPerKey)
    implements Shape {

  /** The default width of a group: one cache line. */
  public static final int DEFAULT_GROUP_BITS = 512;

  /** The default width of a counter. */
  public static final int DEFAULT_COUNTER_BITS = 4;

  static final int MIN_COUNTERS = 8;

  public OneWordCountingShape {
    requireKind(groupBits, counterBits);
    Arguments.inRange("groups", groups, 1, MAX_BITS / groupBits);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, MAX_HASHES_PER_KEY);
  }

  /**
   * The smallest filter of 512-bit groups with 4-bit counters for a number of keys and a rate.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static OneWordCountingShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_GROUP_BITS, DEFAULT_COUNTER_BITS);
  }

  /**
   * The smallest filter whose exact rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param groupBits width of a group in bits: 32, 64, 72, 128, 256 or 512
   * @param counterBits width of a counter in bits: 2, 4, 8 or 16, at most an eighth of the group
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static OneWordCountingShape forKeys(
      long expectedKeys, double falsePositiveRate, int groupBits, int counterBits) {
    requireKind(groupBits, counterBits);
    WordShape cells =
        WordShape.forKeys(expectedKeys, falsePositiveRate, groupBits / counterBits, 1);
    if (cells.words() > MAX_BITS / groupBits) {
      throw Sizing.tooLarge(
          "a one-word counting filter of " + groupBits + "-bit groups",
          expectedKeys,
          falsePositiveRate);
    }
    return new OneWordCountingShape(cells.words(), groupBits, counterBits, cells.hashesPerKey());
  }

  /**
   * The filter of 512-bit groups with 4-bit counters and the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 512 … {@link Shape#MAX_BITS}
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static OneWordCountingShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, DEFAULT_GROUP_BITS, DEFAULT_COUNTER_BITS);
  }

  /**
   * The filter with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code groupBits} … {@link Shape#MAX_BITS}; rounded down to whole
   *     groups
   * @param groupBits width of a group in bits: 32, 64, 72, 128, 256 or 512
   * @param counterBits width of a counter in bits: 2, 4, 8 or 16, at most an eighth of the group
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static OneWordCountingShape forBudget(
      long expectedKeys, long bits, int groupBits, int counterBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    requireKind(groupBits, counterBits);
    long groups = Sizing.requireBudget(bits, groupBits) / groupBits;
    int hashesPerKey = WordShape.optimalProbes(expectedKeys, groups, groupBits / counterBits, 1);
    return new OneWordCountingShape(groups, groupBits, counterBits, hashesPerKey);
  }

  /**
   * This shape with its number of groups doubled until a number of keys is within a given load
   * factor (Qiao, Li and Chen, sec. 3.5); this shape itself if it already is.
   *
   * @param keys distinct keys to hold, 0 … {@link Shape#MAX_KEYS}
   * @param maximumLoadFactor keys per counter, above 0
   * @return a shape of the same groups, counters and hashes per key
   * @throws IllegalArgumentException if an argument is outside its range or the size would be above
   *     {@link Shape#MAX_BITS}
   */
  public OneWordCountingShape doubledFor(long keys, double maximumLoadFactor) {
    WordShape cells = new WordShape(groups, countersPerGroup(), 1, hashesPerKey);
    long more = cells.doubledFor(keys, maximumLoadFactor).words();
    return new OneWordCountingShape(more, groupBits, counterBits, hashesPerKey);
  }

  private static void requireKind(int groupBits, int counterBits) {
    Arguments.oneOf("groupBits", groupBits, 32, 64, 72, 128, 256, 512);
    Arguments.oneOf("counterBits", counterBits, 2, 4, 8, 16);
    if (groupBits / counterBits < MIN_COUNTERS) {
      throw new IllegalArgumentException(
          "counterBits = " + counterBits + " leaves fewer than 8 counters in " + groupBits);
    }
  }

  /**
   * The number of counters in all groups.
   *
   * @return {@code groups · countersPerGroup}
   */
  public long counters() {
    return groups * countersPerGroup();
  }

  /**
   * How many counters a group holds.
   *
   * @return 8 … 256, a power of two unless groups have 72 bits
   */
  public int countersPerGroup() {
    return groupBits / counterBits;
  }

  /**
   * The highest value of a counter.
   *
   * @return {@code 2^counterBits - 1}
   */
  public int maxCount() {
    return (1 << counterBits) - 1;
  }

  @Override
  public long sizeInBits() {
    return groups * groupBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return new WordShape(groups, countersPerGroup(), 1, hashesPerKey).falsePositiveRate(keys);
  }

  /**
   * The expected number of counters that receive more increments than they can hold. Groups of few
   * counters have many more than a counting Bloom filter of the same size, because some groups get
   * many keys.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the number, also a bound on the probability that there is any
   */
  public double expectedOverflows(long keys) {
    int counters = countersPerGroup();
    Pmf load =
        Pmf.binomial(Sizing.requireLoad(keys), 1.0 / groups, (64L * counters) << counterBits);
    double each =
        load.expect(
            x -> CountingMath.countAtLeastProbability(counters, x, hashesPerKey, maxCount() + 1));
    return each * counters * groups;
  }
}
