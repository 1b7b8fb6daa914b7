package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a Golomb-coded set: n keys as numbers of a range N, sorted, their gaps Rice-coded
 * with b bits for the remainder, in blocks that cover equal parts of the range.
 *
 * @param keyCount distinct keys n, 0 … 2^31; for a set read from a file, its entries, which are
 *     fewer if numbers of keys coincide
 * @param range N, 1 … 2^62; another key collides with one of the keys with probability 1 − (1 −
 *     1/N)^n
 * @param riceBits b, 0 … 62
 * @param blockRange how much of the range a block covers, 2 … 2^62
 */
public record GolombShape(
    @FieldName("entries") long keyCount,
    @FieldName("range") long range,
    @FieldName("rice bits") int riceBits,
    @FieldName("block range") long blockRange)
    implements Shape {

  /** The largest N. */
  public static final long MAX_RANGE = 1L << 62;

  private static final long MAX_ENTRIES = 1L << 31;

  /** Planned overhead above log2(1/rate) bits per key: 1.6 plus some reserve. */
  private static final double MOST_OVERHEAD = 1.585;

  private static final int LEAST_BLOCK = 32;
  private static final int LARGEST_BLOCK = 512;

  /**
   * Allowed deviation from a straight line within a group of the index, in standard deviations of
   * one block.
   */
  private static final double INDEX_SPREAD = 17;

  private static final int INDEX_GROUP = 32;
  private static final int INDEX_BASE_BITS = 32;

  public GolombShape {
    Arguments.inRange("keyCount", keyCount, 0, MAX_ENTRIES);
    Arguments.inRange("range", range, 1, MAX_RANGE);
    Arguments.inRange("riceBits", riceBits, 0, 62);
    Arguments.inRange("blockRange", blockRange, 2, MAX_RANGE);
  }

  /**
   * The set with the smallest range whose rate is at most {@code falsePositiveRate}, the best
   * remainder width for it, and the smallest blocks with which it takes no more than log2(1/rate) +
   * 1.6 bits per key.
   *
   * @param expectedKeys distinct keys, 1 … 2^31
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GolombShape forKeys(long expectedKeys, double falsePositiveRate) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    long range = (long) Math.ceil(-1 / Math.expm1(Math.log1p(-falsePositiveRate) / expectedKeys));
    while (rate(expectedKeys, range) > falsePositiveRate) {
      range += Math.max(1, range >>> 50);
    }
    return ofRange(expectedKeys, range, bestRiceBits(expectedKeys, range));
  }

  /**
   * The set with the lowest rate that fits a given memory.
   *
   * @param expectedKeys distinct keys, 1 … 2^31
   * @param bits the budget, 3 · {@code expectedKeys} … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GolombShape forBudget(long expectedKeys, long bits) {
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    Sizing.requireBudget(bits, 3 * expectedKeys + 2 * INDEX_BASE_BITS);
    long low = expectedKeys;
    long high = Math.min(MAX_RANGE, expectedKeys << Math.min(30, 61 - log2(expectedKeys)));
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (best(expectedKeys, middle).sizeInBits() <= bits) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return best(expectedKeys, low);
  }

  private static GolombShape best(long keys, long range) {
    return ofRange(keys, range, bestRiceBits(keys, range));
  }

  /**
   * The set of a given range and remainder width, as BIP 158 gives them.
   *
   * @param expectedKeys distinct keys, 1 … 2^31
   * @param range N, 1 … 2^62
   * @param riceBits b, 0 … 62
   * @return the shape, with blocks as in {@link #forKeys}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GolombShape ofRange(long expectedKeys, long range, int riceBits) {
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    GolombShape shape = ofBlocks(expectedKeys, range, riceBits, LEAST_BLOCK);
    double most = Math.log(1 / rate(expectedKeys, range)) / Math.log(2) + MOST_OVERHEAD;
    for (int blockKeys = LEAST_BLOCK + 8;
        blockKeys <= LARGEST_BLOCK && shape.bitsPerKey() > most;
        blockKeys += 8) {
      shape = ofBlocks(expectedKeys, range, riceBits, blockKeys);
    }
    return shape;
  }

  /**
   * The set of a given range, remainder width and mean number of keys in a block.
   *
   * @param expectedKeys distinct keys, 1 … 2^31
   * @param range N, 1 … 2^62
   * @param riceBits b, 0 … 62
   * @param blockKeys 8 … 65536
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GolombShape ofBlocks(long expectedKeys, long range, int riceBits, int blockKeys) {
    Sizing.requireKeys(expectedKeys, MAX_ENTRIES);
    Arguments.inRange("blockKeys", blockKeys, 8, 1 << 16);
    double mean = (double) range / expectedKeys;
    long blockRange = (long) Math.max(2, Math.min(MAX_RANGE, Math.ceil(mean * blockKeys)));
    return new GolombShape(expectedKeys, range, riceBits, blockRange);
  }

  /**
   * The shape of the same rate for another number of keys. The range grows with that number.
   *
   * @param keys distinct keys, 0 or more
   * @return the shape
   * @throws IllegalArgumentException if there are too many for one filter
   */
  public GolombShape withKeys(long keys) {
    if (keys == this.keyCount) {
      return this;
    }
    GolombShape shape = forKeys(Math.max(1, keys), falsePositiveRate(this.keyCount));
    return keys == 0 ? shape.holding(0) : shape;
  }

  /** The same range and blocks for another number of keys, at another rate. */
  GolombShape holding(long keys) {
    return new GolombShape(keys, range, riceBits, blockRange);
  }

  /**
   * The width b with the shortest codes, which is log2(N·ln 2/n) rounded to one of its neighbours.
   *
   * @param keys different keys n, 1 … 2^31
   * @param range N, 1 … 2^62
   * @return 0 … 62
   */
  public static int bestRiceBits(long keys, long range) {
    Arguments.inRange("keys", keys, 1, MAX_ENTRIES);
    Arguments.inRange("range", range, 1, MAX_RANGE);
    int bits = 0;
    while (bits < 62 && codeBits(keys, range, bits + 1) < codeBits(keys, range, bits)) {
      bits++;
    }
    return bits;
  }

  /**
   * The mean number of keys in a block.
   *
   * @return 0 or more
   */
  public double blockKeys() {
    return (double) keyCount * blockRange / range;
  }

  /**
   * The mean length of a code: remainder, stop bit and the expected quotient of a geometric gap.
   *
   * @return bits per key, without the index
   */
  public double codeBits() {
    return codeBits(keyCount, range, riceBits);
  }

  private static double codeBits(long keys, long range, int riceBits) {
    double density = rate(keys, range);
    if (density >= 1) {
      return riceBits + 1 + Math.scalb(1.0, -riceBits);
    }
    double none = Math.log1p(-density);
    double stay = Math.exp(none * Math.scalb(1.0, riceBits));
    return riceBits + 1 + stay / (Math.exp(none) * (1 - stay));
  }

  /** Bits of the index per key. */
  private double indexBits() {
    double blockKeys = blockKeys();
    double spread = Math.sqrt(blockKeys * (1 - rate(keyCount, range)));
    double deviation = Math.max(1, spread * codeBits());
    double width = Math.log(INDEX_SPREAD * deviation) / Math.log(2);
    double each = width * (INDEX_GROUP + 1) / INDEX_GROUP + (double) INDEX_BASE_BITS / INDEX_GROUP;
    return each / blockKeys;
  }

  /**
   * Codes of the keys that do not coincide, and the index. A block has no code for the gap to its
   * end, which saves about one quotient.
   */
  private double bitsPerKey() {
    double entries = range * rate(keyCount, range);
    double saved = keyCount / blockKeys() * (codeBits() - riceBits - 1);
    return (entries * codeBits() - saved) / keyCount + indexBits();
  }

  /** {@inheritDoc} Expected: codes of the keys that do not coincide, and the index. */
  @Override
  public long sizeInBits() {
    return keyCount == 0 ? 0 : (long) Math.ceil(keyCount * bitsPerKey());
  }

  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return rate(keys, range);
  }

  private static double rate(long keys, long range) {
    return range == 1 ? Math.min(1, keys) : -Math.expm1(keys * Math.log1p(-1.0 / range));
  }

  private static int log2(long x) {
    return 63 - Long.numberOfLeadingZeros(x);
  }
}
