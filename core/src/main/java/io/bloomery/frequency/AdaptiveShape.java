package io.bloomery.frequency;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Fill;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of an adaptive Bloom filter.
 *
 * @param bits m, 2 … {@link Shape#MAX_BITS}
 * @param hashesPerKey k, bits that a key sets when it is first added, besides the one that every
 *     addition sets; 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most m
 * @param scanLimit how many counting bits of a key are read at most, which is the highest count;
 *     {@link #MIN_SCAN} … {@link #MAX_SCAN}, and beyond 65,536 at most m, so that no file makes
 *     queries cost more than reading it
 */
public record AdaptiveShape(
    @FieldName("bits") long bits,
    @FieldName("probes") int hashesPerKey,
    @FieldName("scan limit") int scanLimit)
    implements Shape, QueryCost {

  /** The lowest scan limit. */
  public static final int MIN_SCAN = 64;

  /** The highest scan limit. */
  public static final int MAX_SCAN = 1 << 30;

  /** A scan limit allowed for filters of any size. */
  private static final int SMALL_SCAN = 1 << 16;

  /** The fill up to which no chance run reaches the default limit. */
  private static final double FULL = 0.9;

  public AdaptiveShape {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, bits));
    int most = (int) Math.min(MAX_SCAN, Math.max(SMALL_SCAN, bits));
    Arguments.inRange("scanLimit", scanLimit, MIN_SCAN, most);
  }

  /**
   * A filter with the parameters given in papers, whose scans end after {@code 64 + 40·ln m} bits.
   *
   * @param bits m, 2 … {@link Shape#MAX_BITS}
   * @param hashesPerKey k, bits of a key besides those that count, 1 … {@link
   *     Shape#MAX_HASHES_PER_KEY} and at most m
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static AdaptiveShape of(long bits, int hashesPerKey) {
    Arguments.inRange("bits", bits, 2, MAX_BITS);
    double byChance = 4 * Math.log((double) bits) / (1 - FULL);
    return new AdaptiveShape(bits, hashesPerKey, MIN_SCAN + (int) Math.ceil(byChance));
  }

  /**
   * This size with another scan limit. At a fill of φ a key of c additions has a run of about
   * {@code c/(1-φ)}.
   *
   * @param scanLimit how many counting bits of a key are read at most, {@link #MIN_SCAN} … {@link
   *     #MAX_SCAN}, and beyond 65,536 at most m
   * @return a shape of the same bits and hashes per key
   * @throws IllegalArgumentException if the argument is outside its range
   */
  public AdaptiveShape withScanLimit(int scanLimit) {
    return new AdaptiveShape(bits, hashesPerKey, scanLimit);
  }

  /**
   * The smallest filter for keys that are added once.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static AdaptiveShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forAdds(expectedKeys, expectedKeys, falsePositiveRate);
  }

  /**
   * The smallest filter, in whole 64-bit words, for keys that are added several times.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param expectedAdds additions in total, {@code expectedKeys} … {@link Shape#MAX_BITS}
   * @param falsePositiveRate the rate, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static AdaptiveShape forAdds(
      long expectedKeys, long expectedAdds, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("expectedAdds", expectedAdds, expectedKeys, MAX_BITS);
    double ideal = BloomMath.informationBound(falsePositiveRate);
    double bits = expectedKeys * BloomMath.bitsPerKey(falsePositiveRate) + expectedAdds;
    Sizing.Choice choice =
        Sizing.smallest(
            (words, k) -> rate(words * 64, expectedKeys, expectedAdds, k),
            falsePositiveRate,
            (long) (bits / 64) + 1,
            MAX_BITS / 64,
            new Sizing.Probes(
                (int) Math.max(1, Math.round(ideal) - 1),
                1,
                Sizing.mostProbes(falsePositiveRate, 1),
                2));
    if (choice == null) {
      throw Sizing.tooLarge("an adaptive Bloom filter", expectedKeys, falsePositiveRate);
    }
    return of(choice.size() * 64, choice.hashesPerKey());
  }

  /**
   * The filter with the lowest rate that fits a given memory, for keys that are added once.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 64 … {@link Shape#MAX_BITS}; rounded down to whole 64-bit words
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static AdaptiveShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    long whole = Sizing.requireBudget(bits, 64) / 64 * 64;
    int most = (int) Math.min(MAX_HASHES_PER_KEY, whole);
    int start = Math.max(1, Math.min(most, BloomMath.optimalProbes(whole, expectedKeys) - 1));
    int k =
        new Sizing.Probes(start, 1, most, 2).best(p -> rate(whole, expectedKeys, expectedKeys, p));
    return of(whole, k);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here: each of them once. Every further addition sets one more bit; see {@link
   * #falsePositiveRate(long, long)}.
   */
  @Override
  public double falsePositiveRate(long keys) {
    return falsePositiveRate(keys, keys);
  }

  /**
   * The expected rate after keys were added, all of them once before any is added again, the worst
   * case for the fill: the probability that the first k + 1 bits of a key that was never added are
   * set, {@code fill^(k+1)}.
   *
   * @param keys number of distinct keys, 0 … {@link Shape#MAX_LOAD}
   * @param adds additions in total, {@code keys} … {@link Shape#MAX_LOAD}
   * @return the probability, 0 … 1
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public double falsePositiveRate(long keys, long adds) {
    Sizing.requireLoad(keys);
    Arguments.inRange("adds", adds, keys, MAX_LOAD);
    return rate(bits, keys, adds, hashesPerKey);
  }

  private static double rate(long bits, long keys, long adds, int hashesPerKey) {
    return Fill.expect(
        bits, keys * hashesPerKey, keys, adds - keys, fill -> Math.pow(fill, hashesPerKey + 1));
  }

  /**
   * The expected share of set bits after keys were added, all of them once before any is added
   * again.
   *
   * @param keys number of distinct keys, 0 … {@link Shape#MAX_LOAD}
   * @param adds additions in total, {@code keys} … {@link Shape#MAX_LOAD}
   * @return 0 … 1
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public double expectedFill(long keys, long adds) {
    Sizing.requireLoad(keys);
    Arguments.inRange("adds", adds, keys, MAX_LOAD);
    return Fill.mean(bits, keys * hashesPerKey, keys, adds - keys);
  }

  /** {@inheritDoc} Here: (k + 1)·log2 m, to find whether a key is there. */
  @Override
  public int hashBits() {
    return (hashesPerKey + 1) * HashBits.choice(bits);
  }

  /** {@inheritDoc} Here: k + 1; a count reads one more for each bit of its run. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey + 1;
  }
}
