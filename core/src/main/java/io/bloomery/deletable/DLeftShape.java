package io.bloomery.deletable;

import io.bloomery.internal.check.Arguments;
import io.bloomery.internal.check.FieldName;
import io.bloomery.internal.numeric.Sizing;
import io.bloomery.plan.Shape;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a d-left counting filter: {@code tables} subtables of {@code buckets} buckets, each
 * of 1, 2, 4 or 8 whole words that are filled with cells of a remainder and a counter.
 *
 * @param tables d, subtables and candidate buckets of a key, 2 … 8
 * @param buckets B, buckets of each subtable, 1 or more
 * @param bucketWords 64-bit words of a bucket, 1, 2, 4 or 8, so that it lies in one cache line
 * @param remainderBits r, bits of a key that its cell holds, 1 … 48
 * @param counterBits bits of a cell's counter, 2 … 8
 */
public record DLeftShape(
    @FieldName("tables") int tables,
    @FieldName("buckets") long buckets,
    @FieldName("bucket words") int bucketWords,
    @FieldName("remainder bits") int remainderBits,
    @FieldName("counter bits") int counterBits)
    implements Shape {

  /** The most bits of a remainder. */
  public static final int MAX_REMAINDER_BITS = 48;

  private static final int MAX_FINGERPRINT_BITS = 60;
  private static final int DEFAULT_TABLES = 4;
  private static final int DEFAULT_COUNTER_BITS = 2;

  /** The extra memory, relative to the smallest shape, allowed for fewer words per bucket. */
  private static final double TOLERANCE = 1.005;

  public DLeftShape {
    Arguments.inRange("tables", tables, 2, 8);
    Arguments.oneOf("bucketWords", bucketWords, 1, 2, 4, 8);
    Arguments.inRange("remainderBits", remainderBits, 1, MAX_REMAINDER_BITS);
    Arguments.inRange("counterBits", counterBits, 2, 8);
    long byHash = 1L << (MAX_FINGERPRINT_BITS - remainderBits);
    long bySize = MAX_BITS / (64L * tables * bucketWords);
    Arguments.inRange("buckets", buckets, 1, Math.min(byHash, bySize));
  }

  /**
   * The smallest filter of four subtables and 2-bit counters for a number of keys and a rate.
   * Shapes within 0.5 % of each other count as equal, and the one with the fewest words per bucket
   * is taken.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DLeftShape forKeys(long expectedKeys, double falsePositiveRate) {
    return forKeys(expectedKeys, falsePositiveRate, DEFAULT_COUNTER_BITS);
  }

  /**
   * The smallest filter with counters of a given width, for keys that are added several times.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param falsePositiveRate in (0, 1) and at least {@code expectedKeys · 2^-57}
   * @param counterBits bits of a cell's counter, 2 … 8
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the size is above
   *     {@link Shape#MAX_BITS}
   */
  public static DLeftShape forKeys(long expectedKeys, double falsePositiveRate, int counterBits) {
    Sizing.requireTarget(expectedKeys, falsePositiveRate);
    Arguments.inRange("counterBits", counterBits, 2, 8);
    DLeftShape best = null;
    for (int words = 1; words <= 8; words *= 2) {
      DLeftShape shape = smallest(expectedKeys, falsePositiveRate, words, counterBits);
      if (shape != null
          && (best == null || shape.sizeInBits() * TOLERANCE < (double) best.sizeInBits())) {
        best = shape;
      }
    }
    if (best == null) {
      throw Sizing.tooLarge("a d-left filter", expectedKeys, falsePositiveRate);
    }
    return best;
  }

  /** The smallest shape with a number of words per bucket, ties going to the lowest rate. */
  private static @Nullable DLeftShape smallest(long keys, double rate, int words, int counterBits) {
    double fingerprints = -1 / Math.expm1(Math.log1p(-rate) / keys);
    DLeftShape best = null;
    for (int r = 1; r <= MAX_REMAINDER_BITS && r + counterBits <= 64 * words; r++) {
      long forLoad = bucketsFor(keys, 64 * words / (r + counterBits));
      double forRate = Math.ceil(Math.scalb(fingerprints, -r));
      DLeftShape shape = ofBuckets(Math.max((double) forLoad, forRate), words, r, counterBits);
      while (shape != null && shape.falsePositiveRate(keys) > rate) {
        shape = ofBuckets(shape.buckets + 1.0, words, r, counterBits);
      }
      if (shape != null && (best == null || shape.sizeInBits() <= best.sizeInBits())) {
        best = shape;
      }
    }
    return best;
  }

  private static @Nullable DLeftShape ofBuckets(double buckets, int words, int r, int counterBits) {
    boolean possible =
        buckets * DEFAULT_TABLES * words * 64 <= MAX_BITS
            && Math.scalb(buckets, r) <= Math.scalb(1.0, MAX_FINGERPRINT_BITS);
    return possible ? new DLeftShape(DEFAULT_TABLES, (long) buckets, words, r, counterBits) : null;
  }

  private static long bucketsFor(long keys, int cells) {
    if (keys <= (long) DEFAULT_TABLES * cells) {
      return 1;
    }
    int load = cells - spare(DEFAULT_TABLES);
    return load < 1 ? Long.MAX_VALUE : Math.max(2, (keys - 1) / ((long) DEFAULT_TABLES * load) + 1);
  }

  /**
   * The filter with the lowest rate that holds a number of keys within a memory budget, with four
   * subtables and 2-bit counters.
   *
   * @param expectedKeys distinct keys to hold at a time, 1 … {@link Shape#MAX_KEYS}
   * @param bits the budget, 256 … {@link Shape#MAX_BITS}
   * @return the shape
   * @throws IllegalArgumentException if an argument is outside its range or the keys do not fit
   */
  public static DLeftShape forBudget(long expectedKeys, long bits) {
    Arguments.inRange("expectedKeys", expectedKeys, 1, MAX_KEYS);
    Sizing.requireBudget(bits, DEFAULT_TABLES * 64);
    DLeftShape best = null;
    for (int words = 1; words <= 8; words *= 2) {
      long buckets = bits / (DEFAULT_TABLES * 64L * words);
      for (int r = 1; buckets >= 1 && r <= MAX_REMAINDER_BITS; r++) {
        DLeftShape shape =
            r + DEFAULT_COUNTER_BITS <= 64 * words
                ? ofBuckets((double) buckets, words, r, DEFAULT_COUNTER_BITS)
                : null;
        if (shape != null
            && shape.capacity() >= expectedKeys
            && (best == null || shape.fingerprints() > best.fingerprints())) {
          best = shape;
        }
      }
    }
    if (best == null) {
      throw Arguments.impossible(
          Arguments.named("expectedKeys", expectedKeys),
          " do not fit into a d-left filter of ",
          Arguments.named("bits", bits));
    }
    return best;
  }

  /**
   * The shape with twice the buckets, for a filter that is rebuilt from its keys when their number
   * exceeds {@link #capacity()}: it has twice the capacity, and the same rate at capacity.
   *
   * <p>Without the keys a table cannot be split, since the hash bits that choose a bucket are not
   * part of its entries; {@code GrowingFilter.Removable} opens further tables instead.
   *
   * @return a shape of twice the size
   * @throws IllegalArgumentException if that is above a limit
   */
  public DLeftShape doubled() {
    return new DLeftShape(tables, 2 * buckets, bucketWords, remainderBits, counterBits);
  }

  /**
   * Cells of a bucket kept free on average, so that keys can be added and removed indefinitely: at
   * that load at most one of 100 buckets is full with four subtables, and a key is refused only if
   * all its buckets are.
   */
  private static int spare(int tables) {
    return Math.max(2, 6 - tables);
  }

  /**
   * Cells of a bucket.
   *
   * @return as many as its words hold
   */
  public int cells() {
    return 64 * bucketWords / (remainderBits + counterBits);
  }

  /**
   * The number of distinct keys that the filter is designed for, in any order. More fit, since keys
   * move to make room: the first is refused when all but 1 to 4 % of the cells are taken.
   *
   * @return the number of cells minus two per bucket (four with two subtables, three with three),
   *     or all cells if each subtable has one bucket
   */
  public long capacity() {
    long all = tables * buckets;
    return buckets == 1 ? all * cells() : all * Math.max(0, cells() - spare(tables));
  }

  @Override
  public long maxKeys() {
    return capacity();
  }

  /**
   * The number of possible fingerprints; the filter cannot distinguish keys with equal
   * fingerprints.
   *
   * @return B · 2^r
   */
  public long fingerprints() {
    return buckets << remainderBits;
  }

  @Override
  public long sizeInBits() {
    return 64L * tables * buckets * bucketWords;
  }

  /**
   * {@inheritDoc}
   *
   * <p>This is exactly the probability that one of the keys has the fingerprint of the query,
   * whichever buckets hold them.
   */
  @Override
  public double falsePositiveRate(long keys) {
    Sizing.requireLoad(keys);
    return -Math.expm1(keys * Math.log1p(-1.0 / fingerprints()));
  }
}
