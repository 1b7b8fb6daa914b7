package io.bloomery.frozen;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;

/**
 * The shape of a Golomb-coded set: n keys as numbers of a range N, sorted, their gaps Rice-coded
 * with b bits for the remainder, in blocks of a mean number of keys.
 *
 * @param keys distinct keys n, 1 … 2^31
 * @param range N, 1 … 2^62; an outsider meets one of the keys with probability 1 − (1 − 1/N)^n
 * @param riceBits b, 0 … 62
 * @param blockKeys mean number of keys in a block, 8 … 65536
 */
public record GolombShape(long keys, long range, int riceBits, int blockKeys) implements Shape {

  /** The largest N. */
  public static final long MAX_RANGE = 1L << 62;

  private static final long MAX_ENTRIES = 1L << 31;

  /** What a set is planned to take beyond log2(1/rate) bits for each key: 1.6 and some reserve. */
  private static final double MOST_OVERHEAD = 1.585;

  private static final int LEAST_BLOCK = 32;
  private static final int LARGEST_BLOCK = 512;

  /** Deviations from a straight line within a group of the index, in those of one block. */
  private static final double INDEX_SPREAD = 17;

  private static final int INDEX_GROUP = 32;
  private static final int INDEX_BASE_BITS = 32;

  /**
   * Checks the fields.
   *
   * @param keys distinct keys n
   * @param range the range N
   * @param riceBits bits of a remainder b
   * @param blockKeys mean number of keys in a block
   * @throws IllegalArgumentException if a field is outside its range
   */
  public GolombShape {
    Arguments.inRange("keys", keys, 1, MAX_ENTRIES);
    Arguments.inRange("range", range, 1, MAX_RANGE);
    Arguments.inRange("riceBits", riceBits, 0, 62);
    Arguments.inRange("blockKeys", blockKeys, 8, 1 << 16);
  }

  /**
   * The set with the smallest range whose rate is at most {@code rate}, the best remainder width
   * for it, and the smallest blocks with which it takes no more than log2(1/rate) + 1.6 bits a key.
   *
   * @param keys distinct keys to hold, 1 … 2^31
   * @param rate the false-positive rate, in (0, 1) and at least {@code keys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GolombShape forKeys(long keys, double rate) {
    Sizing.requireTarget(keys, rate);
    Arguments.inRange("keys", keys, 1, MAX_ENTRIES);
    long range = (long) Math.ceil(-1 / Math.expm1(Math.log1p(-rate) / keys));
    while (rate(keys, range) > rate) {
      range += Math.max(1, range >>> 50);
    }
    return ofRange(keys, range, bestRiceBits(keys, range));
  }

  /**
   * The set with the lowest rate that fits a given memory.
   *
   * @param keys distinct keys to hold, 1 … 2^31
   * @param bits the budget, 3 · {@code keys} … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GolombShape forBudget(long keys, long bits) {
    Arguments.inRange("keys", keys, 1, MAX_ENTRIES);
    Sizing.requireBudget(bits, 3 * keys + 2 * INDEX_BASE_BITS);
    long low = keys;
    long high = Math.min(MAX_RANGE, keys << Math.min(30, 61 - log2(keys)));
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (ofRange(keys, middle, bestRiceBits(keys, middle)).sizeInBits() <= bits) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return ofRange(keys, low, bestRiceBits(keys, low));
  }

  /**
   * The set of a given range and remainder width, as BIP 158 gives them.
   *
   * @param keys distinct keys to hold, 1 … 2^31
   * @param range N, 1 … 2^62
   * @param riceBits b, 0 … 62
   * @return the shape, with blocks as in {@link #forKeys}
   * @throws IllegalArgumentException if an argument is outside its range
   */
  public static GolombShape ofRange(long keys, long range, int riceBits) {
    GolombShape shape = new GolombShape(keys, range, riceBits, LEAST_BLOCK);
    double most = Math.log(1 / rate(keys, range)) / Math.log(2) + MOST_OVERHEAD;
    int blockKeys = LEAST_BLOCK;
    while (blockKeys < LARGEST_BLOCK && shape.bitsPerKey() > most) {
      blockKeys += 8;
      shape = new GolombShape(keys, range, riceBits, blockKeys);
    }
    return shape;
  }

  /**
   * The width b with the shortest codes, which is log2(N·ln 2/n) rounded to one of its neighbours.
   *
   * @param keys distinct keys n, 1 … 2^31
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
   * How much of the range a block covers.
   *
   * @return 2 … 2^62
   */
  public long blockRange() {
    double mean = (double) range / keys;
    return (long) Math.max(2, Math.min(MAX_RANGE, Math.ceil(mean * blockKeys)));
  }

  /**
   * The mean length of a code: remainder, stop bit and the expected quotient of a geometric gap.
   *
   * @return bits for each key, without the index
   */
  public double codeBits() {
    return codeBits(keys, range, riceBits);
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

  /** Bits of the index for each key. */
  private double indexBits() {
    double spread = Math.sqrt(blockKeys * (1 - rate(keys, range)));
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
    double entries = range * rate(keys, range);
    double saved = (double) keys / blockKeys * (codeBits() - riceBits - 1);
    return (entries * codeBits() - saved) / keys + indexBits();
  }

  /** {@inheritDoc} Expected: codes of the keys that do not coincide, and the index. */
  @Override
  public long sizeInBits() {
    return (long) Math.ceil(keys * bitsPerKey());
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
