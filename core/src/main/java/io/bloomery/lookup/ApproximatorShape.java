package io.bloomery.lookup;

import io.bloomery.QueryCost;
import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.SizeSearch;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.membership.BloomShape;
import io.bloomery.plan.Shape;
import io.bloomery.theory.BloomMath;
import io.bloomery.theory.HashBits;

/**
 * The shape of a compact approximator: a Bloom filter whose cells hold values instead of bits. A
 * value is exact unless all its cells are shared with other keys, so the share of keys whose answer
 * is too high is at most the false-positive rate of a Bloom filter of as many bits.
 *
 * @param cells number of cells, 2 … {@link Shape#MAX_BITS} / cellBits
 * @param hashesPerKey hashes per key, 1 … {@link Shape#MAX_HASHES_PER_KEY} and at most {@code
 *     cells}
 * @param cellBits bits of a value, 1 … 63: of the largest number, or the elements of a set
 * @param sets whether values are sets, one bit per element, of which the join is the union and the
 *     meet the intersection; else they are numbers, the larger one and the smaller one
 */
public record ApproximatorShape(
    @FieldName("cells") long cells,
    @FieldName("probes") int hashesPerKey,
    @FieldName("cell bits") int cellBits,
    @FieldName("lattice") boolean sets)
    implements Shape, QueryCost {

  /** Bits per value that a plan assumes, since needs do not include it. */
  public static final int PLANNED_VALUE_BITS = 8;

  public ApproximatorShape {
    Arguments.inRange("cellBits", cellBits, 1, 63);
    Arguments.inRange("cells", cells, 2, mostCells(cellBits));
    Arguments.inRange("hashesPerKey", hashesPerKey, 1, (int) Math.min(MAX_HASHES_PER_KEY, cells));
  }

  private static long mostCells(int cellBits) {
    return MAX_BITS / 64 * (64 / cellBits);
  }

  /**
   * The fewest cells for a number of keys and a rate, with numbers as values.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate the highest acceptable share of values that are too high at that
   *     number of keys, in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param cellBits bits of a value, 1 … 63
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static ApproximatorShape forKeys(
      long expectedKeys, double falsePositiveRate, int cellBits) {
    Arguments.inRange("cellBits", cellBits, 1, 63);
    long keys = expectedKeys;
    double rate = falsePositiveRate;
    BloomShape words = BloomShape.forKeys(keys, rate);
    long best = words.bits();
    int bestProbes = words.hashesPerKey();
    for (int k = Math.max(1, words.hashesPerKey() - 2); k <= words.hashesPerKey() + 2; k++) {
      int hashesPerKey = Math.min(k, MAX_HASHES_PER_KEY);
      long guess = (long) Math.ceil(BloomMath.bitsForRate(keys, rate, hashesPerKey));
      long cells =
          SizeSearch.smallest(
              m -> BloomMath.exactRate(m, keys, hashesPerKey), rate, Math.max(2, guess), best);
      if (cells >= Math.max(2, hashesPerKey) && cells < best) {
        best = cells;
        bestProbes = hashesPerKey;
      }
    }
    Sizing.requireAtMost("cells", best, 2, mostCells(cellBits));
    return new ApproximatorShape(best, bestProbes, cellBits, false);
  }

  /**
   * The best shape for a number of keys in a given memory, with numbers as values.
   *
   * @param expectedKeys distinct keys to hold, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 128 … {@link Shape#MAX_BITS}
   * @param cellBits bits of a value, 1 … 63
   * @return the shape with the lowest exact rate
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static ApproximatorShape forBudget(long expectedKeys, long bits, int cellBits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Arguments.inRange("cellBits", cellBits, 1, 63);
    long cells = Sizing.requireBudget(bits, 128) / 64 * (64 / cellBits);
    int most = (int) Math.min(MAX_HASHES_PER_KEY, cells);
    int hashesPerKey =
        new Sizing.Probes(BloomMath.optimalProbes(cells, expectedKeys), 1, most, 2)
            .best(p -> BloomMath.exactRate(cells, expectedKeys, p));
    return new ApproximatorShape(cells, hashesPerKey, cellBits, false);
  }

  /**
   * These cells with sets as values.
   *
   * @return the shape; a value has one bit for each of {@link #cellBits} elements
   */
  public ApproximatorShape withSets() {
    return new ApproximatorShape(cells, hashesPerKey, cellBits, true);
  }

  @Override
  public long sizeInBits() {
    return cells * cellBits;
  }

  /**
   * {@inheritDoc} Here: the probability that a key without a value gets one, or that a value is too
   * high.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return BloomMath.exactRate(cells, keys, hashesPerKey);
  }

  /** {@inheritDoc} Here: k·log2 m. */
  @Override
  public int hashBits() {
    return HashBits.bloom(cells, hashesPerKey);
  }

  /** {@inheritDoc} Here: k. */
  @Override
  public int memoryAccesses() {
    return hashesPerKey;
  }
}
