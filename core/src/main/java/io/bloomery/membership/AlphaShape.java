package io.bloomery.membership;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Cover;
import io.bloomery.internal.numeric.Occupancy;
import io.bloomery.internal.numeric.Pmf;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.internal.probe.WordProbes;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of Bloom-α: Bloom-1 on the first w − 1 bits of each word, except that the words with
 * the most keys are split, until a share α of the keys is in split words; a key of a split word has
 * its first ceil(k/2) bits there and the other floor(k/2) in a second word. Source: Qiao, Li, Chen,
 * "Fast Bloom Filters and Their Generalization", sec. 4, which gives simulations but no formula.
 *
 * <p>The formula for the rate is ours: a word holds X ~ Bin(n, 1/l) keys and Y ~ Bin(αn, 1/l)
 * second halves, is split if X is above the load at which the share α is reached, and fresh hashes
 * are tested against the exact occupancy of the thrown bits. Loads of different words are treated
 * as independent, which is accurate to 1 % for a hundred words or more.
 *
 * @param words number of words l, at least 1; {@code words · wordBits} at most {@link
 *     Shape#MAX_BITS}
 * @param wordBits width of a word w in bits, 32, 40, … 512
 * @param hashesPerKey bits of one key k, 2 … {@link Shape#MAX_HASHES_PER_KEY}
 * @param alpha the minimum share of keys in split words, 0 … 1
 */
public record AlphaShape(
    @FieldName("words") long words,
    @FieldName("word bits") int wordBits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("alpha") double alpha)
    implements Shape {

  private static final int MIN_PROBES = 2;
  private static final double DEFAULT_ALPHA = 0.5;

  public AlphaShape {
    requireKind(wordBits, alpha);
    Arguments.inRange("words", words, 1, MAX_BITS / wordBits);
    Arguments.inRange("hashesPerKey", hashesPerKey, MIN_PROBES, MAX_HASHES_PER_KEY);
  }

  /**
   * The smallest filter of 64-bit words with α = 0.5, with the best number of hashes per key.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static AlphaShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, Long.SIZE, DEFAULT_ALPHA);
  }

  /**
   * The smallest filter whose expected rate at {@code expectedKeys} keys is at most {@code
   * falsePositiveRate}, with the best number of hashes per key.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param wordBits width of a word in bits, 32, 40, … 512
   * @param alpha the minimum share of keys in split words, 0 … 1
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static AlphaShape forKeys(
      long expectedKeys, double falsePositiveRate, int wordBits, double alpha) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    requireKind(wordBits, alpha);
    Rates rates = new Rates(wordBits, alpha);
    long guess =
        (long) (expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) * 1.15 / wordBits) + 1;
    int start =
        (int)
            Math.max(MIN_PROBES, Math.min(12, 0.8 * BloomMath.informationBound(falsePositiveRate)));
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rates.at(expectedKeys, words, k).rate(),
            falsePositiveRate,
            guess,
            MAX_BITS / wordBits,
            new Sizing.Probes(
                start, MIN_PROBES, Sizing.mostProbes(falsePositiveRate, MIN_PROBES), 3));
    if (choice == null) {
      throw Sizing.tooLarge(
          "a Bloom-α filter of " + wordBits + "-bit words", expectedKeys, falsePositiveRate);
    }
    return new AlphaShape(choice.size(), wordBits, choice.hashesPerKey(), alpha);
  }

  /**
   * The best filter of 64-bit words with α = 0.5 for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole words
   * @return the shape with the lowest rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static AlphaShape forBudget(long expectedKeys, long bits) {
    return forBudget(expectedKeys, bits, Long.SIZE, DEFAULT_ALPHA);
  }

  /**
   * The best filter for a number of keys within a memory budget.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code wordBits} … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param wordBits width of a word in bits, 32, 40, … 512
   * @param alpha the minimum share of keys in split words, 0 … 1
   * @return the shape with the lowest rate, ties going to fewer hashes per key
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static AlphaShape forBudget(long expectedKeys, long bits, int wordBits, double alpha) {
    requireKind(wordBits, alpha);
    long words = Sizing.requireBudget(bits, wordBits) / wordBits;
    int hashesPerKey = optimalProbes(expectedKeys, words, wordBits, alpha);
    return new AlphaShape(words, wordBits, hashesPerKey, alpha);
  }

  /**
   * The best filter within a memory budget that takes a limited number of hash bits: k is the
   * smaller of the best number and the number that the hash bits allow.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, {@code wordBits} … {@link Shape#MAX_BITS}; rounded down to whole words
   * @param wordBits width of a word in bits, 32, 40, … 512
   * @param alpha the minimum share of keys in split words, 0 … 1
   * @param hashBits h, enough for a bit in each of two words
   * @return the shape with the lowest rate for which {@link HashBits#bloomAlpha} is at most h
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static AlphaShape forHashBits(
      long expectedKeys, long bits, int wordBits, double alpha, int hashBits) {
    AlphaShape best = forBudget(expectedKeys, bits, wordBits, alpha);
    int least = HashBits.bloomAlpha(best.words, wordBits, MIN_PROBES);
    Arguments.inRange("hashBits", hashBits, least, Integer.MAX_VALUE);
    int most = HashBits.affordableProbes(hashBits, best.words, wordBits, 2);
    return new AlphaShape(best.words, wordBits, Math.min(best.hashesPerKey, most), alpha);
  }

  /**
   * The hashes per key with the lowest expected rate, the "optimal k" of Qiao, Li and Chen, Table
   * 6.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param words number of words, at least 1
   * @param wordBits width of a word in bits, 32, 40, … 512
   * @param alpha the minimum share of keys in split words, 0 … 1
   * @return the number k, 2 or more, ties going to fewer
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static int optimalProbes(long expectedKeys, long words, int wordBits, double alpha) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    requireKind(wordBits, alpha);
    Arguments.inRange("words", words, 1, MAX_BITS / wordBits);
    Rates rates = new Rates(wordBits, alpha);
    return new Sizing.Probes(5, MIN_PROBES, MAX_HASHES_PER_KEY, 3)
        .best(k -> rates.at(expectedKeys, words, k).rate());
  }

  private static void requireKind(int wordBits, double alpha) {
    WordProbes.requireWidth(wordBits);
    Arguments.inRange("alpha", alpha, 0, 1);
  }

  @Override
  public long sizeInBits() {
    return words * wordBits;
  }

  @Override
  public double falsePositiveRate(long keys) {
    return expected(keys).rate();
  }

  /**
   * The mean number of words that a query for an absent key reads, for a filter built from a number
   * of distinct keys: 1 plus the share of such queries that meet a split word and find their bits
   * there.
   *
   * @param keys number of distinct keys in the filter, 0 … {@link Shape#MAX_LOAD}
   * @return the mean, 1 … 1 + α
   * @throws IllegalArgumentException if {@code keys} is outside its range
   */
  public double expectedAccesses(long keys) {
    return expected(keys).accesses();
  }

  private Expected expected(long keys) {
    return new Rates(wordBits, alpha).at(Sizing.requireLoad(keys), words, hashesPerKey);
  }

  private record Expected(double rate, double accesses) {}

  /** The rate for one set of parameters; keeps its occupancy tables between evaluations. */
  private static final class Rates {

    private final int positions;
    private final double alpha;
    private final Cover[] covers = new Cover[MAX_HASHES_PER_KEY + 1];
    private final Occupancy[] tables = new Occupancy[MAX_HASHES_PER_KEY + 1];

    Rates(int wordBits, double alpha) {
      this.positions = wordBits - 1;
      this.alpha = alpha;
    }

    Expected at(long keys, long words, int hashesPerKey) {
      int first = (hashesPerKey + 1) / 2;
      int second = hashesPerKey / 2;
      long cap = 48L * positions;
      Pmf own = Pmf.binomial(keys, 1.0 / words, cap / first);
      Pmf moved = Pmf.binomial((long) Math.ceil(alpha * keys), 1.0 / words, cap / second);
      double[] splitShare = splitShare(own, (double) keys / words);
      double whole = own.above();
      double both = 0;
      double leading = 0;
      double trailing = own.above();
      for (int i = 0; i < own.size(); i++) {
        long x = own.first() + i;
        double split = own.weight(i) * splitShare[i];
        double unsplit = own.weight(i) - split;
        if (unsplit > 0) {
          whole += unsplit * mean(moved, hashesPerKey * x, second, hashesPerKey);
          trailing += unsplit * mean(moved, hashesPerKey * x, second, second);
        }
        if (split > 0) {
          leading += split * mean(moved, first * x, second, first);
          trailing += split * mean(moved, first * x, second, second);
          both += split * mean(moved, first * x, second, hashesPerKey);
        }
      }
      double same = 1.0 / words;
      double rate = whole + leading * trailing * (1 - same) + both * same;
      return new Expected(Math.min(1, rate), 1 + leading);
    }

    /** For every load of the window, the share of words with that load that are split. */
    private double[] splitShare(Pmf own, double load) {
      double[] share = new double[own.size()];
      double wanted = alpha * load;
      for (int i = own.size() - 1; i >= 0 && wanted > 0; i--) {
        double members = own.weight(i) * (own.first() + i);
        share[i] = members <= wanted ? 1 : wanted / members;
        wanted -= members;
      }
      return share;
    }

    /**
     * The probability that fresh draws find their bits set after a word's own bits and moved halves
     * were thrown.
     */
    private double mean(Pmf moved, long ownBits, int movedBits, int draws) {
      if (tables[draws] == null) {
        tables[draws] = new Occupancy(positions, draws, covers);
      }
      Occupancy table = tables[draws];
      double sum = moved.above();
      for (int i = 0; i < moved.size(); i++) {
        sum += moved.weight(i) * table.after(ownBits + movedBits * (moved.first() + i));
      }
      return sum;
    }
  }
}
