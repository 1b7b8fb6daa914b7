package io.bloomery.lookup;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Fill;
import io.bloomery.internal.numeric.SetCode;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;
import java.util.function.DoubleUnaryOperator;

/**
 * The shape of a combinatorial Bloom filter: one array of bits, groups of hash functions, and per
 * set a code of a constant number of groups.
 *
 * @param bits m, 2 or more
 * @param hashesPerKey k, hashes per key and group, 1 … 255 and at most the bits
 * @param groups F, groups of hash functions, at most 62
 * @param weight w, groups of a code, 1 … 31
 * @param sets number of sets, 1 … C(groups, weight)
 */
public record CombinatorialShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("groups") int groups,
    @FieldName("weight") int weight,
    @FieldName("sets") int sets)
    implements Shape, QueryCost {

  /** Number of sets that a plan assumes, since needs do not include it. */
  public static final int PLANNED_SETS = 255;

  private static final int MAX_WEIGHT = 31;

  /** The most groups beyond its weight that a chosen code takes. */
  private static final int SPARE_GROUPS = 16;

  public CombinatorialShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    Arguments.inRange("weight", weight, 1, MAX_WEIGHT);
    Arguments.inRange("groups", groups, weight, SetCode.MAX_COLUMNS);
    long most = Math.min(BankShape.MAX_SETS, SetCode.choose(groups, weight));
    Arguments.inRange("sets", sets, 1, (int) most);
  }

  /**
   * The smallest filter with a low weight whose wrong and ambiguous answers stay within a rate.
   *
   * @param expectedKeys distinct keys of all sets together, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the highest share of keys of no set that have an answer, and of keys
   *     of a set whose answer is not that set alone, in (0, 1)
   * @param sets number of sets, 1 … {@link BankShape#MAX_SETS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static CombinatorialShape forKeys(long expectedKeys, double falsePositiveRate, int sets) {
    return forKeys(expectedKeys, falsePositiveRate, sets, lowWeight(sets));
  }

  /**
   * The smallest filter of a given weight whose wrong and ambiguous answers stay within a rate.
   *
   * @param expectedKeys distinct keys of all sets together, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the highest share of keys of no set that have an answer, and of keys
   *     of a set whose answer is not that set alone, in (0, 1)
   * @param sets number of sets
   * @param weight groups of a code, 1 … 31: fewer take less memory and more groups, hence more
   *     time; the groups are the fewest that give enough codes
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is too large
   */
  public static CombinatorialShape forKeys(
      long expectedKeys, double falsePositiveRate, int sets, int weight) {
    long keys = expectedKeys;
    double rate = falsePositiveRate;
    Sizing.requireTarget(keys, rate);
    CombinatorialShape least = least(sets, weight);
    double group = Math.min(0.5, rate / Math.max(1, least.groups - weight));
    long thrown = keys * weight;
    int start = Math.max(1, (int) Math.round(BloomMath.informationBound(group)));
    int most = Sizing.mostProbes(group, 1);
    Sizing.Choice choice =
        Sizing.smallest(
            (m, k) -> m < Math.max(2, k) ? 1 : least.sized(m, k).worstRate(keys),
            rate,
            Math.max(2, (long) (thrown * BloomMath.bitsPerKey(group))),
            MAX_BITS,
            new Sizing.Probes(start, 1, most, 2));
    if (choice == null) {
      throw Sizing.tooLarge("a combinatorial Bloom filter", keys, rate);
    }
    return least.sized(choice.size(), choice.hashesPerKey());
  }

  /**
   * The best filter of a low weight for a number of keys in a given memory.
   *
   * @param expectedKeys distinct keys of all sets together, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}
   * @param sets number of sets, 1 … {@link BankShape#MAX_SETS}
   * @return the shape with the fewest wrong and ambiguous answers
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CombinatorialShape forBudget(long expectedKeys, long bits, int sets) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, 64);
    int weight = lowWeight(sets);
    CombinatorialShape least = least(sets, weight);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, bits);
    int start = BloomMath.optimalProbes(bits, expectedKeys * weight);
    int hashesPerKey =
        new Sizing.Probes(start, 1, most, 2)
            .best(k -> least.sized(bits, k).worstRate(expectedKeys));
    return least.sized(bits, hashesPerKey);
  }

  private static int lowWeight(int sets) {
    Arguments.inRange("sets", sets, 1, BankShape.MAX_SETS);
    int weight = 1;
    while (SetCode.columns(sets, weight) > SPARE_GROUPS + weight) {
      weight++;
    }
    return weight;
  }

  private static CombinatorialShape least(int sets, int weight) {
    Arguments.inRange("sets", sets, 1, BankShape.MAX_SETS);
    Arguments.inRange("weight", weight, 1, MAX_WEIGHT);
    return new CombinatorialShape(2, 1, SetCode.columns(sets, weight), weight, sets);
  }

  private CombinatorialShape sized(long size, int count) {
    return new CombinatorialShape(size, count, groups, weight, sets);
  }

  private double worstRate(long keys) {
    return Math.max(falsePositiveRate(keys), ambiguousRate(keys));
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  /** {@inheritDoc} Here: the probability that a key of no set has an answer. */
  @Override
  public double falsePositiveRate(long keys) {
    return expect(keys, fill -> coveredRate(Math.pow(fill, hashesPerKey)));
  }

  /**
   * The probability that a key of a set is answered with more groups than those of its code.
   *
   * @param keys distinct keys of all sets together, 0 … {@link Shape#MAX_LOAD}
   * @return 1 - (1 - φ^k)^(F - w), φ being the share of ones
   */
  public double ambiguousRate(long keys) {
    return expect(
        keys, fill -> -Math.expm1((groups - weight) * Math.log1p(-Math.pow(fill, hashesPerKey))));
  }

  private double expect(long keys, DoubleUnaryOperator of) {
    Sizing.requireLoad(keys);
    double thrown = Math.min((double) keys * hashesPerKey * weight, 0x1p62);
    return keys == 0 ? 0 : Fill.expect(bits, (long) thrown, 0, 0, of);
  }

  /**
   * The probability that groups, each found with the same probability, cover a code: their lowest
   * ones, as many as the weight, are then the code of a set.
   *
   * @param group the probability of a group
   * @return the probability of an answer
   */
  public double coveredRate(double group) {
    double sum = 0;
    long left = sets;
    for (int highest = weight - 1; left > 0; highest++) {
      long codes = Math.min(left, SetCode.choose(highest, weight - 1));
      sum += codes * Math.pow(1 - group, highest + 1.0 - weight);
      left -= codes;
    }
    return Math.min(1, sum * Math.pow(group, weight));
  }

  /** {@inheritDoc} Here: k·log2 m for each group. */
  @Override
  public int hashBits() {
    return groups * HashBits.bloom(bits, hashesPerKey);
  }

  /** {@inheritDoc} Here: k for each group. */
  @Override
  public int memoryAccesses() {
    return groups * hashesPerKey;
  }
}
