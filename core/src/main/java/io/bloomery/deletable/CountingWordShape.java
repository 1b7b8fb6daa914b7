package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.WordLoad;
import io.bloomery.membership.WordShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.CountingMath;

/**
 * The shape of a counting filter that keeps a key's counters in g words of 64 … 512 bits: a Bloom-g
 * filter with counters instead of bits. A key picks g words with replacement and raises ceil(k/g)
 * counters in each of the first k mod g of them and floor(k/g) in the rest, drawn with replacement.
 *
 * <p>The rate is exactly that of a {@link WordShape} with a bit for each counter.
 *
 * @param words number of words l, at least 1; {@code words · wordBits} at most {@link
 *     Shape#MAX_BITS}
 * @param wordBits width of a word w in bits: 64, 128, 256 or 512
 * @param counterBits width of a counter b in bits: 2, 4, 8 or 16, at most an eighth of the word
 * @param groups words of one key g, 1 … 8
 * @param hashesPerKey counters of one key k, {@code groups} … {@link Shape#MAX_HASHES_PER_KEY}
 */
public record CountingWordShape(
    @FieldName("words") long words,
    @FieldName("word bits") int wordBits,
    @FieldName("counter bits") int counterBits,
    @FieldName("groups") int groups,
    @FieldName("probes") int hashesPerKey)
    implements Shape {

  private static final int GROUPS = 2;
  private static final int MAX_GROUPS = 8;

  public CountingWordShape {
    requireKind(wordBits, counterBits, groups);
    Arguments.inRange("words", words, 1, MAX_BITS / wordBits);
    Arguments.inRange("hashesPerKey", hashesPerKey, groups, MAX_HASHES_PER_KEY);
  }

  /**
   * The smallest filter of two 512-bit words per key with 4-bit counters for a number of keys and a
   * rate.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountingWordShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(
        expectedKeys,
        falsePositiveRate,
        OneWordCountingShape.DEFAULT_GROUP_BITS,
        OneWordCountingShape.DEFAULT_COUNTER_BITS,
        GROUPS);
  }

  /**
   * The smallest filter whose rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param wordBits width of a word in bits: 64, 128, 256 or 512
   * @param counterBits width of a counter in bits: 2, 4, 8 or 16, at most an eighth of the word
   * @param groups words of one key, 1 … 8
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static CountingWordShape forKeys(
      long expectedKeys, double falsePositiveRate, int wordBits, int counterBits, int groups) {
    requireKind(wordBits, counterBits, groups);
    WordShape cells =
        WordShape.forKeys(expectedKeys, falsePositiveRate, wordBits / counterBits, groups);
    if (cells.words() > MAX_BITS / wordBits) {
      throw Sizing.tooLarge(
          "a counting Bloom-" + groups + " filter of " + wordBits + "-bit words",
          expectedKeys,
          falsePositiveRate);
    }
    return new CountingWordShape(
        cells.words(), wordBits, counterBits, groups, cells.hashesPerKey());
  }

  /**
   * The filter of two 512-bit words per key with 4-bit counters and the lowest rate within a memory
   * budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 512 … {@link Shape#MAX_BITS}; rounded down to whole words
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingWordShape forBudget(long expectedKeys, long bits) {
    return forBudget(
        expectedKeys,
        bits,
        OneWordCountingShape.DEFAULT_GROUP_BITS,
        OneWordCountingShape.DEFAULT_COUNTER_BITS,
        GROUPS);
  }

  /**
   * The filter with the lowest rate within a memory budget.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code wordBits} … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param wordBits width of a word in bits: 64, 128, 256 or 512
   * @param counterBits width of a counter in bits: 2, 4, 8 or 16, at most an eighth of the word
   * @param groups words of one key, 1 … 8
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static CountingWordShape forBudget(
      long expectedKeys, long bits, int wordBits, int counterBits, int groups) {
    requireKind(wordBits, counterBits, groups);
    long words = Sizing.requireBudget(bits, wordBits) / wordBits;
    int hashesPerKey = WordShape.optimalProbes(expectedKeys, words, wordBits / counterBits, groups);
    return new CountingWordShape(words, wordBits, counterBits, groups, hashesPerKey);
  }

  private static void requireKind(int wordBits, int counterBits, int groups) {
    Arguments.oneOf("wordBits", wordBits, 64, 128, 256, 512);
    Arguments.oneOf("counterBits", counterBits, 2, 4, 8, 16);
    if (wordBits / counterBits < OneWordCountingShape.MIN_COUNTERS) {
      throw new IllegalArgumentException(
          "counterBits = " + counterBits + " leaves fewer than 8 counters in " + wordBits);
    }
    Arguments.inRange("groups", groups, 1, MAX_GROUPS);
  }

  /**
   * The number of counters in all words.
   *
   * @return {@code words · countersPerWord}
   */
  public long counters() {
    return words * countersPerWord();
  }

  /**
   * How many counters a word holds.
   *
   * @return 8 … 256
   */
  public int countersPerWord() {
    return wordBits / counterBits;
  }

  /**
   * The highest value of a counter.
   *
   * @return {@code 2^counterBits - 1}
   */
  public int maxCount() {
    return (1 << counterBits) - 1;
  }

  /**
   * How many counters of a key lie in the j-th of its words.
   *
   * @param group j, 0 … {@code groups - 1}
   * @return ceil(k/g) or floor(k/g)
   */
  public int share(int group) {
    return hashesPerKey / groups + (group < hashesPerKey % groups ? 1 : 0);
  }

  @Override
  public long sizeInBits() {
    return words * wordBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return new WordShape(words, countersPerWord(), groups, hashesPerKey).falsePositiveRate(keys);
  }

  /**
   * The expected number of counters that receive more increments than they can hold.
   *
   * @param keys number of distinct keys added, 0 … {@link Shape#MAX_LOAD}
   * @return the number, also a bound on the probability that there is any
   */
  public double expectedOverflows(long keys) {
    int counters = countersPerWord();
    long cap = (64L * counters) << counterBits;
    WordLoad load = WordLoad.of(Sizing.requireLoad(keys), words, groups, hashesPerKey, cap);
    double each =
        load.expect(t -> CountingMath.countAtLeastProbability(counters, t, 1, maxCount() + 1));
    return each * counters * words;
  }
}
