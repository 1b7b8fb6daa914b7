package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Cover;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.numeric.WordLoad;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;
import io.bloomery.theory.WordMath;
import java.util.Arrays;

/**
 * The shape of Bloom-1 ({@code groups} = 1) and Bloom-g: a key picks g words with replacement and
 * sets ceil(k/g) bits in each of the first k mod g of them and floor(k/g) in the rest, bits drawn
 * with replacement. Source: Qiao, Li, Chen, "Fast Bloom Filters and Their Generalization".
 *
 * <p>Deviation: the rate is exact where the paper's (in {@link WordMath}) is not. Within a word it
 * uses the exact occupancy, a few percent above the classic formula for 64 bits, and it accounts
 * for coinciding words of a key. Loads of different words are treated as independent; they are
 * negatively associated, so the value is an upper bound, tight to O(1/words): with three words a
 * simulated filter had 0.89 times this rate.
 *
 * @param words number of words l, at least 1; {@code words · wordBits} at most {@link
 *     Shape#MAX_BITS}
 * @param wordBits width of a word w in bits, 8 … 512
 * @param groups words of one key g, 1 … 8
 * @param hashesPerKey bits of one key k, {@code groups} … {@link Shape#MAX_HASHES_PER_KEY}
 */
public record WordShape(
    @FieldName("words") long words,
    @FieldName("word bits") int wordBits,
    @FieldName("groups") int groups,
    @FieldName("probes") int hashesPerKey)
    implements Shape {

  private static final int MAX_GROUPS = 8;
  private static final int GROUPS = 2;

  public WordShape {
    requireKind(wordBits, groups);
    Arguments.inRange("words", words, 1, MAX_BITS / wordBits);
    Arguments.inRange("hashesPerKey", hashesPerKey, groups, MAX_HASHES_PER_KEY);
  }

  /**
   * The smallest filter of two 64-bit words per key, with the best number of hashes per key.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static WordShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, Long.SIZE, GROUPS);
  }

  /**
   * The smallest filter whose rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}, with the best number of hashes per key.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param wordBits width of a word in bits, 8 … 512
   * @param groups words of one key, 1 … 8
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static WordShape forKeys(
      long expectedKeys, double falsePositiveRate, int wordBits, int groups) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    requireKind(wordBits, groups);
    Rates rates = new Rates(wordBits, groups);
    double information = BloomMath.informationBound(falsePositiveRate);
    int start = (int) Math.max(groups, Math.min(8.0 * groups, 0.8 * information));
    int most = Sizing.mostProbes(falsePositiveRate, groups);
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rates.at(expectedKeys, words, k),
            falsePositiveRate,
            guess(expectedKeys, falsePositiveRate, wordBits),
            MAX_BITS / wordBits,
            new Sizing.Probes(start, groups, most, groups + 1));
    if (choice == null) {
      throw tooLarge(expectedKeys, falsePositiveRate, wordBits, groups);
    }
    return new WordShape(choice.size(), wordBits, groups, choice.hashesPerKey());
  }

  /**
   * The smallest filter with a given number of hashes per key.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param wordBits width of a word in bits, 8 … 512
   * @param groups words of one key, 1 … 8
   * @param hashesPerKey hashes per key, {@code groups} … {@link Shape#MAX_HASHES_PER_KEY}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static WordShape forKeys(
      long expectedKeys, double falsePositiveRate, int wordBits, int groups, int hashesPerKey) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    requireKind(wordBits, groups);
    Arguments.inRange("hashesPerKey", hashesPerKey, groups, MAX_HASHES_PER_KEY);
    Rates rates = new Rates(wordBits, groups);
    long words =
        SizeSearch.smallest(
            size -> rates.at(expectedKeys, size, hashesPerKey),
            falsePositiveRate,
            guess(expectedKeys, falsePositiveRate, wordBits),
            MAX_BITS / wordBits);
    if (words < 0) {
      throw tooLarge(expectedKeys, falsePositiveRate, wordBits, groups);
    }
    return new WordShape(words, wordBits, groups, hashesPerKey);
  }

  private static long guess(long keys, double rate, int wordBits) {
    return (long) (keys * BloomMath.bitsPerKey(rate) * 1.1 / wordBits) + 1;
  }

  private static IllegalArgumentException tooLarge(
      long keys, double rate, int wordBits, int groups) {
    return Sizing.tooLarge(
        "a Bloom-" + groups + " filter of " + wordBits + "-bit words", keys, rate);
  }

  /**
   * The best filter of two 64-bit words per key for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole words
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WordShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, Long.SIZE, GROUPS);
  }

  /**
   * The best filter for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code wordBits} … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param wordBits width of a word in bits, 8 … 512
   * @param groups words of one key, 1 … 8
   * @return the shape with the lowest rate, ties going to fewer hashes per key
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WordShape forBudget(long expectedKeys, long bits, int wordBits, int groups) {
    requireKind(wordBits, groups);
    long words = Sizing.requireBudget(bits, wordBits) / wordBits;
    int hashesPerKey = optimalProbes(expectedKeys, words, wordBits, groups);
    return new WordShape(words, wordBits, groups, hashesPerKey);
  }

  /**
   * The best filter within a memory budget that takes a limited number of hash bits: k is the
   * smaller of the best number, k*, and the number that the hash bits allow, k' (Qiao, Li and Chen,
   * sec. 2.4 and 3.2).
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code wordBits} … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param wordBits width of a word in bits, 8 … 512
   * @param groups words of one key, 1 … 8
   * @param hashBits h, enough for a bit in each word of a key
   * @return the shape with the lowest rate for which {@link HashBits#bloomG} is at most h
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static WordShape forHashBits(
      long expectedKeys, long bits, int wordBits, int groups, int hashBits) {
    WordShape best = forBudget(expectedKeys, bits, wordBits, groups);
    int least = HashBits.bloomG(best.words, wordBits, groups, groups);
    Arguments.inRange("hashBits", hashBits, least, Integer.MAX_VALUE);
    int most = HashBits.affordableProbes(hashBits, best.words, wordBits, groups);
    return new WordShape(best.words, wordBits, groups, Math.min(best.hashesPerKey, most));
  }

  /**
   * This shape with its number of words doubled until a number of keys is within a given load
   * factor (Qiao, Li and Chen, sec. 3.5); this shape itself if it already is.
   *
   * @param keys distinct keys to hold, 0 … {@link Shape#MAX_KEYS}
   * @param maximumLoadFactor keys per bit, above 0
   * @return a shape of the same words, groups and hashes per key
   * @throws IllegalArgumentException if an argument is outside its range or the size would be above
   *     {@link Shape#MAX_BITS}
   */
  public WordShape doubledFor(long keys, double maximumLoadFactor) {
    Arguments.inRange("keys", keys, 0, MAX_KEYS);
    Arguments.inRange("maximumLoadFactor", maximumLoadFactor, Double.MIN_VALUE, Double.MAX_VALUE);
    WordShape shape = this;
    while (keys > maximumLoadFactor * shape.sizeInBits()) {
      shape = new WordShape(2 * shape.words, wordBits, groups, hashesPerKey);
    }
    return shape;
  }

  /**
   * The hashes per key with the lowest exact rate.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param words number of words, at least 1
   * @param wordBits width of a word in bits, 8 … 512
   * @param groups words of one key, 1 … 8
   * @return the number k, ties going to fewer
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static int optimalProbes(long expectedKeys, long words, int wordBits, int groups) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    requireKind(wordBits, groups);
    Arguments.inRange("words", words, 1, MAX_BITS / wordBits);
    Rates rates = new Rates(wordBits, groups);
    return new Sizing.Probes(groups + 4, groups, MAX_HASHES_PER_KEY, groups + 1)
        .best(k -> rates.at(expectedKeys, words, k));
  }

  private static void requireKind(int wordBits, int groups) {
    Arguments.inRange("wordBits", wordBits, 8, 512);
    Arguments.inRange("groups", groups, 1, MAX_GROUPS);
  }

  @Override
  public long sizeInBits() {
    return words * wordBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return new Rates(wordBits, groups).at(Sizing.requireLoad(keys), words, hashesPerKey);
  }

  /** The rate for one set of parameters; keeps its occupancy tables between evaluations. */
  private static final class Rates {

    /**
     * Patterns of coinciding words that contribute less than this share of the rate are ignored.
     */
    private static final double NEGLIGIBLE = 1e-13;

    private final int wordBits;
    private final int groups;
    private final Cover[] covers = new Cover[MAX_HASHES_PER_KEY + 1];
    private final Occupancy[] tables = new Occupancy[MAX_HASHES_PER_KEY + 1];

    Rates(int wordBits, int groups) {
      this.wordBits = wordBits;
      this.groups = groups;
    }

    double at(long keys, long words, int hashesPerKey) {
      if (keys == 0) {
        return 0;
      }
      WordLoad load = WordLoad.of(keys, words, groups, hashesPerKey, 48L * wordBits);
      double[] covered = new double[hashesPerKey + 1];
      Arrays.fill(covered, -1);
      double apart = 1;
      for (int j = 0; j < groups; j++) {
        apart *= covered(groupProbes(j, hashesPerKey), load, covered);
      }
      double floor = apart * NEGLIGIBLE;
      return Math.min(1, mix(0, new int[groups], 0, 1, floor, words, hashesPerKey, load, covered));
    }

    private int groupProbes(int group, int hashesPerKey) {
      return hashesPerKey / groups + (group < hashesPerKey % groups ? 1 : 0);
    }

    /**
     * Places group j into each word that an earlier group uses, or into a new one; {@code used}
     * holds the bits probed in each word.
     */
    private double mix(
        int j,
        int[] used,
        int distinct,
        double weight,
        double floor,
        long words,
        int hashesPerKey,
        WordLoad load,
        double[] covered) {
      if (weight <= floor) {
        return 0;
      }
      if (j == groups) {
        double product = weight;
        for (int i = 0; i < distinct; i++) {
          product *= covered(used[i], load, covered);
        }
        return product;
      }
      int size = groupProbes(j, hashesPerKey);
      double sum = 0;
      for (int i = 0; i < distinct; i++) {
        used[i] += size;
        sum +=
            mix(j + 1, used, distinct, weight / words, floor, words, hashesPerKey, load, covered);
        used[i] -= size;
      }
      used[distinct] = size;
      double fresh = weight * ((double) (words - distinct) / words);
      sum += mix(j + 1, used, distinct + 1, fresh, floor, words, hashesPerKey, load, covered);
      return sum;
    }

    private double covered(int size, WordLoad load, double[] covered) {
      if (covered[size] < 0) {
        if (tables[size] == null) {
          tables[size] = new Occupancy(wordBits, size, covers);
        }
        covered[size] = load.expect(tables[size]::after);
      }
      return covered[size];
    }
  }
}
